import { timingSafeEqual } from 'node:crypto'
import { failure } from '../errors.ts'
import { after, type Soon } from '../soon.ts'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { parsePolicy, type RatePolicy } from '../traffic/rate-policy.ts'
import type { Caller, Scope, Sighting } from './caller.ts'
import { markExposed } from './change.ts'
import type { Access } from './credentials.ts'
import { createMemory } from './memory.ts'
import { digestBytes, isToken, keyStart, looksLikeSecret, makeToken } from './token.ts'

/** Finds out who asks, from the headers of a request alone. Of one that is refused, `sighting` keeps what is known. */
export type Authenticate = (headers: Headers, sighting: Sighting) => Soon<Caller>

/** What a request says of itself. */
interface Claim {
  readonly headers: Headers
  readonly sighting: Sighting
  readonly secret: string | null
  /** The digest of the secret. */
  readonly sent: Uint8Array
  readonly now: number
}

export function createAuthenticate(db: Database): Authenticate {
  const { recall, read } = createMemory(db, readKnown)
  // Takes the place of a secret that was not sent, and fits nobody: a wrong one costs no more time than none.
  const standIns = new Headers({ 'x-api-secret': makeToken('secret') })

  const admit = (credential: Known | null, { headers, sighting, secret, sent, now }: Claim): Soon<Caller> => {
    if (!credential) throw failure.keyInvalid()
    const { id: credentialId, companyId, access, ratePolicy } = credential
    if (credential.endedAt <= now) {
      sighting.ended = { credentialId, companyId }
      throw failure.keyInvalid()
    }
    const opened = findSecret(credential, sent, now)
    const scope = opened ? { companyId } : unscoped(secret)
    // Only browsers send this header, and they send it always.
    const isExposed = headers.has('sec-fetch-site') && secret !== null
    const caller = { credentialId, companyId, secretId: opened?.id ?? null, access, scope, ratePolicy, isExposed }
    if (!isExposed || !opened || credential.wasExposed) return caller
    return markExposed(db, { companyId, id: credentialId }).then(() => caller)
  }

  return (headers, sighting) => {
    const key = parseKey(headers, sighting)
    const secret = headers.get('x-api-secret')
    // To find a header takes longer than not to; so each request finds one, and does not find another.
    const standIn = standIns.get(secret ? 'none' : 'x-api-secret')
    const tried = secret || standIn || ''
    const sent = digestBytes(tried)
    const now = Date.now()
    const known = recall(key, now)
    // A secret that does not fit may be younger than what is remembered: another process may have made it just now.
    const suffices = known !== null && (findSecret(known, sent, now) !== null || !isToken('secret', tried))
    return after(suffices ? known : read(key, now), admit, { headers, sighting, secret, sent, now })
  }
}

/** A repeated header arrives joined by a comma, and so is no token. */
function parseKey(headers: Headers, sighting: Sighting): string {
  const key = headers.get('apikey')
  if (key === null || key === '') throw failure.keyMissing()
  if (looksLikeSecret(key)) throw failure.keyIsSecret()
  sighting.keyStart = keyStart(key)
  const bearer = headers.get('authorization')
  if (bearer !== null && !isBearer(bearer, key)) throw failure.bearerDiffers()
  return key
}

const isBearer = (bearer: string, key: string): boolean =>
  bearer.endsWith(key) && /^bearer +$/i.test(bearer.slice(0, bearer.length - key.length))

interface Known {
  readonly id: string
  readonly companyId: string
  readonly access: Access
  /** When it expires; the beginning of time if it was revoked, whatever the clocks of others say. */
  readonly endedAt: number
  readonly wasExposed: boolean
  readonly ratePolicy: RatePolicy | null
  readonly secrets: readonly Secret[]
}

interface Secret {
  readonly id: string
  readonly digest: Uint8Array
  readonly endedAt: number
}

async function readKnown(db: Database, key: string): Promise<Known | null> {
  if (!isToken('key', key)) return null
  const rows = await db.read(sql`
    select c.id, c.company_id, c.access, c.expires_at, c.revoked_at, c.exposed_at, s.id, s.digest, s.expires_at,
      c.rate_limit
    from credential c left join credential_secret s on s.credential_id = c.id
    where c.api_key = ${key}`)
  const [first] = rows
  if (!first) return null
  const [id, companyId, access, expiresAt, revokedAt, exposedAt] = first as string[]
  return {
    id: id ?? '',
    companyId: companyId ?? '',
    access: access === 'read' ? 'read' : 'read-write',
    endedAt: revokedAt ? 0 : timeOf(expiresAt),
    wasExposed: exposedAt !== null,
    ratePolicy: first[9] == null ? null : parsePolicy(String(first[9])),
    secrets: rows.map((row) => ({
      id: String(row[6]),
      digest: Buffer.from(String(row[7] ?? ''), 'hex'),
      endedAt: timeOf(row[8] as string | null),
    })),
  }
}

const timeOf = (text: string | null | undefined): number => (text ? Date.parse(text) : Number.POSITIVE_INFINITY)

function findSecret({ secrets }: Known, sent: Uint8Array, now: number): Secret | null {
  for (const secret of secrets) if (secret.endedAt > now && equal(secret.digest, sent)) return secret
  return null
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

const unscoped = (secret: string | null): Scope => ({
  companyId: null,
  reason: secret === null || secret === '' ? 'secret_missing' : 'secret_mismatch',
})
