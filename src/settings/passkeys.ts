import { failure } from '../errors/index.ts'
import { auditEverywhere } from '../people/audit-everywhere.ts'
import { parseName, parseText } from '../people/parse.ts'
import { passkeyHost } from '../people/passkey-host.ts'
import { deletePasskey, listPasskeys, passkeysMax, renamePasskey, requireOwnFactor } from '../people/passkeys.ts'
import { requirePassword } from '../people/password.ts'
import type { Answer } from '../response/answer.ts'
import { askAuth } from './ask-auth.ts'
import { attemptsMax, done, ok, type SettingsContext, type SettingsRoute, whose } from './context.ts'
import type * as documents from './documents/people.ts'
import { parseAssertion, parseAttestation } from './parse-passkey.ts'

export const passkeysRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/passkeys', role: 'person', handle: list },
  { method: 'POST', path: '/api/passkeys/start', role: 'person', attempts: attemptsMax, handle: start },
  { method: 'POST', path: '/api/passkeys', role: 'person', attempts: attemptsMax, handle: add },
  { method: 'PATCH', path: '/api/passkeys/:id', role: 'person', handle: rename },
  { method: 'DELETE', path: '/api/passkeys/:id', role: 'person', handle: remove },
  // better-auth limits their attempts, like those with a password.
  { method: 'POST', path: '/api/auth/passkey/start', role: 'public', handle: startSignIn },
  { method: 'POST', path: '/api/auth/passkey/sign-in', role: 'public', handle: signIn },
]

async function list({ db, person }: SettingsContext): Promise<Answer> {
  const passkeys = await listPasskeys(db, person.id)
  return ok<readonly documents.Passkey[]>(
    passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
  )
}

/** What the browser needs to make a passkey. */
async function start(context: SettingsContext): Promise<Answer> {
  const { db, person } = context
  const password = parseText(await context.json(), 'password')
  requirePasskeys(context)
  await requirePassword(db, person.id, password)
  await requireOwnFactor(db, person)
  if ((await listPasskeys(db, person.id)).length >= passkeysMax) throw failure.passkeysFull(passkeysMax)
  return askAuth(context, { method: 'GET', path: 'passkey/generate-register-options', signsInBy: null })
}

/** Takes the passkey that the browser has made. Only `start` hands out what it has to have signed, after the password. */
async function add(context: SettingsContext): Promise<Answer> {
  const { db, site } = context
  const sent = await context.json()
  requirePasskeys(context)
  await requireOwnFactor(db, context.person)
  const name = parseName(sent, 'name')
  const body = { name, response: parseAttestation(sent) }
  const alongside = await auditEverywhere(db, whose(context), 'member.passkey_added', { name })
  const path = 'passkey/verify-registration'
  const { cookies } = await askAuth(context, { method: 'POST', path, body, signsInBy: null, alongside })
  notify(context, 'added to', `The passkey "${name}" now signs you in at ${site.baseUrl}.`)
  return { ...ok({ name }, 201), cookies: cookies ?? [] }
}

async function rename(context: SettingsContext): Promise<Answer> {
  const { db, person, params } = context
  const name = parseName(await context.json(), 'name')
  await renamePasskey(db, { personId: person.id, id: params.id ?? '' }, name)
  return ok({ name })
}

async function remove(context: SettingsContext): Promise<Answer> {
  const { db, person, params, site } = context
  await requireOwnFactor(db, person)
  const name = await deletePasskey(db, whose(context), params.id ?? '')
  notify(context, 'deleted from', `The passkey "${name}" no longer signs you in at ${site.baseUrl}.`)
  return done
}

function notify({ person, site }: SettingsContext, what: string, text: string): void {
  const advice =
    'If it was not you, change your password, delete what is not yours on the page "Account", and sign out everywhere else.'
  site.notify({ to: person.email, subject: `A passkey was ${what} your account`, text: `${text}\n\n${advice}\n` })
}

async function startSignIn(context: SettingsContext): Promise<Answer> {
  requirePasskeys(context)
  return askAuth(context, {
    method: 'GET',
    path: 'passkey/generate-authenticate-options',
    signsInBy: 'passkey',
  })
}

async function signIn(context: SettingsContext): Promise<Answer> {
  const body = { response: parseAssertion(await context.json()) }
  requirePasskeys(context)
  const path = 'passkey/verify-authentication'
  const { cookies } = await askAuth(context, { method: 'POST', path, body, signsInBy: 'passkey' })
  return { ...done, cookies: cookies ?? [] }
}

function requirePasskeys({ site }: SettingsContext): void {
  if (passkeyHost(site.baseUrl) === null) throw failure.passkeysOff()
}
