import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** What the device does otherwise than it should. */
interface Twist {
  readonly challenge?: string
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly counter?: number
  /** That of another passkey. */
  readonly id?: string
  /** The format of what the maker of the device says of it. */
  readonly attestation?: string
}

interface Key {
  readonly id: string
  readonly privateKey: KeyObject
  readonly userHandle: string
  counter: number
}

/** A device with passkeys, and the browser in front of it: what they hand to the page, as JSON. */
export class PasskeyDevice {
  private readonly keys: Key[] = []

  constructor(private readonly origin: string) {}

  create({ challenge, rp, user }: CreationOptions, twist: Twist = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { id: twist.id ?? base64(randomBytes(16)), privateKey, userHandle: user.id, counter: 0 }
    this.keys.push(key)
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const id = Buffer.from(key.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, encode(cose)])
    const authData = Buffer.concat([this.head(rp.id, key, 0x40, twist), credential])
    const attestation = new Map<string, CborValue>([
      ['fmt', twist.attestation ?? 'none'],
      ['attStmt', new Map(twist.attestation === undefined ? [] : [['sig', randomBytes(64)]])],
      ['authData', authData],
    ])
    const response = {
      clientDataJSON: base64(this.clientData('webauthn.create', challenge, twist)),
      attestationObject: base64(encode(attestation)),
      transports: ['internal', 'hybrid'],
    }
    return credentialOf(key, response)
  }

  /** Signs in with the passkey of this number; the last one by default. */
  get({ challenge, rpId }: RequestOptions, twist: Twist = {}, at = -1) {
    const key = this.keys.at(at)
    if (!key) throw new Error('The device has no passkey')
    key.counter = twist.counter ?? key.counter + 1
    const clientData = this.clientData('webauthn.get', challenge, twist)
    const authData = this.head(rpId, key, 0, twist)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), key.privateKey)
    return credentialOf(key, {
      clientDataJSON: base64(clientData),
      authenticatorData: base64(authData),
      signature: base64(signature),
      userHandle: key.userHandle,
    })
  }

  private clientData(type: string, challenge: string, { challenge: other = challenge, origin = this.origin }: Twist) {
    return Buffer.from(JSON.stringify({ type, challenge: other, origin, crossOrigin: false }))
  }

  private head(rpId: string, { counter }: Key, more: number, { rpId: other = rpId, isVerified = true }: Twist) {
    const head = Buffer.alloc(37)
    sha256(other).copy(head)
    head[32] = 0x01 | (isVerified ? 0x04 : 0) | more
    head.writeUInt32BE(counter, 33)
    return head
  }
}

const credentialOf = <Response extends object>({ id }: Key, response: Response) => ({
  ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
  response,
})

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64 = (bytes: Buffer): string => bytes.toString('base64url')

type CborValue = number | string | Buffer | Map<number | string, CborValue>

/** As much of CBOR (RFC 8949) as WebAuthn takes. */
function encode(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? start(1, -1 - value) : start(0, value)
  if (typeof value === 'string') return Buffer.concat([start(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([start(2, value.length), value])
  return Buffer.concat([start(5, value.size), ...[...value].flat().map(encode)])
}

function start(major: number, size: number): Buffer {
  const first = major << 5
  return size < 24
    ? Buffer.from([first | size])
    : size < 256
      ? Buffer.from([first | 24, size])
      : Buffer.from([first | 25, size >> 8, size & 255])
}
