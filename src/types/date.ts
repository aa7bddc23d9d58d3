import { failure } from '../errors.ts'
import { type ColumnType, compareSigns, inQuotes } from './column-type.ts'
import { comparing } from './operators.ts'
import { parseTimestamp } from './timestamp-text.ts'

export const date: ColumnType = {
  name: 'date',
  sqlite: { column: 'text', casts: { date: '$', text: '$' } },
  postgres: { column: 'date', name: 'date', isPlain: false },
  jsonSchema: { type: 'string', format: 'date', examples: ['2026-01-31'] },
  filterExample: 'gte.2026-01-31',
  operators: comparing,
  aggregates: { count: 'bigint', max: 'same', min: 'same' },
  isMoment: false,
  compare: compareSigns,
  toJson: inQuotes,
  jsonBytesMax: () => 12,
  parse: (value) => parseDate(String(value)),
  parseOperand: parseDate,
}

/** PostgreSQL takes a time behind the day, and forgets it. */
const spelling = /^\s*(\d{4,6}-\d{1,2}-\d{1,2})(?:[T ]+\d{1,2}:\d{2}[\d:.]*\s*(?:Z|UTC|GMT|[+-][\d:]+)?)?\s*$/i

/** `2026-1-31T10:00Z` → `2026-01-31` */
function parseDate(text: string): string {
  const [, day] = spelling.exec(text) ?? []
  if (day === undefined && !/^\s*-?infinity\s*$/i.test(text)) throw invalid(text)
  try {
    const moment = parseTimestamp(day ?? text)
    return /^\d/.test(moment) ? moment.slice(0, 10) : moment
  } catch {
    throw invalid(text)
  }
}

const shownMax = 100

const invalid = (text: string): Error =>
  failure.timeInvalid(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text, 'date', '2026-01-31')
