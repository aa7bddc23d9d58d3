import { failure } from '../errors/index.ts'
import { createCompany, renameCompany, requireTwoFactor } from '../people/companies.ts'
import { parseBoolean, parseName } from '../people/parse.ts'
import type { Answer } from '../response/answer.ts'
import { actorOf, companyOf, ok, type SettingsContext, type SettingsRoute } from './context.ts'

export const companyRoutes: readonly SettingsRoute[] = [
  { method: 'POST', path: '/api/company', role: 'person', handle: create },
  { method: 'PATCH', path: '/api/company', role: 'owner', handle: rename },
  { method: 'PUT', path: '/api/company/two-factor', role: 'owner', handle: changeTwoFactor },
]

async function create(context: SettingsContext): Promise<Answer> {
  const { db, person, sessionId, site } = context
  const name = parseName(await context.json(), 'name')
  const maker = { actor: actorOf(context), personId: person.id, sessionId, mayHaveSeveral: site.signup === 'open' }
  return ok(await createCompany(db, name, maker), 201)
}

async function rename(context: SettingsContext): Promise<Answer> {
  const name = parseName(await context.json(), 'name')
  return ok(await renameCompany(context.db, actorOf(context), companyOf(context), name))
}

async function changeTwoFactor(context: SettingsContext): Promise<Answer> {
  const isRequired = parseBoolean(await context.json(), 'required')
  // Otherwise whoever requires it would be the first one to be shut out.
  if (isRequired && !context.person.hasTwoFactor) throw failure.twoFactorOff()
  await requireTwoFactor(context.db, actorOf(context), companyOf(context).id, isRequired)
  return ok({ required: isRequired })
}
