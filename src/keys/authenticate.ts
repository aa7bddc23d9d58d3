import { failure } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import { after, type Soon } from '../store/soon.ts'
import { createLane, type Lane } from '../traffic/lane.ts'
import type { Caller, Scope, Sighting } from './caller.ts'
import { markExposed } from './change.ts'
import { joinedSecret, joinTokens, onlySecret } from './joined.ts'
import { findSecret, type Known, readKnown, type Secret } from './known.ts'
import { createMemory, rememberedMs } from './memory.ts'
import { digestBytes, isToken, keyStart, looksLikeSecret, makeToken } from './token.ts'

/** What the headers of a request say of its sender, and what is known of it before anything is looked up. */
export interface Claim {
  readonly headers: Headers
  /** As they were sent: each may be the key with the secret behind it. */
  readonly apikey: string | null
  readonly bearer: string | null
  readonly key: string | null
  readonly secret: string | null
  /** The secret, or something in its place, and the digest of that. */
  readonly tried: string
  readonly sent: Uint8Array
  /** The credential as it was when last read, however long ago, and which of its secrets was sent. */
  readonly known: Known | null
  readonly opened: Secret | null
}

/** Finds out who asks, from the headers of a request alone. */
export interface Authenticate {
  /** `sighting` collects what is known of a refused sender. The look-up is queued as `who`'s. */
  (claim: Claim, who: string, sighting: Sighting): Soon<Caller>
  /** Costs little and refuses nobody. */
  read(headers: Headers): Claim
  /** The caller as it is now: what was read within the last second, or `readMsMax`, and not changed here since counts as such. */
  confirm(key: string, caller: Caller, readMsMax?: number): Soon<Caller>
  readonly lookUps: Pick<Lane, 'load'>
}

/** Look-ups that may wait, half of them for one network: far more than there are where nobody makes keys up. */
const lookUpsMax = 2000

export function createAuthenticate(db: Database): Authenticate {
  const { recall, isUnknown, read } = createMemory(db, readKnown)
  const lane = createLane(lookUpsMax)
  // Takes the place of a secret that was not sent, and fits nobody: a wrong one costs no more time than none.
  const standIns = new Headers({ 'x-api-secret': makeToken('secret') })

  const readClaim = (headers: Headers): Claim => {
    const apikey = headers.get('apikey')
    const bearer = headers.get('authorization')
    const joined = joinedSecret(apikey)
    const key = joined === null || apikey === null ? apikey : apikey.slice(0, -joined.length - 1)
    const secret = onlySecret(headers.get('x-api-secret'), joined ?? joinedSecret(bearer))
    // Constant time: every request looks up one present and one absent header.
    const standIn = standIns.get(secret ? 'none' : 'x-api-secret')
    const tried = secret || standIn || ''
    const sent = digestBytes(tried)
    const known = key === null ? null : recall(key, Number.NEGATIVE_INFINITY)
    const opened = known && findSecret(known, sent, Date.now())
    return { headers, apikey, bearer, key, secret, tried, sent, known, opened }
  }

  const authenticate = (claim: Claim, who: string, sighting: Sighting): Soon<Caller> => {
    const key = parseKey(claim, sighting)
    const now = performance.now()
    const recent = recall(key, now - rememberedMs)
    // A secret that does not fit may be younger than what is remembered: another process may have made it just now.
    const suffices = recent !== null && (openedBy(recent, claim) !== null || !isToken('secret', claim.tried))
    if (suffices) return admit(recent, { claim, sighting })
    if (!isToken('key', key) || isUnknown(key, now - rememberedMs)) throw failure.keyInvalid()
    return lookUp(key, who, now).then((known) => admit(known, { claim, sighting }))
  }

  /** Whoever waited for somebody else's look-up of the same key needs none of its own. */
  const lookUp = (key: string, who: string, askedAt: number): Promise<Known | null> =>
    lane(who, async () => recall(key, askedAt) ?? (isUnknown(key, askedAt) ? null : read(key)))

  const admit = (known: Known | null, { claim, sighting }: Asked): Soon<Caller> => {
    if (!known) throw failure.keyInvalid()
    const { id: credentialId, companyId, access, rights, ratePolicy, fieldsVersion, actor } = known
    if (known.endedAt <= Date.now()) {
      sighting.ended = { credentialId, companyId }
      throw failure.keyInvalid()
    }
    const opened = openedBy(known, claim)
    if (opened && known.isCompanyEnding) {
      sighting.ended = { credentialId, companyId }
      throw failure.companyDeleted()
    }
    const scope = opened ? { companyId } : unscoped(claim.secret)
    // Only browsers send this header, and they send it always.
    const isExposed = claim.headers.has('sec-fetch-site') && claim.secret !== null
    const secretId = opened?.id ?? null
    const caller = {
      credentialId,
      companyId,
      secretId,
      access,
      rights,
      scope,
      fieldsVersion,
      ratePolicy,
      actor,
      isExposed,
    }
    if (!isExposed || !opened || known.wasExposed) return caller
    return markExposed(db, { companyId, id: credentialId }).then(() => caller)
  }

  const confirm = (key: string, caller: Caller, readMsMax = rememberedMs): Soon<Caller> => {
    const now = performance.now()
    return after(recall(key, now - readMsMax) ?? lookUp(key, caller.companyId, now), asNow, caller)
  }

  return Object.assign(authenticate, { read: readClaim, confirm, lookUps: { load: lane.load } })
}

interface Asked {
  readonly claim: Claim
  readonly sighting: Sighting
}

/** A repeated header arrives joined by a comma, and so is no token. */
function parseKey({ apikey, bearer, key }: Claim, sighting: Sighting): string {
  if (apikey === null || key === null || key === '') throw failure.keyMissing()
  if (looksLikeSecret(key)) throw failure.keyIsSecret()
  sighting.keyStart = keyStart(key)
  if (bearer !== null && !isBearer(bearer, key) && !isJoinedBearer(bearer, key, apikey)) throw failure.bearerDiffers()
  return key
}

/** Whether Authorization has the key and a secret: the same text as in `apikey`, unless that is the key alone. */
function isJoinedBearer(bearer: string, key: string, apikey: string): boolean {
  const joined = joinTokens(key, joinedSecret(bearer) ?? '')
  return isBearer(bearer, joined) && (apikey === key || apikey === joined)
}

const isBearer = (bearer: string, key: string): boolean =>
  bearer.endsWith(key) && /^bearer +$/i.test(bearer.slice(0, bearer.length - key.length))

/** What was found out about the claim need not be found out again, unless the credential was read meanwhile. */
function openedBy(known: Known, { known: knownBefore, opened, sent }: Claim): Secret | null {
  const now = Date.now()
  if (known !== knownBefore) return findSecret(known, sent, now)
  return opened && opened.endedAt > now ? opened : null
}

/** The same caller where nothing has changed; what is left of it where something has. */
function asNow(known: Known | null, caller: Caller): Caller {
  const now = Date.now()
  if (!known || known.endedAt <= now) throw failure.keyInvalid()
  if (known.isCompanyEnding && caller.secretId !== null) throw failure.companyDeleted()
  const isOpen = known.secrets.some(({ id, endedAt }) => id === caller.secretId && endedAt > now)
  if (caller.secretId !== null && !isOpen) return { ...caller, scope: { companyId: null, reason: 'secret_mismatch' } }
  const { access, rights, actor, fieldsVersion } = known
  return { ...caller, access, rights, actor, fieldsVersion }
}

const unscoped = (secret: string | null): Scope => ({
  companyId: null,
  reason: secret === null || secret === '' ? 'secret_missing' : 'secret_mismatch',
})
