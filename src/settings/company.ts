import { failure } from '../errors.ts'
import { createCompany, renameCompany } from '../people/companies.ts'
import { wasInvited } from '../people/invitations.ts'
import { parseName } from '../people/parse.ts'
import type { Answer } from '../response/answer.ts'
import { actorOf, companyOf, ok, type SettingsContext, type SettingsRoute } from './context.ts'

export const companyRoutes: readonly SettingsRoute[] = [
  { method: 'POST', path: '/api/company', role: 'person', handle: create },
  { method: 'PATCH', path: '/api/company', role: 'owner', handle: rename },
]

async function create(context: SettingsContext): Promise<Answer> {
  const { db, person, sessionId, company, site } = context
  const name = parseName(await context.json(), 'name')
  if (site.signup !== 'open') {
    if (company) throw failure.forbidden('You have a company. The operator can make more, or set SIGNUP=open.')
    if (await wasInvited(db, person.email))
      throw failure.forbidden('Ask to be invited to a company. The operator can make more, or set SIGNUP=open.')
  }
  return ok(await createCompany(db, name, { actor: actorOf(context), personId: person.id, sessionId }), 201)
}

async function rename(context: SettingsContext): Promise<Answer> {
  const name = parseName(await context.json(), 'name')
  return ok(await renameCompany(context.db, actorOf(context), companyOf(context), name))
}
