import { timingSafeEqual } from 'node:crypto'
import { failure } from '../errors.ts'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import type { Caller, Scope } from './caller.ts'
import { type Access, markExposed } from './credentials.ts'
import { digest, isToken, looksLikeSecret } from './token.ts'

/** Finds out who asks, from the headers of a request alone. */
export type Authenticate = (headers: Headers) => Promise<Caller>

/** How long a server elsewhere may be trusted not to have revoked a credential that was just read from it. */
const rememberedMs = 1000
const rememberedMax = 10_000

export function createAuthenticate(db: Database): Authenticate {
  const find = db.dialect.name === 'sqlite' ? findCredential : remembering(findCredential)

  return async (headers) => {
    const key = parseKey(headers)
    const credential = await find(db, key)
    if (!credential || credential.endedAt <= Date.now()) throw failure.keyInvalid()
    const secret = headers.get('x-api-secret')
    const scope = scopeOf(credential, secret)
    // Only browsers send this header, and they send it always.
    const isExposed = secret !== null && headers.has('sec-fetch-site')
    if (isExposed && scope.companyId !== null) await markExposed(db, credential.id)
    return { credentialId: credential.id, companyId: credential.companyId, access: credential.access, scope, isExposed }
  }
}

/** A repeated header arrives joined by a comma, and so is no token. */
function parseKey(headers: Headers): string {
  const key = headers.get('apikey')
  if (key === null || key === '') throw failure.keyMissing()
  if (looksLikeSecret(key)) throw failure.keyIsSecret()
  const bearer = headers.get('authorization')
  if (bearer !== null && /^bearer +(\S+)$/i.exec(bearer)?.[1] !== key) throw failure.bearerDiffers()
  if (!isToken('key', key)) throw failure.keyInvalid()
  return key
}

interface Known {
  readonly id: string
  readonly companyId: string
  readonly access: Access
  /** Of its expiry or its revocation, whichever comes first. */
  readonly endedAt: number
  readonly secrets: readonly { readonly digest: Buffer; readonly endedAt: number }[]
}

async function findCredential(db: Database, key: string): Promise<Known | null> {
  const rows = await db.read(sql`
    select c.id, c.company_id, c.access, c.expires_at, c.revoked_at, s.digest, s.expires_at
    from credential c left join credential_secret s on s.credential_id = c.id
    where c.api_key = ${key}`)
  const [first] = rows
  if (!first) return null
  const [id, companyId, access, expiresAt, revokedAt] = first as string[]
  return {
    id: id ?? '',
    companyId: companyId ?? '',
    access: access === 'read' ? 'read' : 'read-write',
    endedAt: Math.min(timeOf(expiresAt), timeOf(revokedAt)),
    secrets: rows.map((row) => ({
      digest: Buffer.from(String(row[5] ?? ''), 'hex'),
      endedAt: timeOf(row[6] as string | null),
    })),
  }
}

const timeOf = (text: string | null | undefined): number => (text ? Date.parse(text) : Number.POSITIVE_INFINITY)

function scopeOf({ companyId, secrets }: Known, secret: string | null): Scope {
  if (secret === null || secret === '') return { companyId: null, reason: 'secret_missing' }
  const sent = Buffer.from(digest(secret), 'hex')
  const now = Date.now()
  const opens = isToken('secret', secret) && secrets.some((known) => known.endedAt > now && equal(known.digest, sent))
  return opens ? { companyId } : { companyId: null, reason: 'secret_mismatch' }
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

type Find = typeof findCredential

/** Remembers what was found, for a moment: on a server it would otherwise cost every request a second round trip. */
function remembering(find: Find): Find {
  const remembered = new Map<string, { readonly credential: Known; readonly until: number }>()
  return async (db, key) => {
    const askedAt = Date.now()
    const known = remembered.get(key)
    if (known && known.until > askedAt) return known.credential
    const credential = await find(db, key)
    remembered.delete(key)
    if (!credential) return null
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, { credential, until: askedAt + rememberedMs })
    return credential
  }
}
