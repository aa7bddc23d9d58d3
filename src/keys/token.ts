import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const checksumLength = 6

/** The key names the application and can be shown again. The secret opens its company and is shown once. */
const kinds = { key: kindOf('pak_', 32), secret: kindOf('pas_', 43) }
export type TokenKind = keyof typeof kinds

/** The index of credentials by the start of their key has the same number. */
export const keyStartLength = 12

export function makeToken(kind: TokenKind): string {
  const { prefix, length } = kinds[kind]
  const body = prefix + randomText(length)
  return body + checksum(body)
}

/** Whether a text has the form of a token and a valid checksum. Such a token need not exist. */
export function isToken(kind: TokenKind, text: string): boolean {
  return kinds[kind].pattern.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength)))
}

export const looksLikeSecret = (text: string): boolean => text.startsWith(kinds.secret.prefix)

/** `pak_1a2B3c4D…` → its first letters: enough to find the credential that was meant, and too few to guess the rest. */
export const keyStart = (text: string): string | null =>
  text.startsWith(kinds.key.prefix) && text.length >= keyStartLength ? text.slice(0, keyStartLength) : null

/** The stored form of a secret. It is long and random, so a plain hash cannot be reversed. */
export const digest = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

export function digestBytes(secret: string): Uint8Array {
  const bytes = new Uint8Array(32)
  Bun.SHA256.hash(secret, bytes)
  return bytes
}

function kindOf(prefix: string, length: number) {
  return { prefix, length, pattern: new RegExp(`^${prefix}[0-9A-Za-z]{${length + checksumLength}}$`) }
}

/** Bytes from 248 on are dropped: they would make the first letters of the alphabet slightly more likely. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let at = 0; at < checksumLength; at += 1) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
