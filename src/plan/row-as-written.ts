import type { Payload } from '../request/payload.ts'
import { writtenMembers } from '../request/written-members.ts'

type Row = Payload['rows'][number]

/** The row at this place, with `12`, `1.0` or `{"a": 1}` as its text in the columns that take any JSON value so. */
export function rowAsWritten({ text, rows, starts }: Payload, at: number, names: readonly string[]): Row {
  const row = rows[at] ?? {}
  if (names.every((name) => isText(row[name]))) return row
  const written = writtenMembers(text, starts?.[at] ?? 0)
  const texts = names.filter((name) => !isText(row[name])).map((name) => [name, written.get(name)])
  return { ...row, ...Object.fromEntries(texts) }
}

const isText = (value: unknown): boolean => typeof value === 'string' || value === null || value === undefined
