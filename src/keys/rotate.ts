import { failure } from '../errors/index.ts'
import type { Actor } from '../people/audit.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import type { Companies, CompanyStore, Row } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { isUuid } from '../types/uuid.ts'
import { stateOf } from './credential.ts'
import { audited, type CredentialRef, findCredential } from './credentials.ts'
import { forget } from './memory.ts'
import { digest, makeToken } from './token.ts'

/** How long the old secret keeps working beside the new one, by the names that the command line uses. */
export const graces = { '0': 0, '1h': 3600, '24h': 86_400, '7d': 604_800 } as const
export type GraceSeconds = (typeof graces)[keyof typeof graces]

/** The one in use, and the one to change to. */
const liveMax = 2

/** Creates a new secret for a credential and returns it, the only time it is shown. The old one works until the grace period or its own expiry ends. */
export async function rotateCredential(
  db: Companies,
  ref: CredentialRef,
  { graceSeconds, by }: { readonly graceSeconds: GraceSeconds; readonly by: Actor },
): Promise<{ readonly apiSecret: string; readonly secretId: string }> {
  const { name, apiKey, expiresAt } = await findCredential(db, ref)
  const now = new Date()
  const created = timestampText(now)
  const graceEnd = Math.min(now.getTime() + graceSeconds * 1000, expiresAt ? Date.parse(expiresAt) : Number.MAX_VALUE)
  const ends = timestampText(new Date(graceEnd))
  const apiSecret = makeToken('secret')
  const secretId = Bun.randomUUIDv7()
  const { id } = ref
  const own = db.forCompany(ref.companyId)
  await own.transact(
    [
      lockedState(own, id),
      liveSecrets(id, created),
      sql`update credential_secret set expires_at = ${ends}
          where credential_id = ${id} and (expires_at is null or expires_at > ${ends})`,
      // Deleted, because an instance whose clock is behind would still accept a secret that ends now.
      sql`delete from credential_secret where credential_id = ${id} and expires_at <= ${created}`,
      sql`insert into credential_secret (credential_id, id, digest, created_at)
          values (${id}, ${secretId}, ${digest(apiSecret)}, ${created})`,
      audited(by, 'rotated', { ...ref, name }, { secret_id: secretId, grace_seconds: graceSeconds }),
    ],
    ([state, live = []]) => {
      refuseEnded(state?.[0], now)
      // Without a grace period, all of them end.
      if (live.length >= liveMax && graceSeconds > 0) throw failure.twoSecretsLive()
    },
  )
  forget(db, apiKey)
  return { apiSecret, secretId }
}

/** Ends one of two live secrets before it expires. The other one no longer expires by itself, even if it is the old one. */
export async function endSecret(db: Companies, ref: CredentialRef, secretId: string, by: Actor): Promise<void> {
  const { name, apiKey } = await findCredential(db, ref)
  if (!isUuid(secretId)) throw failure.secretUnknown()
  const now = new Date()
  const own = db.forCompany(ref.companyId)
  await own.transact(
    [
      lockedState(own, ref.id),
      liveSecrets(ref.id, timestampText(now)),
      sql`delete from credential_secret where credential_id = ${ref.id} and id = ${secretId}`,
      sql`update credential_secret set expires_at = null where credential_id = ${ref.id} and expires_at > ${timestampText(now)}`,
      audited(by, 'secret_ended', { ...ref, name }, { secret_id: secretId }),
    ],
    ([state, live = []]) => {
      refuseEnded(state?.[0], now)
      if (!live.some(([id]) => id === secretId)) throw failure.secretUnknown()
      if (live.length === 1) throw failure.lastSecret()
    },
  )
  forget(db, apiKey)
}

/** Locks the credential and its secrets until the transaction ends. Every change starts with this lock. */
const lockedState = (own: CompanyStore, id: string): Sql =>
  sql`select revoked_at, expires_at from ${companyRows('credential', own)} and id = ${id}${own.dialect.forUpdate}`

const liveSecrets = (credentialId: string, now: string): Sql =>
  sql`select id from credential_secret where credential_id = ${credentialId} and (expires_at is null or expires_at > ${now})`

function refuseEnded([revokedAt, expiresAt]: Row = [], now: Date): void {
  const state = stateOf({ revokedAt: textOf(revokedAt), expiresAt: textOf(expiresAt) }, now)
  if (state !== 'active') throw failure.credentialEnded(state)
}

const textOf = (value: Row[number] | undefined): string | null => (typeof value === 'string' ? value : null)
