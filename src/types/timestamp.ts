import { counted, same } from './aggregate-results.ts'
import { asItIs, type ColumnType, compareAscii, inQuotes, nullWords, readAs, shown } from './column-type.ts'
import { orderOperators } from './operators.ts'
import { isRelativeTime, parseStored, parseTimestamp } from './timestamp-text.ts'
import { postgresZonedCasts, sqliteZonedCasts } from './zoned-cast.ts'

export const timestamp: ColumnType<'string'> = {
  name: 'timestamp with time zone',
  castsTo: ['timestamptz', 'timestamp', 'date', 'time', 'timetz', 'char', 'text'],
  sqlite: {
    // PostgreSQL's JSON form in UTC, which sorts by time as text: `2026-01-03T00:00:00.12+00:00`.
    column: 'text',
    toText: '$',
    toJson: '$',
    casts: {
      timestamptz: '$',
      timestamp: 'substr($, 1, length($) - 6)',
      date: 'substr($, 1, 10)',
      time: 'substr($, 12, length($) - 17)',
      timetz: "substr($, 12, length($) - 17) || '+00'",
      char: 'substr($, 1, 1)',
      text: "replace(replace($, 'T', ' '), '+00:00', '+00')",
    },
    zonedCasts: sqliteZonedCasts,
  },
  postgres: {
    ...readAs('timestamptz'),
    column: 'timestamptz',
    toText: "to_json($) #>> '{}'",
    zonedCasts: postgresZonedCasts,
  },
  isExact: false,
  jsonSchema: { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00+00:00'] },
  typescript: 'string',
  filterExample: 'not.is.null',
  operators: orderOperators,
  isWords: nullWords,
  isOrdered: true,
  aggregates: { count: counted, max: same, min: same },
  isMoment: true,
  compare: compareAscii,
  toJson: inQuotes,
  // PostgreSQL's text form: `2026-01-03 00:00:00+00`.
  toCsv: (value) => String(value).replace('T', ' ').replace(/:00$/, ''),
  jsonBytesMax: () => 34,
  parse: (value, _, zone) =>
    parseStored(typeof value === 'string' ? value : shown(value), (text) => parseTimestamp(text, zone)),
  parseOperand: parseTimestamp,
  isRelative: isRelativeTime,
  inFiles: {
    kind: 'a time',
    hint: 'Write it as 2026-01-31 12:00. That is in UTC, unless it ends in an offset such as +01:00.',
  },
  indexKey: asItIs,
}
