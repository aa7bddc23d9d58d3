import { type Credential, stateOf } from '../keys/credentials.ts'
import {
  countBySecret,
  countEachByDay,
  type LastUse,
  listLastUses,
  listLiveSecrets,
  type Reports,
  type Which,
} from '../keys/report.ts'
import { sql } from '../store/sql.ts'

const usageDays = 14
const dayMs = 86_400_000

export async function describeOne(db: Reports, credential: Credential) {
  const [only] = await describe(db, [credential], sql`${credential.id}`)
  return only
}

/** Credentials as the page shows them: how they are, and what they were used for. */
export async function describe(db: Reports, credentials: readonly Credential[], which: Which) {
  const now = new Date()
  const facts = await gather(db, which, now)
  return credentials.map(({ id, name, apiKey, access, ...more }) => ({
    id,
    name,
    api_key: apiKey,
    access,
    created_at: more.createdAt,
    created_by: more.createdBy,
    expires_at: more.expiresAt,
    revoked_at: more.revokedAt,
    exposed_at: more.exposedAt,
    rate_limit: more.rateLimit,
    state: stateOf(more, now),
    last_used: lastUsed(facts.lastUses.get(id) ?? []),
    secrets: (facts.secrets.get(id) ?? []).map((secret) => ({
      id: secret.id,
      created_at: secret.createdAt,
      expires_at: secret.expiresAt,
      last_used_at: facts.lastUses.get(id)?.find(({ secretId }) => secretId === secret.id)?.at ?? null,
      requests_24h: facts.requests.get(secret.id) ?? 0,
    })),
    usage: facts.daysOf(id),
  }))
}

async function gather(db: Reports, which: Which, now: Date) {
  const [secrets, lastUses, daysOf, requests] = await Promise.all([
    listLiveSecrets(db, which, now),
    listLastUses(db, which),
    countEachByDay(db, which, { days: usageDays, now }),
    countBySecret(db, which, new Date(now.getTime() - dayMs)),
  ])
  const owner = ({ credentialId }: { readonly credentialId: string }) => credentialId
  return { secrets: Map.groupBy(secrets, owner), lastUses: Map.groupBy(lastUses, owner), daysOf, requests }
}

/** A request with a key that had ended, or that was mistyped, is no use of the credential. */
function lastUsed(uses: readonly LastUse[]) {
  const last = uses.find(({ code }) => code !== 'invalid_api_key')
  return last ? { at: last.at, address: last.address, user_agent: last.userAgent } : null
}
