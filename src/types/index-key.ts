/** Spellings of numbers that sort as texts like the numbers themselves. */

/** `12` → `p0212`, `-12` → `n9787`: the sign, the number of digits, and the digits. */
export function integerKey(text: string): string {
  const isNegative = text.startsWith('-')
  const digits = isNegative ? text.slice(1) : text
  const sized = String(digits.length).padStart(2, '0') + digits
  return isNegative ? `n${sized.replace(/\d/g, (digit) => String(9 - Number(digit)))}` : `p${sized}`
}

/** The same for a number that may end in `.5`. */
export function halvesKey(text: string): string {
  const [whole = '0', half] = text.split('.')
  const twice = BigInt(whole === '-' || whole === '' ? '0' : whole) * 2n
  return integerKey(String(half === undefined ? twice : text.startsWith('-') ? twice - 1n : twice + 1n))
}

const bits = new DataView(new ArrayBuffer(8))

/** The bits of a double, turned around so that they sort. */
export function doubleKey(text: string): string {
  bits.setFloat64(0, Number(text))
  const raw = bits.getBigUint64(0)
  const sorted = raw >> 63n ? ~raw : raw | (1n << 63n)
  return BigInt.asUintN(64, sorted).toString(16).padStart(16, '0')
}
