import { hasPeople } from '../people/accounts.ts'
import { hasMembers, listOwnCompanies, type OwnCompany } from '../people/companies.ts'
import { parseId } from '../people/parse.ts'
import { passkeyHost } from '../people/passkey-host.ts'
import { hasPasskey } from '../people/passkeys.ts'
import { chooseCompany } from '../people/sessions.ts'
import type { Answer } from '../response/answer.ts'
import { ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/people.ts'

export const sessionRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/setup', role: 'public', handle: showSetup },
  { method: 'GET', path: '/api/session', role: 'person', handle: (context) => showSession(context) },
  { method: 'POST', path: '/api/session/company', role: 'person', handle: choose },
]

/** What the pages need before anybody is signed in. */
async function showSetup({ db, site }: SettingsContext): Promise<Answer> {
  const { signup, mail, oidcName, baseUrl, eventsKept, version } = site
  return ok<documents.Setup>({
    first_run: !(await hasPeople(db)),
    signup,
    email_enabled: mail !== null,
    oidc_name: oidcName,
    base_url: baseUrl,
    passkeys: passkeyHost(baseUrl) !== null,
    events_kept: eventsKept,
    version,
  })
}

/** Who is signed in, their companies, and the one to begin with: one that was chosen just now, the session's, or the oldest. */
export async function showSession({ db, person, company, site }: SettingsContext, chosenId?: string): Promise<Answer> {
  const companies = (await listOwnCompanies(db, person.id)).map(documentOf)
  const shown = companies.find(({ id }) => id === (chosenId ?? company?.id)) ?? companies[0] ?? null
  return ok<documents.Session>({
    person: {
      id: person.id,
      name: person.name,
      email: person.email,
      two_factor: person.hasTwoFactor,
      has_passkey: await hasPasskey(db, person.id),
      signed_in_by_passkey: person.signedInByPasskey,
    },
    company: shown,
    companies,
    may_create_company: site.signup === 'open' || (companies.length === 0 && !(await hasMembers(db))),
  })
}

const documentOf = ({ id, name, role, requiresTwoFactor, deleteAfter }: OwnCompany): documents.Company => ({
  id,
  name,
  role,
  two_factor_required: requiresTwoFactor,
  delete_after: deleteAfter,
})

async function choose(context: SettingsContext): Promise<Answer> {
  const companyId = parseId(await context.json(), 'company_id')
  await chooseCompany(context.db, context, companyId)
  return showSession(context, companyId)
}
