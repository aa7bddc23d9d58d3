import { randomBytes } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { findPerson, passwordLength } from './accounts.ts'
import { createAdapter } from './adapter.ts'
import { cutUserAgent } from './audit.ts'
import { failureOf } from './auth-failures.ts'
import { addressHeader, requestIdHeader } from './auth-headers.ts'
import { columnNames } from './column-names.ts'
import { admitPerson, oidcPlugin, withoutTokens } from './oidc.ts'
import { cookiePrefix, type PeopleSettings } from './people-settings.ts'
import type { Need } from './right.ts'
import { recordSignIn, type SignInMethod } from './sign-ins.ts'
import { signUpPlugin } from './sign-up.ts'
import { type Attempt, type SurfacedDatabase, surfaceDatabaseErrors } from './surface-database-errors.ts'
import type { Seal } from './two-factor.ts'
import { twoFactorPlugins } from './two-factor-plugin.ts'

export interface AuthSettings extends Omit<PeopleSettings, 'baseUrl' | 'authSecret'> {
  readonly baseUrl: string
  readonly secret: string
}

/** One request for an endpoint of better-auth, with its origin. */
export interface AuthRequest {
  readonly http: Request
  readonly body: Readonly<Record<string, unknown>>
  readonly address: string
  readonly requestId: string
  /** The right to confirm when it takes effect; null if nobody has to be signed in. */
  readonly need: Need | null
  /** How it signs somebody in, where it does. */
  readonly signsInBy: SignInMethod | null
}

export interface Auth extends Seal {
  answer(request: AuthRequest): Promise<Response>
  createResetToken(personId: string): Promise<string>
}

const hourMs = 3_600_000
const sessionDays = 30

/** better-auth does sign-in, passwords and cookies, on our store and in our tables. */
export function createAuth(db: Database, settings: AuthSettings): Auth {
  const surfaced = surfaceDatabaseErrors(db)
  const auth = betterAuth(optionsOf(surfaced, settings))
  return {
    answer: async (request) => {
      const attempt = { personId: null }
      try {
        const work = () => auth.handler(requestOf(request, settings.baseUrl))
        const response = await surfaced.run(work, { need: request.need, attempt })
        if (response.status >= 400) throw await failureOf(response)
        await recordSuccess(db, request, { response, attempt })
        return response
      } catch (error) {
        // Not awaited: the time that it takes would reveal whether the person exists.
        if (isWrong(error)) recordFailure(db, request, attempt).catch((cause) => settings.failed(cause, 'sign_in'))
        throw error
      }
    },
    createResetToken: async (personId) => {
      const token = randomBytes(24).toString('base64url')
      const { internalAdapter } = await auth.$context
      const expiresAt = new Date(Date.now() + hourMs)
      await internalAdapter.createVerificationValue({
        identifier: `reset-password:${token}`,
        value: personId,
        expiresAt,
      })
      return token
    },
    seal: async (data) => symmetricEncrypt({ key: (await auth.$context).secretConfig, data }),
    unseal: async (data) => symmetricDecrypt({ key: (await auth.$context).secretConfig, data }),
  }
}

interface Success {
  readonly response: Response
  readonly attempt: Attempt
}

/** A password that a code has to follow is no sign-in yet: the cookie of a session tells. */
async function recordSuccess(
  db: Database,
  { signsInBy, ...request }: AuthRequest,
  { response, attempt: { personId } }: Success,
): Promise<void> {
  const hasSession = response.headers.getSetCookie().some((cookie) => /session_token=[^;]/.test(cookie))
  if (signsInBy !== null && personId !== null && hasSession)
    await recordSignIn(db, personId, { outcome: 'ok', method: signsInBy, ...originOf(request) })
}

const wrong: readonly string[] = ['invalid_email_or_password', 'invalid_code', 'code_used']

const isWrong = (error: unknown): boolean => error instanceof ApiError && wrong.includes(error.code)

async function recordFailure(db: Database, { signsInBy, ...request }: AuthRequest, attempt: Attempt): Promise<void> {
  if (signsInBy === null) return
  const email = String(request.body.email ?? '').toLowerCase()
  const personId = attempt.personId ?? (await findPerson(db, email))?.id
  if (personId) await recordSignIn(db, personId, { outcome: 'failed', method: signsInBy, ...originOf(request) })
}

const originOf = ({ address, http }: Pick<AuthRequest, 'address' | 'http'>) => ({
  address: address || null,
  userAgent: cutUserAgent(http.headers.get('user-agent') ?? '') || null,
})

function optionsOf(
  { db, noteFitting, confirmPassword, notePerson }: SurfacedDatabase,
  { baseUrl, secret, signup, mail, oidc, failed }: AuthSettings,
) {
  return {
    baseURL: baseUrl,
    basePath: '/api/auth',
    // A list, because an environment variable would override a single secret.
    secrets: [{ version: 1, value: secret }],
    database: createAdapter(db),
    user: { modelName: 'person', fields: columnNames.user },
    session: {
      fields: columnNames.session,
      expiresIn: (sessionDays * 24 * hourMs) / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      // Those who sign up with a password are not created by better-auth.
      user: {
        create: {
          before: async (person: { email: string; emailVerified: boolean }) => admitPerson(db, signup, person),
        },
      },
      account: {
        create: { before: async (account: object) => withoutTokens(account) },
      },
      session: {
        create: {
          before: async ({ userId }: { userId: string }) => {
            confirmPassword(userId)
            notePerson(userId)
          },
          // Each sign-in deletes the person's expired sessions.
          after: async ({ userId }: { userId: string }) => {
            const now = timestampText(new Date())
            await db.transact([sql`delete from session where person_id = ${userId} and expires_at <= ${now}`])
          },
        },
      },
    },
    // An account is joined only where both the provider and we have verified the address.
    account: {
      fields: columnNames.account,
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    verification: { fields: columnNames.verification, storeIdentifier: 'hashed' as const },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: {
        // Bun refuses to hash an empty password. better-auth hashes only for unknown persons, so an error would reveal them.
        hash: (password: string) => Bun.password.hash(password || ' '),
        verify: async ({ hash, password }: { hash: string; password: string }) => {
          const fits = await Bun.password.verify(password, hash)
          if (fits) noteFitting(hash)
          return fits
        },
      },
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }: { user: { id: string } }) => {
        await db.transact([
          sql`delete from verification where value = ${user.id}`,
          // The link went to the address, or the operator has passed it on.
          sql`update person set email_verified = true where id = ${user.id}`,
        ])
      },
      resetPasswordTokenExpiresIn: hourMs / 1000,
      // Not awaited: the time that the mail takes would reveal whether the person exists.
      sendResetPassword: async ({ user, token }: { user: { email: string }; token: string }) => {
        mail?.send(resetMessage(baseUrl, user.email, token)).catch((error) => failed(error))
      },
    },
    rateLimit: {
      enabled: true,
      storage: 'memory' as const,
      window: 10,
      max: 100,
      customRules: Object.fromEntries(limitedPaths.map((path) => [path, attempts])),
    },
    // In addition to the base URL, the host that the browser used.
    trustedOrigins: (request?: Request) => {
      const host = request && new URL(request.url).host
      return host ? [`http://${host}`, `https://${host}`] : []
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: baseUrl.startsWith('https:'),
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: () => Bun.randomUUIDv7() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [signUpPlugin(db, signup), ...twoFactorPlugins(db, notePerson), ...(oidc ? [oidcPlugin(oidc)] : [])],
    telemetry: { enabled: false },
    // Errors are thrown, so that they are logged like all others.
    onAPIError: { throw: true, errorURL: '/sign-in' },
    logger: { disabled: true },
  }
}

const attempts = { window: 60, max: 10 }
const limitedPaths = [
  ...['/sign-in/email', '/sign-up/email', '/reset-password', '/change-password'],
  ...['/two-factor/verify-totp', '/two-factor/verify-backup-code'],
]

const resetMessage = (baseUrl: string, to: string, token: string) => ({
  to,
  subject: 'Reset your password',
  text: `Somebody, hopefully you, asked for a new password at ${baseUrl}.\n\nSet it here within an hour:\n${baseUrl}/reset-password?token=${token}\n\nIf it was not you, do nothing: the old password stays.\n`,
})

function requestOf({ http, body, address, requestId, signsInBy }: AuthRequest, baseUrl: string): Request {
  const headers = new Headers({ 'content-type': 'application/json', [requestIdHeader]: requestId })
  if (address !== '') headers.set(addressHeader, address)
  for (const name of ['cookie', 'origin', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']) {
    const value = http.headers.get(name)
    if (value !== null) headers.set(name, name === 'user-agent' ? cutUserAgent(value) : value)
  }
  // In the second step, whoever is signed in already does not count.
  if (signsInBy === 'code' || signsInBy === 'recovery code')
    headers.set('cookie', withoutSession(headers.get('cookie') ?? ''))
  // Its endpoints need plain values only, and a deeply nested value can take seconds to check.
  const plain = Object.entries(body).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean')
  // An invalid Host header makes the URL invalid.
  const url = URL.canParse(http.url) ? http.url : baseUrl + http.url.slice(http.url.indexOf('/api/'))
  const hasBody = http.method === 'POST'
  return new Request(url, {
    method: http.method,
    headers,
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(plain)) } : {}),
  })
}

const withoutSession = (cookies: string): string =>
  cookies
    .split(';')
    .filter((one) => !one.includes(`${cookiePrefix}.session_token=`))
    .join(';')
