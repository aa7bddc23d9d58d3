import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import { failure } from '../errors/index.ts'

/**
 * A new passkey without what its maker says of it. Nobody asks for that, and to check it, the library would fetch what the
 * certificates in it point to, from any address.
 */
export function withoutAttestation(attestationObject: string): string {
  try {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
    const plain = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return isoBase64URL.fromBuffer(isoCBOR.encode(plain))
  } catch {
    throw failure.passkeyWrong()
  }
}
