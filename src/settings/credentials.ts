import { failure } from '../errors/index.ts'
import {
  changeAccess,
  changeExpiry,
  limitCredential,
  type NewAccess,
  renameCredential,
  revokeCredential,
} from '../keys/change.ts'
import {
  type CredentialRef,
  countCredentials,
  createCredential,
  findCredential,
  listNewest,
  newestIds,
} from '../keys/credentials.ts'
import { countEachByHour } from '../keys/report.ts'
import { endSecret, type GraceSeconds, graces, rotateCredential } from '../keys/rotate.ts'
import { parseName } from '../people/parse.ts'
import { parsePolicy } from '../traffic/rate-policy.ts'
import { actorOf, companyOf, ok, reportsOf, type SettingsContext, type SettingsRoute } from './context.ts'
import { hasAccess, parseAccess, parseChangedAccess } from './credential-access.ts'
import { describe, describeOne } from './describe-credentials.ts'
import type * as documents from './documents/credentials.ts'

export const credentialsRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/credentials', role: 'viewer', handle: list },
  { method: 'POST', path: '/api/credentials', role: 'developer', handle: create },
  { method: 'GET', path: '/api/credentials/:id', role: 'viewer', handle: show },
  { method: 'PATCH', path: '/api/credentials/:id', role: 'developer', handle: change },
  { method: 'POST', path: '/api/credentials/:id/rotate', role: 'developer', handle: rotate },
  { method: 'POST', path: '/api/credentials/:id/revoke', role: 'developer', handle: revoke },
  { method: 'DELETE', path: '/api/credentials/:id/secrets/:secret', role: 'developer', handle: end },
]

const shownHours = 48
/** For revoked credentials. The number of the others is limited anyway. */
const revokedMax = 500
const hourMs = 3_600_000
const graceChoices: readonly GraceSeconds[] = Object.values(graces)

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * hourMs)

/** Newest first. `Content-Range` has the total number, because the list leaves out the oldest of many revoked ones. */
async function list(context: SettingsContext) {
  const reports = reportsOf(context)
  const groups = [
    { isRevoked: false, most: context.site.credentialsMax },
    { isRevoked: true, most: revokedMax },
  ]
  const [total, ...described] = await Promise.all([
    countCredentials(reports),
    ...groups.map(async (group) => describe(reports, await listNewest(reports, group), newestIds(reports, group))),
  ])
  const shown = described.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const range = shown.length === 0 ? '*' : `0-${shown.length - 1}`
  const answer = ok<readonly documents.Credential[]>(shown)
  return { ...answer, headers: { ...answer.headers, 'Content-Range': `${range}/${Math.max(total, shown.length)}` } }
}

async function create(context: SettingsContext) {
  const body = await context.json()
  const made = await createCredential(
    context.db,
    {
      companyId: companyOf(context).id,
      name: parseName(body, 'name'),
      ...created(parseAccess(body)),
      expiresAt: parseExpiry(body.expires_at ?? null),
      rateLimit: parseRateLimit(body.rate_limit ?? null),
      credentialsMax: context.site.credentialsMax,
    },
    actorOf(context),
  )
  const described = await describeOne(reportsOf(context), made)
  return ok<documents.IssuedCredential>({ ...described, api_secret: made.apiSecret }, 201)
}

const created = ({ access, ...narrowing }: NewAccess) => ({ access, narrowing })

async function show(context: SettingsContext) {
  const credential = await findCredential(context.db, refOf(context))
  const hours = await countEachByHour(reportsOf(context), credential.id, hoursAgo(shownHours))
  const usage_by_hour = hours.map(({ hour, secretId, outcome, requests }) => {
    return { hour, secret_id: secretId, outcome, requests }
  })
  const described = await describeOne(reportsOf(context), credential)
  return ok<documents.CredentialInDetail>({ ...described, usage_by_hour })
}

async function change(context: SettingsContext) {
  const body = await context.json()
  const { db } = context
  const [ref, by] = [refOf(context), actorOf(context)]
  const isOther = 'rate_limit' in body || 'expires_at' in body || hasAccess(body)
  // All of it is understood before any of it is changed.
  const name = 'name' in body || !isOther ? parseName(body, 'name') : null
  const rateLimit = parseRateLimit(body.rate_limit ?? null)
  const expiresAt = parseExpiry(body.expires_at ?? null)
  const changed = (known: NewAccess) => parseChangedAccess(body, known)
  if (hasAccess(body)) changed(await findCredential(db, ref))
  if (name !== null) await renameCredential(db, ref, name, by)
  if ('rate_limit' in body) await limitCredential(db, ref, rateLimit, by)
  if ('expires_at' in body) await changeExpiry(db, ref, expiresAt, by)
  if (hasAccess(body)) await changeAccess(db, ref, changed, by)
  return shown(context)
}

async function rotate(context: SettingsContext) {
  const graceSeconds = parseGrace((await context.json()).grace_seconds ?? graces['24h'])
  const { apiSecret } = await rotateCredential(context.db, refOf(context), { graceSeconds, by: actorOf(context) })
  const credential = await findCredential(context.db, refOf(context))
  const described = await describeOne(reportsOf(context), credential)
  return ok<documents.IssuedCredential>({ ...described, api_secret: apiSecret })
}

async function revoke(context: SettingsContext) {
  await revokeCredential(context.db, refOf(context), actorOf(context))
  return shown(context)
}

async function end(context: SettingsContext) {
  await endSecret(context.db, refOf(context), context.params.secret ?? '', actorOf(context))
  return shown(context)
}

const shown = async (context: SettingsContext) =>
  ok(await describeOne(reportsOf(context), await findCredential(context.db, refOf(context))))

const refOf = (context: SettingsContext): CredentialRef => ({
  companyId: companyOf(context).id,
  id: context.params.id ?? '',
})

/** A time in the future, or null for never. */
function parseExpiry(value: unknown): Date | null {
  if (value === null) return null
  const time = new Date(typeof value === 'string' ? value : Number.NaN)
  if (!(time.getTime() > Date.now()) || time.getUTCFullYear() > 9999)
    throw failure.settingsBodyInvalid('"expires_at" must be in the future', 'Write it as 2027-01-31T12:00:00Z.')
  return time
}

function parseRateLimit(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || !parsePolicy(value))
    throw failure.settingsBodyInvalid('"rate_limit" is no rate', 'Write it as 100/s or 6000/m, or send null for none.')
  return value
}

export function parseGrace(value: unknown): GraceSeconds {
  const known = graceChoices.find((seconds) => seconds === value)
  if (known === undefined)
    throw failure.settingsBodyInvalid(
      '"grace_seconds" is not one of the choices',
      `Send one of ${graceChoices.join(', ')}.`,
    )
  return known
}
