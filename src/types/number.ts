import { failure } from '../errors/index.ts'
import { counted, same } from './aggregate-results.ts'
import { doubleCasts } from './cast-number.ts'
import { type AggregateRule, asItIs, type ColumnType, nullWords, shown } from './column-type.ts'
import { doubleKey } from './index-key.ts'
import { orderOperators } from './operators.ts'

/** A double. For exact digits, use `decimal`. */
export const number: ColumnType<'number'> = {
  name: 'double precision',
  castsTo: ['smallint', 'integer', 'bigint', 'numeric', 'text', 'char'],
  sqlite: {
    column: 'real',
    toText: 'number_text($)',
    toJson: 'json(number_text($))',
    casts: doubleCasts,
    fromFields: 'cast($ ->> @ as real)',
  },
  postgres: {
    column: 'double precision',
    fromText: '$::text::float8',
    fromOperand: '$::text::float8',
    listOf: 'float8',
    toText: '$::text',
    toShown: '$',
    isPlain: false,
  },
  isExact: false,
  jsonSchema: { type: 'number', examples: [0.25] },
  typescript: 'number',
  filterExample: 'lt.0.5',
  operators: orderOperators,
  isWords: nullWords,
  isOrdered: true,
  aggregates: { count: counted, max: same, min: same, sum: rounded('sum'), avg: rounded('avg') },
  isMoment: false,
  compare: (one, other) => Number(one) - Number(other),
  toJson: asItIs,
  toCsv: (value) => (typeof value === 'number' ? numberText(value) : String(value)),
  jsonBytesMax: () => 24,
  parse: (value) => {
    const parsed = parseNumber(value)
    // With this limit, a sum of 10⁸ rows cannot overflow.
    if (Math.abs(parsed) > largest)
      throw failure.valueOutOfRange(
        'double precision',
        shown(value),
        `Send a number between -${largest} and ${largest}.`,
      )
    return numberText(parsed)
  },
  parseOperand: (operand) => numberText(parseNumber(operand)),
  inFiles: { kind: 'a number', hint: 'Write it as 1234567.5: a point before the decimals, no thousands separators.' },
  indexKey: doubleKey,
}

const largest = 1e300

/** The engines add in different orders, so their results agree in 15 digits only. This cast rounds to 15 digits. */
function rounded(aggregate: 'sum' | 'avg'): AggregateRule {
  return { result: 'same', sqlite: `rounded_number(${aggregate}($))`, postgres: `${aggregate}($)::numeric::float8` }
}

const spelling = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i
const infinite = /^\s*([+-]?)inf(?:inity)?\s*$/i
const lengthMax = 400

function parseNumber(value: unknown): number {
  if (typeof value === 'number') return value || 0
  const isText = typeof value === 'string' && value.length <= lengthMax
  const [, sign] = (isText && infinite.exec(value)) || []
  // Larger than every stored value, which is all that matters for a comparison.
  if (sign !== undefined) return sign === '-' ? -Number.MAX_VALUE : Number.MAX_VALUE
  if (!isText || !spelling.test(value))
    throw failure.valueInvalid('double precision', shown(value), 'Send a number, such as 0.25.')
  const parsed = Number(value) || 0
  if (!Number.isFinite(parsed))
    throw failure.valueOutOfRange('double precision', shown(value), 'Send a smaller number.')
  return parsed
}

/** As PostgreSQL writes a double: `1e+15`, `1e-05`, and without an exponent in between. */
export function numberText(value: number): string {
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  // JavaScript uses no exponent in this range either.
  if (exponent >= -4 && exponent < 15) return String(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Without the digits that depend on the order of addition. */
export const roundedNumber = (value: number): number => Number(value.toPrecision(15))
