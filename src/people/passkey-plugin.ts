import { passkey } from '@better-auth/passkey'
import { createAuthMiddleware } from 'better-auth/api'
import { failure } from '../errors/index.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { columnNames } from './column-names.ts'
import { passkeyHost } from './passkey-host.ts'
import type { Proof } from './right.ts'
import type { SurfacedDatabase } from './surface-database-errors.ts'
import { withoutAttestation } from './without-attestation.ts'

const signInPath = '/passkey/verify-authentication'
const additionPath = '/passkey/verify-registration'

/** Whether an endpoint of better-auth signs in by a passkey. */
export const isPasskeySignIn = (path: string | undefined): boolean => path === signInPath

type Notes = Pick<SurfacedDatabase, 'db' | 'notePerson' | 'noteProof' | 'confirmChange'>

/** The ceremonies of WebAuthn, on our table. The device must have verified the person: a passkey counts as two factors. */
export function passkeyPlugins({ db, notePerson, noteProof, confirmChange }: Notes, baseUrl: string) {
  const rpID = passkeyHost(baseUrl)
  if (rpID === null) return []
  return [
    passkey({
      rpID,
      rpName: 'Project API',
      origin: baseUrl,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      registration: {
        afterVerification: ({ verification }) => {
          if (!verification.registrationInfo?.userVerified) throw failure.passkeyWrong()
          confirmChange()
        },
      },
      authentication: {
        afterVerification: ({ verification: { authenticationInfo } }) => {
          if (!authenticationInfo.userVerified) throw failure.passkeyWrong()
          noteProof(() => passkeyProof(authenticationInfo.credentialID))
        },
      },
      advanced: { webAuthnChallengeCookie: 'passkey' },
      schema: { passkey: { modelName: 'passkey', fields: columnNames.passkey } },
    }),
    {
      id: 'verified-passkeys',
      hooks: {
        before: [
          {
            matcher: ({ path }: { path?: string }) => path === additionPath,
            handler: createAuthMiddleware(async ({ body }) => {
              const attestationObject = withoutAttestation(body.response.response.attestationObject)
              return { context: { body: { response: { response: { attestationObject } } } } }
            }),
          },
          {
            matcher: ({ path }: { path?: string }) => isPasskeySignIn(path),
            handler: createAuthMiddleware(async ({ body }) => {
              const [row] = await db.read(
                sql`select person_id from passkey where credential_id = ${String(body.response.id)}`,
              )
              if (row) notePerson(String(row[0]))
            }),
          },
        ],
        after: [
          {
            matcher: ({ path }: { path?: string }) => path === '/passkey/generate-authenticate-options',
            // The plugin asks for "preferred", and has no option for it.
            handler: createAuthMiddleware(async (ctx) =>
              ctx.json({ ...Object(ctx.context.returned), userVerification: 'required' }),
            ),
          },
        ],
      },
    },
  ]
}

/** Starts a session only while its passkey is there, and notes when it was used. */
const passkeyProof =
  (credentialId: string): Proof =>
  () => ({
    statements: [
      sql`update passkey set last_used_at = ${timestampText(new Date())} where credential_id = ${credentialId} returning id`,
    ],
    check: ([used]) => {
      if (used?.length !== 1) throw failure.passkeyWrong()
    },
  })
