import { boolean } from './boolean.ts'
import { choice } from './choice.ts'
import { choices } from './choices.ts'
import type { ColumnType } from './column-type.ts'
import { date } from './date.ts'
import { decimal } from './decimal.ts'
import { email } from './email.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { jsonList } from './json-list.ts'
import { jsonValue } from './json-value.ts'
import { number } from './number.ts'
import { text } from './text.ts'
import { textList } from './text-list.ts'
import { timestamp } from './timestamp.ts'
import { url } from './url.ts'
import { uuid } from './uuid.ts'

/** Every type that a column can have, by the name that definitions use. */
export const columnTypes = {
  uuid,
  text,
  timestamp,
  date,
  integer,
  decimal,
  number,
  boolean,
  'text-list': textList,
  json,
  'json-list': jsonList,
  'json-value': jsonValue,
  choice,
  choices,
  url,
  email,
} as const satisfies Record<string, ColumnType>

export type ColumnTypeName = keyof typeof columnTypes
