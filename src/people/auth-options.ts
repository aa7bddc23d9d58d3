import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Person, passwordLength } from './accounts.ts'
import { createAdapter } from './adapter.ts'
import { service } from './audit.ts'
import { addressHeader } from './auth-headers.ts'
import { endBegun } from './change-account.ts'
import { columnNames } from './column-names.ts'
import { passwordChanged } from './notices.ts'
import { admitPerson, oidcPlugin, withoutTokens } from './oidc.ts'
import { isPasskeySignIn, passkeyPlugins } from './passkey-plugin.ts'
import { deletePasskeys } from './passkeys.ts'
import { cookiePrefix, type PeopleSettings } from './people-settings.ts'
import { passwordProof } from './right.ts'
import { signUpPlugin } from './sign-up.ts'
import type { SurfacedDatabase } from './surface-database-errors.ts'
import { forgetCodes } from './two-factor.ts'
import { isSecondStep, twoFactorPlugins } from './two-factor-plugin.ts'

export interface AuthSettings extends Omit<PeopleSettings, 'baseUrl' | 'authSecret'> {
  readonly baseUrl: string
  readonly secret: string
}

/** Somebody who has set a new password by a link to their address. */
type Resetting = Pick<Person, 'id' | 'email'> & { readonly emailVerified: boolean }

/** How long a link to reset a password is valid. */
export const resetMs = 3_600_000
const sessionSeconds = 30 * 24 * 3600

/** better-auth, on our store and in our tables. */
export function optionsOf(surfaced: SurfacedDatabase, { baseUrl, secret, signup, mail, oidc, failed }: AuthSettings) {
  const { db, noteProof, confirmSignIn, confirmChange, notePerson } = surfaced
  return {
    baseURL: baseUrl,
    basePath: '/api/auth',
    // A list, because an environment variable would override a single secret.
    secrets: [{ version: 1, value: secret }],
    database: createAdapter(db),
    user: { modelName: 'person', fields: columnNames.user },
    session: {
      fields: columnNames.session,
      additionalFields: { byPasskey: { type: 'boolean' as const, fieldName: 'by_passkey', input: false } },
      expiresIn: sessionSeconds,
      // What needs a fresh session there asks for the password here.
      freshAge: 0,
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
        // Of an account, only the password is ever changed.
        update: { before: async () => confirmChange() },
      },
      session: {
        create: {
          before: async (session: { userId: string }, context: { path?: string } | null) => {
            confirmSignIn(session.userId)
            notePerson(session.userId)
            return { data: { ...session, byPasskey: isPasskeySignIn(context?.path) } }
          },
          after: async ({ userId }: { userId: string }, context: { path?: string } | null) => {
            const now = timestampText(new Date())
            await db.transact([
              // Each sign-in deletes the person's expired sessions.
              sql`delete from session where person_id = ${userId} and expires_at <= ${now}`,
              ...(isSecondStep(context?.path) ? [forgetCodes(userId)] : []),
            ])
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
          if (fits) noteProof((personId) => passwordProof(db, personId, hash))
          return fits
        },
      },
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }: { user: Resetting }) => {
        // Until now, anybody could have signed up with the address, and have left a passkey.
        if (!user.emailVerified) await deletePasskeys(db, { personId: user.id, email: user.email, by: service })
        await db.transact([
          ...endBegun(user.id),
          // The link went to the address, or the operator has passed it on.
          sql`update person set email_verified = true where id = ${user.id}`,
        ])
        mail?.send(passwordChanged({ to: user.email, baseUrl })).catch((error) => failed(error))
      },
      resetPasswordTokenExpiresIn: resetMs / 1000,
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
    plugins: [
      signUpPlugin(db, signup),
      ...twoFactorPlugins(db, notePerson),
      ...passkeyPlugins(surfaced, baseUrl),
      ...(oidc ? [oidcPlugin(oidc)] : []),
    ],
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
  ...['/passkey/generate-authenticate-options', '/passkey/verify-authentication'],
]

const resetMessage = (baseUrl: string, to: string, token: string) => ({
  to,
  subject: 'Reset your password',
  text: `Somebody, hopefully you, asked for a new password at ${baseUrl}.\n\nSet it here within an hour:\n${baseUrl}/reset-password?token=${token}\n\nIf it was not you, do nothing: the old password stays.\n`,
})
