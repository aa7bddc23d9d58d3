import { addKnownPerson, listKnownPeople } from '../people/known-people.ts'
import { changeRole, listMembers, type Member, removeMember } from '../people/members.ts'
import { parseChoice, parseId } from '../people/parse.ts'
import { roles } from '../people/roles.ts'
import type { Answer } from '../response/answer.ts'
import { actorOf, companyOf, done, ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/people.ts'

export const membersRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/members', role: 'viewer', handle: list },
  { method: 'POST', path: '/api/members', role: 'owner', handle: add },
  { method: 'GET', path: '/api/members/known', role: 'owner', handle: listKnown },
  { method: 'PATCH', path: '/api/members/:id', role: 'owner', handle: change },
  // Everyone may leave. Removing others needs a higher role, see below.
  { method: 'DELETE', path: '/api/members/:id', role: 'viewer', handle: remove },
  // Also where the company requires two factors and the person has none.
  { method: 'DELETE', path: '/api/account/companies/:id', role: 'person', handle: leave },
]

async function list(context: SettingsContext): Promise<Answer> {
  const members = await listMembers(context.db, companyOf(context).id)
  return ok(members.map((member) => documentOf(member, context)))
}

async function listKnown(context: SettingsContext): Promise<Answer> {
  const people = await listKnownPeople(context.db, ownerOf(context))
  return ok<readonly documents.KnownPerson[]>(
    people.map(({ personId, name, email }) => ({ person_id: personId, name, email })),
  )
}

async function add(context: SettingsContext): Promise<Answer> {
  const body = await context.json()
  const person = { personId: parseId(body, 'person_id'), role: parseChoice(body, 'role', roles) }
  await addKnownPerson(context.db, actorOf(context), { ...person, owner: ownerOf(context) })
  return done
}

const ownerOf = (context: SettingsContext) => ({
  personId: context.person.id,
  companyId: companyOf(context).id,
  hasTwoFactor: context.person.hasTwoFactor,
})

async function change(context: SettingsContext): Promise<Answer> {
  const role = parseChoice(await context.json(), 'role', roles)
  const { id: personId = '' } = context.params
  const companyId = companyOf(context).id
  const member = await changeRole(context.db, actorOf(context), { companyId, personId, role })
  const changed = { ...documentOf(member, context), invitations_ended: member.invitationsEnded }
  return ok<documents.ChangedMember>(changed)
}

async function remove(context: SettingsContext): Promise<Answer> {
  const { id = '' } = context.params
  const allowed = id === context.person.id ? context : context.requiring('owner')
  await removeMember(allowed.db, actorOf(context), companyOf(context).id, id)
  return done
}

async function leave(context: SettingsContext): Promise<Answer> {
  const { id = '' } = context.params
  await removeMember(context.db, actorOf(context), id, context.person.id)
  return done
}

const documentOf = (
  { personId, name, email, role, createdAt, hasTwoFactor }: Member,
  { person, company }: SettingsContext,
): documents.Member => ({
  person_id: personId,
  name,
  email,
  role,
  created_at: createdAt,
  two_factor: company?.role === 'owner' || personId === person.id ? hasTwoFactor : null,
  is_you: personId === person.id,
})
