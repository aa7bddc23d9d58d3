import type { Selected } from '../plan/plan.ts'
import type { Representation } from '../request/parse-accept.ts'
import { rowSeparator } from '../store/database.ts'
import { csvHead, csvRows } from './csv.ts'
import { inTimeZone } from './in-time-zone.ts'
import type { Outcome } from './respond.ts'

/** How the rows of one shape begin, go on and end. */
interface Shape {
  readonly open: string
  readonly between: string
  readonly close: string
  /** The JSON of some rows, joined by `rowSeparator` → as it is shown. */
  show(text: string): string
}

/** The rows of a result, in the shape that was asked for: whole, or part by part where they are too many. */
export function represent(
  { result, plan, request }: Outcome,
  { shape, nullsStripped }: Representation,
): Outcome['result']['parts'] | string {
  const selection = plan.kind === 'nothing' ? [] : plan.kind === 'read' ? plan.selection : plan.returning
  const form = inZone(shapes[shape](selection, nullsStripped), selection, request.preferences.timezone)
  if (result.parts) return join(result.parts, form)
  if (result.count === 0 && shape === 'csv') return '\n'
  return form.open + (result.count === 0 ? '' : form.show(result.text)) + form.close
}

function inZone(form: Shape, selection: readonly Selected[], zone: string | undefined): Shape {
  if (zone === undefined || zone === 'UTC') return form
  return { ...form, show: (text) => form.show(inTimeZone(text, selection, zone)) }
}

const shapes: Record<Representation['shape'], (selection: readonly Selected[], nullsStripped: boolean) => Shape> = {
  array: (_, stripped) => ({ open: '[', between: rowSeparator, close: ']', show: stripped ? stripNulls : asIs }),
  object: (_, stripped) => ({ open: '', between: '', close: '', show: stripped ? stripNulls : asIs }),
  ndjson: () => ({ open: '', between: '', close: '', show: (text) => `${text.replaceAll(rowSeparator, '\n')}\n` }),
  csv: (selection) => ({ open: csvHead(selection), between: '', close: '', show: (text) => csvRows(selection, text) }),
}

const asIs = (text: string): string => text

async function* join(parts: AsyncIterable<string>, { open, between, close, show }: Shape): AsyncGenerator<string> {
  let before = open
  for await (const part of parts) {
    yield before + show(part)
    before = between
  }
  yield before === open ? open + close : close
}

/** Members that are null are left out, at every depth. */
function stripNulls(text: string): string {
  const rows: unknown[] = JSON.parse(`[${text}]`)
  return rows
    .map((row) => JSON.stringify(row, (_, value) => (isObject(value) ? withoutNulls(value) : value)))
    .join(rowSeparator)
}

const withoutNulls = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
