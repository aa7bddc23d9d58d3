import { failure } from '../errors/index.ts'
import { counted, same } from './aggregate-results.ts'
import { type AggregateRule, asItIs, type ColumnType, nullWords, shown } from './column-type.ts'
import { comparing } from './operators.ts'

/** A double. Whoever needs exact digits takes `decimal`. */
export const number: ColumnType<'number'> = {
  name: 'double precision',
  sqlite: {
    column: 'real',
    toText: 'number_text($)',
    toJson: 'json(number_text($))',
    casts: { text: 'number_text($)' },
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
  operators: comparing,
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
    // Of numbers that are no larger, no sum of as many rows as there can be is without end.
    if (Math.abs(parsed) > largest)
      throw failure.valueOutOfRange(
        'double precision',
        shown(value),
        `Send a number between -${largest} and ${largest}.`,
      )
    return numberText(parsed)
  },
  parseOperand: (operand) => numberText(parseNumber(operand)),
}

const largest = 1e300

/** The engines add in different orders: what they agree on are 15 digits, which PostgreSQL keeps in this cast. */
function rounded(aggregate: 'sum' | 'avg'): AggregateRule {
  return { result: 'same', sqlite: `rounded_number(${aggregate}($))`, postgres: `${aggregate}($)::numeric::float8` }
}

const spelling = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i
const endless = /^\s*([+-]?)inf(?:inity)?\s*$/i
const lengthMax = 400

function parseNumber(value: unknown): number {
  if (typeof value === 'number') return value || 0
  const isText = typeof value === 'string' && value.length <= lengthMax
  const [, sign] = (isText && endless.exec(value)) || []
  // Beyond everything that is stored.
  if (sign !== undefined) return sign === '-' ? -Number.MAX_VALUE : Number.MAX_VALUE
  if (!isText || !spelling.test(value))
    throw failure.valueInvalid('double precision', shown(value), 'Send a number, such as 0.25.')
  const parsed = Number(value) || 0
  if (!Number.isFinite(parsed))
    throw failure.valueOutOfRange('double precision', shown(value), 'Send a smaller number.')
  return parsed
}

/** As PostgreSQL spells a double: `1e+15`, `1e-05`, and otherwise without an exponent. */
export function numberText(value: number): string {
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 15) return plainText(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** From 0.0001 on, and below 10¹⁵, JavaScript uses no exponent either. */
const plainText = (value: number): string => String(value)

/** What is left of a sum when the digits are gone that depend on the order of adding. */
export const roundedNumber = (value: number): number => Number(value.toPrecision(15))
