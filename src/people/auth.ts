import { randomBytes } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { passwordLength } from './accounts.ts'
import { createAdapter } from './adapter.ts'
import { cutUserAgent } from './audit.ts'
import { failureOf } from './auth-failures.ts'
import { addressHeader, requestIdHeader } from './auth-headers.ts'
import { columnNames } from './column-names.ts'
import { cookiePrefix, type PeopleSettings } from './people-settings.ts'
import type { Need } from './right.ts'
import { signUpPlugin } from './sign-up.ts'
import { type SurfacedDatabase, surfaceDatabaseErrors } from './surface-database-errors.ts'
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
  /** Whoever is signed in already does not count: for the second step of a sign-in. */
  readonly ignoresSession: boolean
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
      const response = await surfaced.run(() => auth.handler(requestOf(request, settings.baseUrl)), request.need)
      if (response.status >= 400) throw await failureOf(response)
      return response
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

function optionsOf(
  { db, noteFitting, confirmPassword }: SurfacedDatabase,
  { baseUrl, secret, signup, mail, failed }: AuthSettings,
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
      session: {
        create: {
          before: async ({ userId }: { userId: string }) => confirmPassword(userId),
          // Each sign-in deletes the person's expired sessions.
          after: async ({ userId }: { userId: string }) => {
            const now = timestampText(new Date())
            await db.transact([sql`delete from session where person_id = ${userId} and expires_at <= ${now}`])
          },
        },
      },
    },
    account: { fields: columnNames.account },
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
        await db.transact([sql`delete from verification where value = ${user.id}`])
      },
      resetPasswordTokenExpiresIn: hourMs / 1000,
      // Not awaited: the time that the mail takes would reveal whether the person exists.
      sendResetPassword: async ({ user, token }: { user: { email: string }; token: string }) => {
        mail?.send(resetMessage(baseUrl, user.email, token)).catch(failed)
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
    plugins: [signUpPlugin(db, signup), ...twoFactorPlugins(db)],
    telemetry: { enabled: false },
    // Errors are thrown, so that they are logged like all others.
    onAPIError: { throw: true },
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

function requestOf({ http, body, address, requestId, ignoresSession }: AuthRequest, baseUrl: string): Request {
  const headers = new Headers({ 'content-type': 'application/json', [requestIdHeader]: requestId })
  if (address !== '') headers.set(addressHeader, address)
  for (const name of ['cookie', 'origin', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']) {
    const value = http.headers.get(name)
    if (value !== null) headers.set(name, name === 'user-agent' ? cutUserAgent(value) : value)
  }
  if (ignoresSession) headers.set('cookie', withoutSession(headers.get('cookie') ?? ''))
  // Its endpoints need plain values only, and a deeply nested value can take seconds to check.
  const plain = Object.entries(body).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean')
  // An invalid Host header makes the URL invalid.
  const url = URL.canParse(http.url) ? http.url : baseUrl + http.url.slice(http.url.indexOf('/api/'))
  return new Request(url, { method: http.method, headers, body: JSON.stringify(Object.fromEntries(plain)) })
}

const withoutSession = (cookies: string): string =>
  cookies
    .split(';')
    .filter((one) => !one.includes(`${cookiePrefix}.session_token=`))
    .join(';')
