import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts secrets before they are stored, with a key that is not in the database. */
export interface Seal {
  /** `of` names what the secret belongs to. It can only be opened for the same. */
  close(secret: string, of: string): string
  /** null if it was sealed with another key, or for something else. */
  open(sealed: string, of: string): string | null
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** A seal that closes with the first key and opens with each of them. A key is derived from any secret text. */
export function createSeal(keyTexts: readonly string[]): Seal {
  const keys = keyTexts.map(keyOf)
  return {
    close: (secret, of) => {
      const [first] = keys
      if (!first) throw new Error('There is no key')
      const iv = randomBytes(ivBytes)
      const encrypt = createCipheriv(cipher, first.key, iv).setAAD(Buffer.from(of))
      const closed = Buffer.concat([iv, encrypt.update(secret, 'utf8'), encrypt.final(), encrypt.getAuthTag()])
      return `1.${first.name}.${closed.toString('base64url')}`
    },
    open: (sealed, of) => {
      const [version, keyName, text = ''] = sealed.split('.')
      const known = version === '1' ? keys.find(({ name }) => name === keyName) : undefined
      return known ? decrypted(Buffer.from(text, 'base64url'), known.key, of) : null
    },
  }
}

function keyOf(text: string): { readonly name: string; readonly key: Uint8Array } {
  const key = new Uint8Array(hkdfSync('sha256', text, '', 'webhook secrets', 32))
  // Tells which key it was, without telling the key.
  return { key, name: createHash('sha256').update(key).digest('hex').slice(0, 8) }
}

function decrypted(closed: Buffer, key: Uint8Array, of: string): string | null {
  try {
    const decrypt = createDecipheriv(cipher, key, closed.subarray(0, ivBytes)).setAAD(Buffer.from(of))
    decrypt.setAuthTag(closed.subarray(-tagBytes))
    return Buffer.concat([decrypt.update(closed.subarray(ivBytes, -tagBytes)), decrypt.final()]).toString('utf8')
  } catch {
    return null
  }
}
