import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Codes by time (RFC 6238), as authenticator apps make them: six digits, a new one every 30 seconds. */
const periodMs = 30_000
const digits = 6

/** The number of the period that a code belongs to; null for a wrong code. The periods before and after now count, as clocks differ. */
export function stepOf(secret: string, code: string, now = Date.now()): number | null {
  const current = Math.floor(now / periodMs)
  const steps = [current - 1, current, current + 1]
  // All three are compared, so that the time tells nothing.
  return steps.filter((step) => isEqual(codeOf(secret, step), code)).at(-1) ?? null
}

export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(at) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

function isEqual(right: string, sent: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(sent)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A key of 140 random bits. better-auth takes the key as text, so each of its 20 bytes has seven of them. */
export const makeTotpSecret = (): string => String.fromCharCode(...randomBytes(20).map((byte) => byte & 127))

const issuer = 'Project API'

/** What the QR code says: the key and whose it is. */
export function totpUri(secret: string, email: string): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer, digits: String(digits), period: '30' })
  // Authenticator apps show a "+" as it is.
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${String(query).replaceAll('+', '%20')}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The key as people type it. 20 bytes are 32 characters. */
export function base32(secret: string): string {
  const bits = [...Buffer.from(secret)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}
