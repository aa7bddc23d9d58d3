import { failure } from '../errors/index.ts'
import type { Parsed, Parsing, Payload } from './payload.ts'
import { bodyRowsMax, rowCharactersMax, rowTooLong, tooManyRows } from './row-limits.ts'

type Row = Payload['rows'][number]

/** An object, or a list of objects. A long list is parsed some rows at a time. */
export const parseJson = (text: string): Parsed | Parsing =>
  text.length <= rowCharactersMax ? parseShort(text) : parseLong(text)

function* parseLong(text: string): Parsing {
  const start = text.search(/\S/)
  if (text[start] === '{') throw rowTooLong()
  if (text[start] !== '[') throw invalid()
  const rows: Row[] = []
  for (const part of partsOf(text, start + 1)) {
    const parsed: unknown = parseText(`[${part}]`)
    if (!Array.isArray(parsed) || parsed.length === 0) throw invalid()
    for (const row of allObjects(parsed)) rows.push(row)
    yield
  }
  return { single: false, rows }
}

function parseShort(text: string): Parsed {
  const body = parseText(text)
  if (isObject(body)) return { single: true, rows: [body] }
  if (!Array.isArray(body)) throw invalid()
  if (body.length > bodyRowsMax) throw tooManyRows()
  return { single: false, rows: allObjects(body) }
}

/** The elements of a list from `start` on, cut behind some of its commas. Whether they are well-formed is not looked at. */
function* partsOf(text: string, start: number): Generator<string> {
  let [partStart, rowStart, rows, depth] = [start, start, 1, 1]
  for (let at = start; ; at += 1) {
    if (at >= text.length) throw invalid()
    if (at - rowStart > rowCharactersMax) throw rowTooLong()
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else if (sign === openBrace || sign === openBracket) depth = deeper(depth)
    else if (sign === closeBrace || sign === closeBracket) depth -= 1
    else if (sign === comma && depth === 1) {
      rows += 1
      if (rows > bodyRowsMax) throw tooManyRows()
      rowStart = at + 1
      if (rowStart - partStart < partCharacters) continue
      yield text.slice(partStart, at)
      partStart = rowStart
    }
    if (depth > 0) continue
    if (text.slice(at + 1).trim() !== '') throw invalid()
    return yield text.slice(partStart, at)
  }
}

/** No column takes a value of more levels, and the parser takes long for very many. */
const depthMax = 32

function deeper(depth: number): number {
  if (depth >= depthMax) throw failure.tooMuch('levels of lists and objects', depthMax, 'Send what the columns hold.')
  return depth + 1
}

const partCharacters = rowCharactersMax / 2
const [quote, comma, backslash] = [34, 44, 92]
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]

/** The place of the quote that closes the string whose first quote is at `start`. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (;;) {
    if (end < 0) throw invalid()
    if (end - start > rowCharactersMax) throw rowTooLong()
    if (!isEscaped(text, end)) return end
    end = text.indexOf('"', end + 1)
  }
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
  return backslashes % 2 === 1
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid()
  }
}

function allObjects(elements: readonly unknown[]): readonly Row[] {
  if (elements.every(isObject)) return elements
  throw failure.bodyInvalid('All object keys must match', 'Every element of the array must be an object.')
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = () => failure.bodyInvalid('Empty or invalid json', 'Send a JSON object, or an array of objects.')
