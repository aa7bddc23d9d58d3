import { type Credential, credentialDocument } from '../keys/credential.ts'
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
import type * as documents from './documents/credentials.ts'

const usageDays = 14
const dayMs = 86_400_000

export async function describeOne(db: Reports, credential: Credential): Promise<documents.Credential> {
  return documentOf(credential, await gather(db, sql`${credential.id}`, new Date()))
}

/** Credentials as the page shows them: their state and their use. */
export async function describe(
  db: Reports,
  credentials: readonly Credential[],
  which: Which,
): Promise<documents.Credential[]> {
  const facts = await gather(db, which, new Date())
  return credentials.map((credential) => documentOf(credential, facts))
}

type Facts = Awaited<ReturnType<typeof gather>>

function documentOf(credential: Credential, { now, secrets, lastUses, requests, daysOf }: Facts): documents.Credential {
  const { id } = credential
  const uses = lastUses.get(id) ?? []
  const counts = requests.get(id) ?? []
  return {
    ...credentialDocument(credential, now),
    last_used: lastUsed(uses),
    secrets: (secrets.get(id) ?? []).map((secret) => ({
      id: secret.id,
      created_at: secret.createdAt,
      expires_at: secret.expiresAt,
      last_used_at: uses.find(({ secretId }) => secretId === secret.id)?.at ?? null,
      requests_24h: counts.find(({ secretId }) => secretId === secret.id)?.requests ?? 0,
    })),
    requests_24h: counts.reduce((sum, count) => sum + count.requests, 0),
    usage: daysOf(id),
  }
}

async function gather(db: Reports, which: Which, now: Date) {
  const [secrets, lastUses, daysOf, requests] = await Promise.all([
    listLiveSecrets(db, which, now),
    listLastUses(db, which),
    countEachByDay(db, which, { days: usageDays, now }),
    countBySecret(db, which, new Date(now.getTime() - dayMs)),
  ])
  const owner = ({ credentialId }: { readonly credentialId: string }) => credentialId
  return {
    now,
    secrets: Map.groupBy(secrets, owner),
    lastUses: Map.groupBy(lastUses, owner),
    daysOf,
    requests: Map.groupBy(requests, owner),
  }
}

/** A request with an expired or mistyped key does not count as a use of the credential. */
function lastUsed(uses: readonly LastUse[]) {
  const last = uses.find(({ code }) => code !== 'invalid_api_key')
  return last ? { at: last.at, address: last.address, user_agent: last.userAgent } : null
}
