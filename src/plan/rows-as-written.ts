import type { Payload } from '../request/payload.ts'
import { writtenRows } from '../request/written-rows.ts'

type Row = Payload['rows'][number]

/** The rows with `12`, `1.0` or `{"a": 1}` as its text in the columns that take any JSON value so. */
export function rowsAsWritten({ text, rows }: Payload, names: readonly string[]): readonly Row[] {
  if (names.length === 0 || rows.every((row) => names.every((name) => isText(row[name])))) return rows
  const written = writtenRows(text)
  return rows.map((row) => {
    const { value = new Map<string, string>() } = written.next()
    const texts = names.filter((name) => !isText(row[name])).map((name) => [name, value.get(name)])
    return { ...row, ...Object.fromEntries(texts) }
  })
}

const isText = (value: unknown): boolean => typeof value === 'string' || value === null || value === undefined
