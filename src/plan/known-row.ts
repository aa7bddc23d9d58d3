import { ApiError } from '../errors/index.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { keepDigits } from '../types/keep-digits.ts'
import type { KnownRow } from './evaluate.ts'

/** A row as it is shown. */
export type ShownRow = Readonly<Record<string, unknown>>

export const parseRow = (json: string): ShownRow => JSON.parse(json, keepDigits) as ShownRow

/** Its values as they are stored. */
export const knownRow = ({ columns }: Resource, row: ShownRow): KnownRow =>
  Object.fromEntries([...columns.values()].map((column) => [column.name, storedText(column, row[column.name] ?? null)]))

/** A company may have changed its field since: a value that it could not have now equals nothing that it can. */
function storedText(column: Column, value: unknown): string | null {
  if (value === null) return null
  try {
    const text = typeof value === 'object' && JSON.isRawJSON(value) ? JSON.stringify(value) : value
    return typeOf(column).parse(text, column.name)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
