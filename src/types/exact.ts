/** `-1050` with a scale of 2 → `-10.50` */
export function scaledText(integer: string, scale: number): string {
  if (scale === 0) return integer
  const isNegative = integer.startsWith('-')
  const digits = (isNegative ? integer.slice(1) : integer).padStart(scale + 1, '0')
  return `${isNegative ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const billion = 1_000_000_000n

const whole = (billions: string, below: string): bigint => BigInt(billions) * billion + BigInt(below)

export const exactSum = (billions: string, below: string, scale: number): string =>
  scaledText(String(whole(billions, below)), scale)

export function exactAverage(billions: string, below: string, count: number, scale: number): string {
  const sum = whole(billions, below)
  const shownScale = quotientScale(sum, scale, count)
  return scaledText(String(divide(sum * 10n ** BigInt(shownScale - scale), BigInt(count))), shownScale)
}

/** Rounds half away from zero. */
function divide(dividend: bigint, divisor: bigint): bigint {
  const [quotient, rest] = [dividend / divisor, dividend % divisor]
  const isUp = (rest < 0n ? -rest : rest) * 2n >= divisor
  return isUp ? quotient + (dividend < 0n ? -1n : 1n) : quotient
}

/** PostgreSQL returns at least 16 significant digits of a quotient, counted in groups of four. */
function quotientScale(dividend: bigint, scale: number, divisor: number): number {
  const one = firstGroup(dividend, scale)
  const other = firstGroup(BigInt(divisor), 0)
  const place = one.place - other.place - (one.digits <= other.digits ? 1 : 0)
  return Math.max(16 - place * 4, scale, 0)
}

/** The first group of four digits that is not zero, and the number of groups between it and the decimal point. */
function firstGroup(integer: bigint, scale: number): { readonly digits: number; readonly place: number } {
  if (integer === 0n) return { digits: 0, place: 0 }
  const [before = '', after = ''] = scaledText(String(integer < 0n ? -integer : integer), scale).split('.')
  const groups =
    before.padStart(Math.ceil(before.length / 4) * 4, '0') + after.padEnd(Math.ceil(after.length / 4) * 4, '0')
  const first = Math.floor(groups.search(/[1-9]/) / 4)
  return { digits: Number(groups.slice(first * 4, first * 4 + 4)), place: Math.ceil(before.length / 4) - 1 - first }
}
