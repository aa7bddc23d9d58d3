import { failure } from '../errors/index.ts'
import { counted, same } from './aggregate-results.ts'
import { asItIs, type ColumnType, compareAscii, inQuotes, nullWords, plainCsv, readAs, shown } from './column-type.ts'
import { orderOperators } from './operators.ts'
import { isRelativeTime, lengthMax, parseStored, parseTimestamp, storedDay } from './timestamp-text.ts'
import { zoneClock } from './zone-clock.ts'

export const date: ColumnType<'string'> = {
  name: 'date',
  castsTo: ['date', 'text', 'char'],
  sqlite: { column: 'text', toText: '$', toJson: '$', casts: { date: '$', text: '$', char: 'substr($, 1, 1)' } },
  postgres: { ...readAs('date'), column: 'date', toText: "to_json($) #>> '{}'" },
  isExact: false,
  jsonSchema: { type: 'string', format: 'date', examples: ['2026-01-31'] },
  typescript: 'string',
  filterExample: 'gte.2026-01-31',
  operators: orderOperators,
  isWords: nullWords,
  isOrdered: true,
  aggregates: { count: counted, max: same, min: same },
  isMoment: false,
  compare: compareAscii,
  toJson: inQuotes,
  toCsv: plainCsv,
  jsonBytesMax: () => 12,
  parse: (value, _, zone) =>
    parseStored(typeof value === 'string' ? value : shown(value), (text) => parseDate(text, zone)),
  parseOperand: parseDate,
  isRelative: isRelativeTime,
  inFiles: { kind: 'a date', hint: 'Write a day of the calendar as 2026-01-31.' },
  indexKey: asItIs,
}

/** PostgreSQL accepts a time after the day, and ignores it. Blanks belong to one part each: two would share them out in every way. */
const spelling =
  /^\s*(\d{4,6}-\d{1,2}-\d{1,2}|\d{8})(?:[T ]+\d{1,2}:?\d{2}[\d:.]*(?:\s*(?:Z|UTC|GMT|[+-][\d:]+))?)?\s*$/i

/** `2026-1-31T10:00Z` → `2026-01-31`. A word such as `today` means a day in the zone. */
function parseDate(text: string, zone = 'UTC'): string {
  if (storedDay.test(text)) return text
  if (text.length > lengthMax) throw invalid(`${text.slice(0, lengthMax)}…`)
  const [, day] = spelling.exec(text) ?? []
  if (day !== undefined) return dayOf(parseTimestamp(day))
  if (/\d/.test(text)) throw invalid(text)
  try {
    const moment = parseTimestamp(text, zone)
    return dayOf(/epoch/i.test(text) ? moment : zoneClock(zone)(moment))
  } catch {
    throw invalid(text)
  }
}

/** `2026-01-31T00:00:00+00:00` → `2026-01-31`; `infinity` stays. */
const dayOf = (moment: string): string => (/^\d/.test(moment) ? moment.slice(0, 10) : moment)

const invalid = (text: string): Error => failure.timeInvalid(text, 'date', '2026-01-31')
