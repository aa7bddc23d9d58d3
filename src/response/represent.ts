import { failure } from '../errors/index.ts'
import { isRead } from '../methods.ts'
import type { Selected } from '../plan/plan.ts'
import type { Representation } from '../request/parse-accept.ts'
import { isOtherZone } from '../request/preferences.ts'
import { rowSeparator } from '../store/dialect.ts'
import { csvHead, csvRows, quoteAsRecord, quoteAsSheet } from './csv.ts'
import { inTimeZone } from './in-time-zone.ts'
import type { Outcome } from './outcome.ts'
import { parseRows } from './parse-rows.ts'

/** How the rows of one shape begin, go on and end. */
interface Shape {
  readonly open: string
  readonly between: string
  readonly close: string
  /** The JSON of some rows, joined by `rowSeparator` → as it is shown. */
  show(text: string): string
  /** To show them, they are parsed, which takes time. */
  readonly isParsed: boolean
}

/** The rows of a result, in the shape that was asked for: whole, or part by part where they are too many, or take long. */
export function represent(
  { result, plan, request }: Outcome,
  { shape, nullsStripped }: Representation,
): Outcome['result']['parts'] | string {
  const selection = plan.kind === 'nothing' ? [] : plan.kind === 'read' ? plan.selection : plan.returning
  const form = inZone(shapes[shape](selection, nullsStripped), selection, request.preferences.timezone)
  if (result.parts) return join(form.isParsed ? withoutLongRows(result.parts) : result.parts, form)
  if (result.count === 0 && (shape === 'csv' || shape === 'sheet')) return '\n'
  const isLong = form.isParsed && result.text.length > pieceMax
  // An answer that is kept is made together with its write, and is short.
  if (isLong && request.idempotencyKey === null) {
    if (isRead(request.method)) refuseLongRow(result.text)
    return join([result.text], form)
  }
  return form.open + (result.count === 0 ? '' : form.show(result.text)) + form.close
}

function inZone(form: Shape, selection: readonly Selected[], zone: string | undefined): Shape {
  if (!isOtherZone(zone)) return form
  return { ...form, show: (text) => form.show(inTimeZone(text, selection, zone)), isParsed: true }
}

const shapes: Record<Representation['shape'], (selection: readonly Selected[], nullsStripped: boolean) => Shape> = {
  array: (selection, stripped) => ({
    open: '[',
    between: rowSeparator,
    close: ']',
    show: stripped ? (text) => stripNulls(text, selection) : asIs,
    isParsed: stripped,
  }),
  object: (selection, stripped) => ({
    open: '',
    between: '',
    close: '',
    show: stripped ? (text) => stripNulls(text, selection) : asIs,
    isParsed: stripped,
  }),
  ndjson: () => ({
    open: '',
    between: '',
    close: '',
    show: (text) => `${text.replaceAll(rowSeparator, '\n')}\n`,
    isParsed: false,
  }),
  csv: (selection) => csvShape(selection, quoteAsRecord),
  sheet: (selection) => csvShape(selection, quoteAsSheet),
}

const csvShape = (selection: readonly Selected[], quote: (text: string) => string): Shape => ({
  open: csvHead(selection, quote),
  between: '',
  close: '',
  show: (text) => csvRows(selection, text, quote),
  isParsed: true,
})

const asIs = (text: string): string => text

/** Characters of rows that are shown at once where that takes time: others are served between two such pieces. */
const pieceMax = 128 * 1024
/** A row is never cut into pieces, so that one longer than this would keep others waiting. */
const rowMax = 2 * 1024 * 1024

function refuseLongRow(text: string): void {
  for (const { length } of piecesOf(text)) if (length > rowMax + pieceMax) throw failure.rowTooLarge()
}

async function* join(parts: Parts, { open, between, close, show, isParsed }: Shape): AsyncGenerator<string> {
  let before = open
  for await (const part of parts) {
    for (const piece of isParsed ? piecesOf(part) : [part]) {
      yield before + show(piece)
      before = between
    }
  }
  yield before === open ? open + close : close
}

type Parts = AsyncIterable<string> | Iterable<string>

/** The same parts. Fails at the first one that has too long a row. */
async function* withoutLongRows(parts: Parts): AsyncGenerator<string> {
  for await (const part of parts) {
    refuseLongRow(part)
    yield part
  }
}

/** The same rows in pieces of whole rows. */
function* piecesOf(text: string): Generator<string> {
  let start = 0
  while (text.length - start > pieceMax) {
    const end = text.indexOf(rowSeparator, start + pieceMax)
    if (end < 0) break
    yield text.slice(start, end)
    start = end + rowSeparator.length
  }
  yield text.slice(start)
}

/** Members that are null are left out, at every depth. */
function stripNulls(text: string, selection: readonly Selected[]): string {
  return parseRows(text, selection)
    .map((row) => JSON.stringify(row, (_, value) => (isObject(value) ? withoutNulls(value) : value)))
    .join(rowSeparator)
}

const withoutNulls = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
