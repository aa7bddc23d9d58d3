import { failure } from '../errors/index.ts'
import { counted, exactAggregates, same } from './aggregate-results.ts'
import { exactCastNames, exactCasts } from './cast-number.ts'
import { asItIs, type ColumnType, nullWords, plainCsv, readAs, shown } from './column-type.ts'
import { integerKey } from './index-key.ts'
import { orderOperators } from './operators.ts'

/** An integer that JSON represents exactly: up to 2⁵³ − 1. */
export const integer: ColumnType<'number'> = {
  name: 'bigint',
  castsTo: exactCastNames,
  sqlite: {
    column: 'integer',
    toText: 'cast($ as text)',
    toJson: '$',
    casts: exactCasts('cast($ as text)'),
    fromFields: 'cast($ ->> @ as integer)',
  },
  postgres: { ...readAs('bigint'), column: 'bigint', fromText: '$::text::bigint', fromOperand: '$::text::bigint' },
  isExact: false,
  jsonSchema: { type: 'integer', examples: [12] },
  typescript: 'number',
  filterExample: 'gte.10',
  operators: orderOperators,
  isWords: nullWords,
  isOrdered: true,
  aggregates: { count: counted, max: same, min: same, ...exactAggregates(0, '$') },
  isMoment: false,
  compare: (one, other) => Number(BigInt(one) - BigInt(other)),
  toJson: asItIs,
  toCsv: plainCsv,
  jsonBytesMax: () => 17,
  parse: (value) => {
    const text = integerText(value)
    if (!Number.isSafeInteger(Number(text))) throw outOfRange(text, `${Number.MAX_SAFE_INTEGER}`)
    return text
  },
  indexKey: integerKey,
  inFiles: {
    kind: 'a whole number',
    hint: `Write digits alone, such as 1234567, up to ${Number.MAX_SAFE_INTEGER}: no thousands separators.`,
  },
  parseOperand: (operand) => {
    const text = integerText(operand)
    if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) throw outOfRange(text, '2^63 - 1')
    return text
  },
}

const spelling = /^\s*[+-]?\d{1,400}\s*$/

/** `" +012 "` → `12` */
function integerText(value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value)
  const text = typeof value === 'number' ? numberDigits(value) : value
  if (typeof text !== 'string' || !spelling.test(text))
    throw failure.valueInvalid('bigint', shown(value), 'Send an integer, such as 12.')
  return String(BigInt(text.trim().replace(/^\+/, '')))
}

/** Without an exponent, which `String` uses for large numbers. */
const numberDigits = (value: number): string => (Number.isInteger(value) ? String(BigInt(value)) : String(value))

const outOfRange = (text: string, most: string): Error =>
  failure.valueOutOfRange('bigint', shown(text), `Send an integer of at most ${most}.`)
