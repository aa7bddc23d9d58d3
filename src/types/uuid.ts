import { failure } from '../errors/index.ts'
import { counted } from './aggregate-results.ts'
import { type ColumnType, compareAscii, inQuotes, nullWords, plainCsv, readAs, shown } from './column-type.ts'
import { orderOperators } from './operators.ts'

export const uuid: ColumnType<'string'> = {
  name: 'uuid',
  castsTo: ['uuid', 'text', 'char'],
  sqlite: {
    column: 'text',
    toText: '$',
    toJson: '$',
    casts: { uuid: '$', text: 'cast($ as text)', char: 'substr($, 1, 1)' },
  },
  postgres: { ...readAs('uuid'), column: 'uuid', isPlain: true },
  isExact: false,
  jsonSchema: { type: 'string', format: 'uuid', examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] },
  typescript: 'string',
  filterExample: 'not.is.null',
  operators: orderOperators,
  isWords: nullWords,
  isOrdered: true,
  // PostgreSQL 15 has no max or min of uuid.
  aggregates: { count: counted },
  isMoment: false,
  compare: compareAscii,
  toJson: inQuotes,
  toCsv: plainCsv,
  jsonBytesMax: () => 38,
  parse,
  parseOperand: parse,
  inFiles: { kind: 'an id', hint: 'An id looks like 01890a5d-ac96-774b-bcce-b302099a8057.' },
}

function parse(value: unknown): string {
  if (typeof value === 'string' && isUuid(value)) return value
  if (typeof value !== 'string' || !spelling.test(value)) {
    throw failure.valueInvalid('uuid', shown(value), 'A UUID looks like 01890a5d-ac96-774b-bcce-b302099a8057.')
  }
  return value
    .replace(/[{}-]/g, '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const canonical = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether it is spelled as we spell ids. */
export const isUuid = (text: string): boolean => canonical.test(text)

/** PostgreSQL accepts a hyphen after any group of four digits, and braces. */
const spelling = /^(\{([0-9a-f]{4}-?){7}[0-9a-f]{4}\}|([0-9a-f]{4}-?){7}[0-9a-f]{4})$/i
