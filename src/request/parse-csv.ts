import { failure } from '../errors.ts'

/** Far more than any resource has. */
const columnsMax = 100

/** `id,name\n1,"a, b"\n2,NULL` → [{ id: '1', name: 'a, b' }, { id: '2', name: null }] */
export function parseCsv(text: string, rowsMax: number): Record<string, string | null>[] {
  const [names, ...lines] = parseLines(text, rowsMax)
  if (!names)
    throw failure.bodyInvalid('Empty or invalid csv', 'Send a line of column names, then one line for each row.')
  return lines.map((line) =>
    Object.fromEntries(names.map((name, at) => [name, line[at] === 'NULL' ? null : (line[at] ?? null)])),
  )
}

/** RFC 4180: fields in quotes may hold commas, line breaks and doubled quotes. */
function parseLines(text: string, rowsMax: number): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  let at = 0
  while (at < text.length || line.length > 0) {
    const isQuoted = text[at] === '"'
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at)
    line.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end))
    if (line.length > columnsMax) throw failure.tooMuch('columns', columnsMax, 'Name those that you send values for.')
    const isLast = text[end] !== ','
    at = isLast ? afterLine(text, end) : end + 1
    if (!isLast) continue
    lines.push(sameLength(line, lines[0]))
    line = []
    if (lines.length > rowsMax + 1) throw failure.tooMuch('rows', rowsMax, 'Split them into several requests.')
  }
  return lines
}

function endOfPlain(text: string, start: number): number {
  let at = start
  while (at < text.length && !isSpecial(text.charCodeAt(at))) at += 1
  return at
}

const [quote, comma, newline, carriage] = [34, 44, 10, 13]
const isSpecial = (code: number): boolean => code === comma || code === newline || code === quote || code === carriage

/** Where what follows the closing quote begins. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1
  }
  throw invalid()
}

function afterLine(text: string, at: number): number {
  if (at >= text.length) return at
  if (text[at] === '\n') return at + 1
  if (text.startsWith('\r\n', at)) return at + 2
  throw invalid()
}

function sameLength(line: string[], first: string[] | undefined): string[] {
  if (first && line.length !== first.length)
    throw failure.bodyInvalid(
      'All lines must have same number of fields',
      `The first line names ${first.length} columns.`,
    )
  return line
}

const invalid = () =>
  failure.bodyInvalid('Invalid csv', 'Put a field that holds a quote or a comma in quotes, and double its quotes.')
