import { failure } from '../errors/index.ts'
import { counted, same } from './aggregate-results.ts'
import { postgresTextCasts, sqliteTextCasts, textCastsTo } from './cast-text.ts'
import { asItIs, type ColumnType, nullWords, plainCsv, type Rules, readAs, shown } from './column-type.ts'
import { orderOperators, textOperators } from './operators.ts'

/** One character in JSON: `\u0000`. */
const characterBytesMax = 6
const lengthDefault = 1000

export const text: ColumnType<'string'> = {
  name: 'text',
  castsTo: textCastsTo,
  sqlite: { column: 'text', toText: '$', toJson: '$', casts: sqliteTextCasts },
  // "C" sorts by code point, as SQLite does.
  postgres: {
    ...readAs('text'),
    column: 'text collate "C"',
    casts: postgresTextCasts,
    fromFields: '(($ ->> @) collate "C")',
  },
  isExact: false,
  jsonSchema: { type: 'string', examples: ['Bridge'] },
  typescript: 'string',
  filterExample: 'ilike.*bridge*',
  operators: [...orderOperators, ...textOperators],
  isWords: nullWords,
  isOrdered: true,
  aggregates: { count: counted, max: same, min: same },
  isMoment: false,
  // By code point, which is the order of UTF-8 bytes, but not of UTF-16 units.
  compare: (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)),
  toJson: (value) => JSON.stringify(value),
  toCsv: plainCsv,
  jsonBytesMax: ({ maxLength = lengthDefault }) => maxLength * characterBytesMax + 2,
  takesJsonText: true,
  parse: (value, column) => {
    if (typeof value !== 'string')
      throw failure.valueInvalid('text', shown(value), `Send "${column}" as a JSON string.`)
    if (value.includes('\0') || !value.isWellFormed()) throw failure.textImpossible(column)
    return value
  },
  parseOperand: (operand) => operand,
  inFiles: { kind: 'a text that can be stored', hint: 'Remove the characters that cannot be shown.' },
  indexKey: asItIs,
  brokenRule: (value, rules) => (isTooShort(value, rules) || isTooLong(value, rules) ? lengthRule(rules) : null),
}

function lengthRule({ minLength = 0, maxLength }: Rules): string {
  if (minLength === 0) return `at most ${maxLength} characters`
  const most = maxLength === undefined ? 'or more' : `to ${maxLength}`
  return `${minLength} ${most} characters that are not all blank`
}

const isTooShort = (value: string, { minLength }: Rules): boolean =>
  minLength !== undefined && value.trim().length < minLength

/** Counts code points, as both engines do, not UTF-16 units. */
export const isTooLong = (value: string, { maxLength }: Rules): boolean =>
  maxLength !== undefined && value.length > maxLength && [...value].length > maxLength
