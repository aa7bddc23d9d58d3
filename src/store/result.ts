import type { Rows } from './database.ts'
import { rowSeparator } from './dialect.ts'

/** What became of a plan. */
export interface Result {
  /** The rows as JSON, joined by `rowSeparator`. */
  readonly text: string
  readonly count: number
  /** How many there are without a limit, where that was asked. */
  readonly total: number | null
  /** There are more rows behind the last one. */
  readonly more: boolean
  /** Changes whenever the text does. */
  readonly version: string
  /** The primary key of the row that was inserted, if it was only one. */
  readonly key: string | null
  /** Of an upsert: how many of the rows are new. */
  readonly created: number
  /** A list too long for one answer in memory: all of its rows, part by part. `text` is then empty. */
  readonly parts: AsyncIterable<string> | null
  /** How long one of these parts may be, if rows may be large. */
  readonly partBytes?: number
}

export const nothing: Result = {
  text: '',
  count: 0,
  total: 0,
  more: false,
  version: versionOf(''),
  key: null,
  created: 0,
  parts: null,
}

/** The rows of a read that fit in one answer. */
export const rowsResult = (text: string, { count, total, more }: Pick<Result, 'count' | 'total' | 'more'>): Result => ({
  text,
  count,
  total,
  more,
  version: versionOf(text),
  key: null,
  created: 0,
  parts: null,
})

export function versionOf(text: string): string {
  return Bun.hash(text).toString(16)
}

export const textOf = (rows: Rows): string => rows.map((row) => row[0]).join(rowSeparator)
