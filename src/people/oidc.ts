import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type OidcSettings, oidcProvider } from './oidc-settings.ts'
import { hasControls } from './printable.ts'

export const oidcPlugin = ({ issuer, clientId, clientSecret }: OidcSettings) =>
  genericOAuth({
    config: [
      {
        providerId: oidcProvider,
        discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        // Some providers send text, and `"false"` must not count as true.
        mapProfileToUser: ({ email_verified }) => ({ emailVerified: String(email_verified) === 'true' }),
      },
    ],
  })

interface NewPerson {
  readonly email: string
  readonly emailVerified: boolean
  readonly name?: string
}

/** Lets a provider create a person only if it has verified the address, and the installation or an invitation lets them in. */
export async function admitPerson<Person extends NewPerson>(
  db: Database,
  signup: 'invite' | 'open',
  person: Person,
): Promise<{ data: Person & { name: string } }> {
  if (person.emailVerified !== true) throw refusal('email_not_verified')
  if (signup === 'invite' && !(await isInvited(db, person.email))) throw refusal('signup_closed')
  const name = (person.name ?? '').trim().slice(0, 255)
  return { data: { ...person, name: name === '' || hasControls(name) ? person.email : name } }
}

/** better-auth takes the code to the page that the person comes back to. */
const refusal = (code: string) => new APIError('FORBIDDEN', { code, message: code })

async function isInvited(db: Database, email: string): Promise<boolean> {
  const rows = await db.read(sql`
    select 1 from ${tableOfAllCompanies('invitation')}
    where email = ${email} and accepted_at is null and expires_at > ${timestampText(new Date())} limit 1`)
  return rows.length > 0
}

/** Nobody calls the provider again in the name of the person, so its tokens are not kept. */
export const withoutTokens = <Account extends object>(account: Account) => ({
  data: { ...account, accessToken: null, refreshToken: null, idToken: null },
})
