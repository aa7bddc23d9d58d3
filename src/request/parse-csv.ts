import { failure } from '../errors/index.ts'
import type { Parsing, Payload } from './payload.ts'
import { bodyRowsMax, rowCharactersMax, rowFieldsMax, rowTooLong, tooManyRows } from './row-limits.ts'

/** `id,name\n1,"a, b"\n2,NULL` → [{ id: '1', name: 'a, b' }, { id: '2', name: null }] */
export function* parseCsv(text: string): Parsing {
  const rows: Payload['rows'][number][] = []
  let names: readonly string[] | null = null
  let pausedAt = 0
  for (const { fields, end } of linesOf(text)) {
    if (names === null) names = fields
    else rows.push(rowOf(names, fields))
    if (rows.length > bodyRowsMax) throw tooManyRows()
    if (end - pausedAt > rowCharactersMax) {
      pausedAt = end
      yield
    }
  }
  if (names === null)
    throw failure.bodyInvalid('Empty or invalid csv', 'Send a line of column names, then one line for each row.')
  return { single: false, rows }
}

function rowOf(names: readonly string[], fields: readonly string[]): Record<string, string | null> {
  if (fields.length !== names.length)
    throw failure.bodyInvalid(
      'All lines must have same number of fields',
      `The first line names ${names.length} columns.`,
    )
  return Object.fromEntries(names.map((name, at) => [name, fields[at] === 'NULL' ? null : (fields[at] ?? null)]))
}

interface Line {
  readonly fields: readonly string[]
  readonly end: number
}

/** RFC 4180: fields in quotes may hold commas, line breaks and doubled quotes. */
function* linesOf(text: string): Generator<Line> {
  let fields: string[] = []
  let start = 0
  let at = 0
  while (at < text.length || fields.length > 0) {
    const isQuoted = text[at] === '"'
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at)
    fields.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end))
    if (fields.length > rowFieldsMax)
      throw failure.tooMuch('columns', rowFieldsMax, 'Name those that you send values for.')
    if (end - start > rowCharactersMax) throw rowTooLong()
    const isLast = text[end] !== ','
    at = isLast ? afterLine(text, end) : end + 1
    if (!isLast) continue
    yield { fields, end: at }
    fields = []
    start = at
  }
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
    if (at - start > rowCharactersMax) throw rowTooLong()
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

const invalid = () =>
  failure.bodyInvalid('Invalid csv', 'Put a field that holds a quote or a comma in quotes, and double its quotes.')
