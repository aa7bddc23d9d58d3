import { CastError } from './cast-error.ts'
import type { Casts } from './column-type.ts'
import { scaledText } from './exact.ts'

/** What an exact number can be cast to. */
export const exactCastNames = ['smallint', 'integer', 'bigint', 'numeric', 'double precision', 'text', 'char'] as const

/** The same for SQLite, by the SQL for its digits. */
export const exactCasts = (digits: string): Readonly<Record<(typeof exactCastNames)[number], string>> => ({
  smallint: `cast(cast_numeric('smallint', ${digits}) as integer)`,
  integer: `cast(cast_numeric('integer', ${digits}) as integer)`,
  bigint: `cast(cast_numeric('bigint', ${digits}) as integer)`,
  numeric: digits,
  'double precision': `cast_numeric('double precision', ${digits})`,
  text: digits,
  char: `substr(${digits}, 1, 1)`,
})

/** The same for a double. */
export const doubleCasts: Casts = {
  smallint: "cast(cast_double('smallint', $) as integer)",
  integer: "cast(cast_double('integer', $) as integer)",
  bigint: "cast(cast_double('bigint', $) as integer)",
  numeric: "cast_double('numeric', $)",
  text: 'number_text($)',
  char: 'substr(number_text($), 1, 1)',
}

const integerBits = { smallint: 15n, integer: 31n, bigint: 63n } as const
export type IntegerName = keyof typeof integerBits

/** The digits of an integer that has the range of a type. */
export function integerDigits(value: bigint, type: IntegerName): string {
  const overflow = value >> integerBits[type]
  if (overflow !== 0n && overflow !== -1n) throw new CastError('out of range', type)
  return String(value)
}

/** All digits of a number, and how many of them come after the point. */
export interface Numeric {
  readonly digits: bigint
  readonly scale: number
}

/** `1.50e1` → 15.0 */
export function digitsOf(text: string): Numeric {
  const [, sign = '', before = '', behind = '', exponent = '0'] =
    /^\s*([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i.exec(text) ?? []
  const scale = behind.length - Number(exponent)
  const digits = BigInt(before + behind + '0'.repeat(Math.max(0, -scale)))
  return { digits: sign === '-' ? -digits : digits, scale: Math.max(0, scale) }
}

/** `+1.50e1` → `15.0`, as PostgreSQL writes a numeric */
export function numericText(text: string): string {
  const { digits, scale } = digitsOf(text)
  return scaledText(String(digits), scale)
}

/** For SQLite, which calls these by the names of the types. */
export const castNumeric = (type: IntegerName | 'double precision', numeric: string): string | number =>
  type === 'double precision' ? Number(numeric) : integerOfNumeric(numeric, type)

export const castDouble = (type: IntegerName | 'numeric', value: number): string =>
  type === 'numeric' ? numericOfDouble(value) : integerOfDouble(value, type)

/** Rounds half away from zero, as PostgreSQL does. */
function integerOfNumeric(numeric: string, type: IntegerName): string {
  const { digits, scale } = digitsOf(numeric)
  const unit = 10n ** BigInt(scale)
  const half = (digits < 0n ? -unit : unit) / 2n
  return integerDigits((digits + half) / unit, type)
}

/** Rounds half to even, as processors do. */
function integerOfDouble(value: number, type: IntegerName): string {
  const below = Math.floor(value)
  const isHalf = value - below === 0.5
  return integerDigits(BigInt(isHalf ? below + (Math.abs(below) % 2) : Math.round(value)), type)
}

/** The 15 digits that PostgreSQL is sure of. */
const numericOfDouble = (value: number): string => numericText(String(Number(value.toPrecision(15))))

/** `-1.50` → a text that sorts as the number does, and is the same for `-1.5`. */
export function numericKey(numeric: string): string {
  const [, sign = '', whole = '', digits = ''] = /^(-?)0*(\d*)\.?(\d*)$/.exec(numeric) ?? []
  const fraction = withoutLastZeros(digits)
  if (whole + fraction === '') return '1'
  const key = `${String(whole.length).padStart(4, '0')}${whole}.${fraction}`
  // Negative: complement the digits, so that larger magnitudes sort first.
  return sign === '' ? `2${key}` : `0${key.replace(/\d/g, (digit) => String(9 - Number(digit)))}:`
}

/** A loop, because `0*$` would be tried at each zero of a long text. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
