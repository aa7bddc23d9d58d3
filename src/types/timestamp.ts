import { type ColumnType, compareSigns, inQuotes } from './column-type.ts'
import { comparing } from './operators.ts'
import { parseTimestamp } from './timestamp-text.ts'

export const timestamp: ColumnType = {
  name: 'timestamp with time zone',
  sqlite: {
    // PostgreSQL's JSON spelling in UTC, which sorts by time as plain text: `2026-01-03T00:00:00.12+00:00`.
    column: 'text',
    casts: {
      timestamptz: '$',
      timestamp: 'substr($, 1, length($) - 6)',
      date: 'substr($, 1, 10)',
      time: 'substr($, 12, length($) - 17)',
      text: "replace(replace($, 'T', ' '), '+00:00', '+00')",
    },
  },
  postgres: { column: 'timestamptz', name: 'timestamptz', isPlain: false },
  jsonSchema: { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00+00:00'] },
  filterExample: 'not.is.null',
  operators: comparing,
  aggregates: { count: 'bigint', max: 'same', min: 'same' },
  isMoment: true,
  compare: compareSigns,
  toJson: inQuotes,
  jsonBytesMax: () => 34,
  parse: (value) => parseTimestamp(String(value)),
  parseOperand: parseTimestamp,
}
