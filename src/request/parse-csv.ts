import { failure } from '../errors.ts'

/** `id,name\n1,"a, b"\n2,NULL` → [{ id: '1', name: 'a, b' }, { id: '2', name: null }] */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [names, ...lines] = parseLines(text)
  if (!names)
    throw failure.bodyInvalid('Empty or invalid csv', 'Send a line of column names, then one line for each row.')
  return lines.map((line) => Object.fromEntries(line.map((field, at) => [names[at], field === 'NULL' ? null : field])))
}

/** RFC 4180: fields in quotes may hold commas, line breaks and doubled quotes. */
function parseLines(text: string): string[][] {
  const lines: string[][] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  let line: string[] = []
  while (pattern.lastIndex < text.length || line.length > 0) {
    const field = pattern.exec(text)
    if (!field)
      throw failure.bodyInvalid(
        'Invalid csv',
        'Put a field that holds a quote or a comma in quotes, and double its quotes.',
      )
    const [, quoted, plain, end] = field
    line.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    lines.push(line)
    refuseUneven(lines[0] ?? [], line)
    line = []
  }
  return lines
}

/** At once: a body may have millions of lines. */
function refuseUneven(names: readonly string[], line: readonly string[]): void {
  if (line.length === names.length) return
  throw failure.bodyInvalid(
    'All lines must have same number of fields',
    `The first line names ${names.length} columns.`,
  )
}
