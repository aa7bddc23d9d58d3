import { failure } from '../errors/index.ts'
import { counted, exactAggregates, same } from './aggregate-results.ts'
import { exactCastNames, exactCasts } from './cast-number.ts'
import { type ColumnType, nullWords, plainCsv, type Rules, shown } from './column-type.ts'
import { scaledText } from './exact.ts'
import { halvesKey } from './index-key.ts'
import { orderOperators } from './operators.ts'

export const scaleDefault = 2
export const scaleMax = 6

/** An exact number with a fixed number of digits after the decimal point, for example for money. */
export const decimal: ColumnType<'number'> = { ...decimalOf(scaleDefault), withRules }

const known = Array.from({ length: scaleMax + 1 }, (_, scale) => decimalOf(scale))

function withRules({ scale = scaleDefault }: Rules): ColumnType<'number'> {
  const type = known[scale]
  if (!type) throw new Error(`A scale is between 0 and ${scaleMax}, and not ${scale}`)
  return type
}

/** Both engines store an integer: `10.50` with a scale of 2 is 1050. */
function decimalOf(scale: number): ColumnType<'number'> {
  const text = `decimal_text(cast($ as text), ${scale})`
  // Not a division: PostgreSQL would return 16 digits.
  const asNumeric = `($ * ${(10 ** -scale).toFixed(scale)}::numeric)`
  return {
    name: 'numeric',
    castsTo: exactCastNames,
    sqlite: {
      column: 'integer',
      toText: 'cast($ as text)',
      toJson: `json(${text})`,
      casts: exactCasts(text),
      // All of its digits are there: without the point they are the integer.
      fromFields: "cast(replace(nullif($ -> @, 'null'), '.', '') as integer)",
    },
    postgres: {
      column: 'bigint',
      fromFields: "replace($ ->> @, '.', '')::bigint",
      fromText: '$::text::bigint',
      fromOperand: '$::text::numeric',
      listOf: 'numeric',
      toText: '$::text',
      toShown: asNumeric,
      isPlain: false,
    },
    isExact: true,
    jsonSchema: { type: 'number', examples: [Number((10.5).toFixed(Math.min(scale, 2)))] },
    typescript: 'number',
    filterExample: 'gte.10.50',
    operators: orderOperators,
    isWords: nullWords,
    isOrdered: true,
    aggregates: { count: counted, max: same, min: same, ...exactAggregates(scale, asNumeric) },
    isMoment: false,
    compare: compareScaled,
    toJson: (integer) => scaledText(integer, scale),
    toCsv: plainCsv,
    jsonBytesMax: () => 22,
    parse: (value) => parseDecimal(value, scale),
    parseOperand: (operand) => operandText(operand, scale),
    inFiles: {
      kind: 'a number',
      hint: 'Write it as 1234567.50: a point before the decimals, no thousands separators.',
    },
    indexKey: halvesKey,
  }
}

const spelling = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?\s*$/i
const lengthMax = 400
const largest = 2n ** 63n - 1n

/** The digits of a number without the decimal point, and how many of them come after it. */
interface Digits {
  readonly sign: '' | '-'
  readonly digits: string
  readonly scale: number
}

function digitsOf(text: string): Digits | null {
  const [, sign, before = '', behind = '', exponent = '0'] = (text.length <= lengthMax && spelling.exec(text)) || []
  if (sign === undefined || before + behind === '') return null
  return { sign: sign === '-' ? '-' : '', digits: before + behind, scale: behind.length - Number(exponent) }
}

function parseDecimal(value: unknown, scale: number): string {
  if (typeof value === 'number' && Math.abs(value) * 10 ** scale > Number.MAX_SAFE_INTEGER)
    throw failure.valueOutOfRange('numeric', shown(value), 'JSON numbers have about 15 digits. Send it as a string.')
  const { sign, whole, rest } = scaledParts(value, scale)
  // Rounds half away from zero, as PostgreSQL does.
  const magnitude = whole + (/^[5-9]/.test(rest) ? 1n : 0n)
  if (magnitude > largest)
    throw failure.valueOutOfRange('numeric', shown(value), `Send at most ${scaledText(String(largest), scale)}.`)
  return String(sign === '-' ? -magnitude : magnitude)
}

/** An operand between two storable values becomes the half between them, so that it equals neither. */
function operandText(text: string, scale: number): string {
  const { sign, whole, rest } = scaledParts(text, scale)
  const isBetween = /[1-9]/.test(rest)
  if (whole === 0n && !isBetween) return '0'
  return `${sign}${whole > largest ? largest + 1n : whole}${isBetween ? '.5' : ''}`
}

/** `10.567` with a scale of 2 → the whole units 1056 and the remaining digits `7`. */
function scaledParts(value: unknown, scale: number) {
  const found = typeof value === 'number' || typeof value === 'string' ? digitsOf(String(value)) : null
  if (!found) throw failure.valueInvalid('numeric', shown(value), 'Send a number, such as 10.50.')
  const behind = found.scale - scale
  const digits = behind > 0 ? found.digits.padStart(behind, '0') : found.digits + '0'.repeat(-behind)
  const end = digits.length - Math.max(behind, 0)
  return { sign: found.sign, whole: BigInt(digits.slice(0, end) || '0'), rest: digits.slice(end) }
}

/** Compares twice the values, so that halves are integers. */
function compareScaled(one: string, other: string): number {
  const difference = doubled(one) - doubled(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function doubled(text: string): bigint {
  const [whole = '0', half] = text.split('.')
  const twice = BigInt(whole === '-' ? '0' : whole) * 2n
  return half === undefined ? twice : text.startsWith('-') ? twice - 1n : twice + 1n
}
