import { failure } from '../errors/index.ts'
import { forgetCompany } from '../keys/memory.ts'
import { createCompany, renameCompany, requireTwoFactor, turnEvents } from '../people/companies.ts'
import { startDeletion, transferCompany, undoDeletion } from '../people/end-company.ts'
import type { Message } from '../people/mail.ts'
import { listMembers } from '../people/members.ts'
import { companyGiven, companyReceived, deletionStarted, deletionUndone } from '../people/notices.ts'
import { parseBoolean, parseId, parseName, parseText } from '../people/parse.ts'
import { requirePassword } from '../people/password.ts'
import type { Answer } from '../response/answer.ts'
import { actorOf, attemptsMax, companyOf, done, ok, type SettingsContext, type SettingsRoute } from './context.ts'

const companiesMax = { requests: 20, seconds: 3600 }

export const companyRoutes: readonly SettingsRoute[] = [
  { method: 'POST', path: '/api/company', role: 'person', attempts: companiesMax, handle: create },
  { method: 'PATCH', path: '/api/company', role: 'owner', handle: rename },
  { method: 'PUT', path: '/api/company/two-factor', role: 'owner', handle: changeTwoFactor },
  { method: 'POST', path: '/api/company/transfer', role: 'owner', attempts: attemptsMax, handle: transfer },
  { method: 'POST', path: '/api/company/delete', role: 'owner', attempts: attemptsMax, handle: startToDelete },
  { method: 'POST', path: '/api/company/restore', role: 'owner', worksOnEnding: true, handle: restore },
  { method: 'GET', path: '/api/company/events', role: 'viewer', handle: showEvents },
  { method: 'PUT', path: '/api/company/events', role: 'owner', handle: changeEvents },
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

async function transfer(context: SettingsContext): Promise<Answer> {
  const { db, person } = context
  const body = await context.json()
  const to = parseId(body, 'person_id')
  await requirePassword(db, person.id, parseText(body, 'password'))
  const heir = await transferCompany(db, actorOf(context), { companyId: companyOf(context).id, from: person.id, to })
  context.site.notify(companyReceived(changeFor(context, heir)))
  context.site.notify(companyGiven(changeFor(context, person.email), heir))
  return done
}

/** What a message to somebody says of a change of the company. */
const changeFor = (context: SettingsContext, to: string) => ({
  ...{ to, baseUrl: context.site.baseUrl },
  ...{ company: companyOf(context), actor: context.person.email },
})

async function startToDelete(context: SettingsContext): Promise<Answer> {
  const { db, person } = context
  const company = companyOf(context)
  const body = await context.json()
  if (parseText(body, 'name').trim() !== company.name.trim())
    throw failure.settingsBodyInvalid('"name" is not the name of the company', 'Type it as the page shows it.')
  await requirePassword(db, person.id, parseText(body, 'password'))
  const deleteAfter = await startDeletion(db, actorOf(context), company)
  forgetCompany(db, company.id)
  await notifyOwners(context, (to) => deletionStarted(changeFor(context, to), deleteAfter))
  return ok({ delete_after: deleteAfter })
}

async function notifyOwners(context: SettingsContext, messageTo: (email: string) => Message): Promise<void> {
  const { db, site } = context
  if (!site.mail) return
  const members = await listMembers(db, companyOf(context).id)
  for (const { email, role } of members) if (role === 'owner') site.notify(messageTo(email))
}

async function restore(context: SettingsContext): Promise<Answer> {
  const company = companyOf(context)
  await undoDeletion(context.db, actorOf(context), company)
  forgetCompany(context.db, company.id)
  await notifyOwners(context, (to) => deletionUndone(changeFor(context, to)))
  return done
}

async function showEvents(context: SettingsContext): Promise<Answer> {
  return ok({ on: companyOf(context).hasEvents })
}

async function changeEvents(context: SettingsContext): Promise<Answer> {
  const isOn = parseBoolean(await context.json(), 'on')
  const { id } = companyOf(context)
  await turnEvents(context.db, actorOf(context), id, isOn)
  forgetCompany(context.db, id)
  return ok({ on: isOn })
}
