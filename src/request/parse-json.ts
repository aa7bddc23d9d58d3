import { failure } from '../errors/index.ts'
import type { Hold } from '../traffic/byte-budget.ts'
import { JsonCount } from './json-count.ts'
import { comma, endOfString, invalidJson, openBrace, openBracket, quote } from './json-signs.ts'
import type { Parsed, Parsing, Payload } from './payload.ts'
import { bodyRowsMax, rowCharactersMax, rowTooLong, tooManyRows } from './row-limits.ts'
import { RowNames } from './row-names.ts'

type Row = Payload['rows'][number]

/** An object, or a list of objects. A long list is parsed some rows at a time. */
export function parseJson(text: string, hold: Hold | null): Parsed | Parsing {
  const start = text.search(/[^ \t\r\n]/)
  const sign = text.charCodeAt(start)
  if (sign === openBracket) return parseList(text, start + 1, hold)
  if (text.length > rowCharactersMax) throw sign === openBrace ? rowTooLong() : invalidJson()
  return parseObject(text, start, hold)
}

function* parseList(text: string, start: number, hold: Hold | null): Parsing {
  const seen: Seen = { count: new JsonCount(2), starts: [start] }
  const { count, starts } = seen
  const names = new RowNames()
  const rows: Row[] = []
  const holdBeside = createHoldBeside(hold)
  let end = start - 1
  count.see(openBracket)
  do {
    const partStart = end + 1
    end = endOfPart(text, partStart, seen)
    holdBeside(count.nested, names.unlike)
    const parsed: unknown = parseText(`[${text.slice(partStart, end)}]`)
    // Only a list without commas may be empty.
    if (!Array.isArray(parsed) || (parsed.length === 0 && starts.length > 1)) throw invalidJson()
    for (const row of allObjects(parsed)) {
      names.see(row)
      rows.push(row)
    }
    yield
  } while (count.depth > 0)
  if (!/^[ \t\r\n]*$/.test(text.slice(end + 1))) throw invalidJson()
  holdBeside(count.nested, names.unlike)
  return { single: false, rows, areUnlike: names.areUnlike, starts }
}

function parseObject(text: string, start: number, hold: Hold | null): Parsed {
  const count = new JsonCount(1)
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else count.see(sign)
  }
  createHoldBeside(hold)(count.nested, 0)
  const row = parseText(text)
  if (!isObject(row)) throw invalidJson()
  return { single: true, rows: [row], starts: [start] }
}

/** About what a value in a list takes, however few characters it has, and a name in a row that is unlike the one before. */
const [nestedBytes, unlikeBytes] = [64, 128]

/** Holds the memory of what rows become beside their text. */
function createHoldBeside(hold: Hold | null): (nested: number, unlike: number) => void {
  const textBytes = hold?.bytes ?? 0
  return (nested, unlike) => {
    const beside = nested * nestedBytes + unlike * unlikeBytes
    if (beside > 0 && hold && !hold.tryHold(textBytes + beside)) throw failure.overloaded()
  }
}

/** What is seen of the rows of a list, part by part. */
interface Seen {
  readonly count: JsonCount
  readonly starts: number[]
}

/** Where the list can be cut behind `start`: at a comma, or at its end. Whether its elements are well-formed is not looked at. */
function endOfPart(text: string, start: number, { count, starts }: Seen): number {
  let rowStart = start
  for (let at = start; at < text.length; at += 1) {
    if (at - rowStart > rowCharactersMax) throw rowTooLong()
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else count.see(sign)
    if (count.depth === 0) return at
    if (sign !== comma || count.depth > 1) continue
    rowStart = at + 1
    starts.push(rowStart)
    if (starts.length > bodyRowsMax) throw tooManyRows()
    if (rowStart - start >= partCharacters) return at
  }
  throw invalidJson()
}

const partCharacters = rowCharactersMax / 2

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

function allObjects(elements: readonly unknown[]): readonly Row[] {
  if (elements.every(isObject)) return elements
  throw failure.bodyInvalid('All object keys must match', 'Every element of the array must be an object.')
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
