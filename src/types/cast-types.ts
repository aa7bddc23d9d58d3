import { counted, exactAggregates, numeric, same } from './aggregate-results.ts'
import { boolean } from './boolean.ts'
import { exactCasts } from './cast-number.ts'
import { type CastName, type ColumnType, castNames, type ShownType } from './column-type.ts'
import { date } from './date.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { number } from './number.ts'
import { numericAggregates } from './numeric-aggregates.ts'
import { text } from './text.ts'
import { textList } from './text-list.ts'
import { timestamp } from './timestamp.ts'
import { uuid } from './uuid.ts'

/** A value that may have been cast: how it is shown and cast further, and which aggregates take it. */
export type AggregatedType = ShownType &
  Pick<ColumnType, 'aggregates' | 'isOrdered' | 'lacksEquality'> &
  Partial<Pick<ColumnType, 'isMoment' | 'toCsv'>>

/** No column has one of these types. */
const madeOf = (
  name: string,
  casts: ShownType['sqlite']['casts'],
  aggregates: AggregatedType['aggregates'],
): AggregatedType => ({
  name,
  castsTo: castNames.filter((cast) => casts[cast] !== undefined),
  sqlite: { toJson: '$', casts },
  postgres: { toShown: '$', isPlain: false },
  isExact: false,
  isOrdered: true,
  aggregates,
})

const ordered = { count: counted, max: same, min: same }

const wholeCasts = exactCasts('cast($ as text)')
const wholeAggregates = { ...ordered, ...exactAggregates(0, '$') }

/** SQLite calls functions of ours by the names of `numericAggregates`. */
const numericRules = Object.fromEntries(
  Object.keys(numericAggregates).map((name) => [name, { result: numeric, sqlite: `numeric_${name}($)` }]),
)

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
  // PostgreSQL 15 has no max or min of it.
  timetz: madeOf('time with time zone', { timetz: '$', text: '$' }, { count: counted }),
  smallint: madeOf('smallint', wholeCasts, wholeAggregates),
  integer: madeOf('integer', wholeCasts, wholeAggregates),
  // One that was read from a text may have more digits than a column has.
  bigint: { ...integer, isExact: true },
  numeric: { ...numeric, isOrdered: true, aggregates: { count: counted, ...numericRules } },
  'double precision': number,
  boolean,
  char: madeOf('character', { char: '$', text: '$' }, ordered),
  json,
  'text[]': textList,
}
