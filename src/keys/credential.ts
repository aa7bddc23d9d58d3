import type { Access, Narrowing } from './narrowing.ts'

export type { Access }

export interface Credential extends Narrowing {
  readonly id: string
  readonly companyId: string
  readonly name: string
  readonly apiKey: string
  readonly access: Access
  readonly createdAt: string
  /** An e-mail address, or `command line`; null for old credentials, for which it was not recorded. */
  readonly createdBy: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** When its secret was seen in a browser. */
  readonly exposedAt: string | null
  /** `100/s`; null if it has no limit of its own. */
  readonly rateLimit: string | null
}

type State = 'active' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt }: Pick<Credential, 'revokedAt' | 'expiresAt'>, now: Date): State {
  if (revokedAt) return 'revoked'
  return expiresAt && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active'
}

/** A credential as JSON: for the settings page and from the command line. */
export function credentialDocument(credential: Credential, now: Date) {
  const { id, name, apiKey, access, createdAt, createdBy, expiresAt, revokedAt, exposedAt, rateLimit } = credential
  const { resources, may, addresses } = credential
  return {
    id,
    name,
    api_key: apiKey,
    access,
    resources,
    may,
    addresses,
    created_at: createdAt,
    created_by: createdBy,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    exposed_at: exposedAt,
    rate_limit: rateLimit,
    state: stateOf(credential, now),
  }
}

export type CredentialDocument = Readonly<ReturnType<typeof credentialDocument>>
