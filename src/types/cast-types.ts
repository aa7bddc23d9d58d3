import { counted, exactAggregates, same } from './aggregate-results.ts'
import { boolean } from './boolean.ts'
import type { CastName, ColumnType, ShownType } from './column-type.ts'
import { date } from './date.ts'
import { integer } from './integer.ts'
import { number } from './number.ts'
import { text } from './text.ts'
import { textList } from './text-list.ts'
import { timestamp } from './timestamp.ts'
import { uuid } from './uuid.ts'

/** A value that may have been cast: how it is shown and cast further, and which aggregates take it. */
export type AggregatedType = ShownType & Pick<ColumnType, 'aggregates'> & Partial<Pick<ColumnType, 'toCsv'>>

/** No column has one of these types. */
const madeOf = (
  name: string,
  casts: ShownType['sqlite']['casts'],
  aggregates: AggregatedType['aggregates'],
): AggregatedType => ({
  name,
  sqlite: { toJson: '$', casts },
  postgres: { toShown: '$', isPlain: false },
  isExact: false,
  aggregates,
})

const ordered = { count: counted, max: same, min: same }

export const castTypes: Readonly<Record<CastName, AggregatedType>> = {
  text,
  uuid,
  timestamptz: timestamp,
  timestamp: {
    ...madeOf(
      'timestamp without time zone',
      { timestamp: '$', date: 'substr($, 1, 10)', time: 'substr($, 12)', text: "replace($, 'T', ' ')" },
      ordered,
    ),
    toCsv: (value) => String(value).replace('T', ' '),
  },
  date,
  time: madeOf('time without time zone', { time: '$', text: '$' }, ordered),
  integer: madeOf(
    'integer',
    { integer: '$', bigint: '$', text: 'cast($ as text)' },
    { ...ordered, ...exactAggregates(0, '$') },
  ),
  bigint: integer,
  numeric: madeOf('numeric', { text: 'cast($ as text)' }, ordered),
  'double precision': number,
  boolean,
  'text[]': textList,
}
