import type { ColumnType } from './column-type.ts'
import { date } from './date.ts'
import { text } from './text.ts'
import { timestamp } from './timestamp.ts'
import { uuid } from './uuid.ts'

/** Every type that a column can have, by the name that definitions use. */
export const columnTypes = { uuid, text, timestamp, date } as const satisfies Record<string, ColumnType>

export type ColumnTypeName = keyof typeof columnTypes
