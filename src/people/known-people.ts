import { failure } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import type { Actor } from './audit.ts'
import { listOwnCompanies } from './companies.ts'
import { joinCompany, listMembers, type Member } from './members.ts'
import type { Role } from './roles.ts'

type Person = Pick<Member, 'personId' | 'name' | 'email'>

/** An owner of several companies, in one of them. */
interface Owner {
  readonly personId: string
  readonly companyId: string
}

/**
 * Those whom an owner already sees in other companies of theirs, and who are not in this one. Of everybody else an owner
 * learns nothing, not even that there is an account: they have to be invited.
 */
export async function listKnownPeople(db: Database, { personId, companyId }: Owner): Promise<Person[]> {
  const owned = (await listOwnCompanies(db, personId)).filter(({ role }) => role === 'owner')
  const members = await Promise.all(owned.map(async ({ id }) => ({ id, people: await listMembers(db, id) })))
  const here = new Set(members.find(({ id }) => id === companyId)?.people.map((member) => member.personId))
  const others = members.flatMap(({ people }) => people).filter((person) => !here.has(person.personId))
  return [...new Map(others.map((person) => [person.personId, person])).values()].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  )
}

/** Makes such a person a member without an invitation. */
export async function addKnownPerson(
  db: Database,
  by: Actor,
  { personId, role, ...owner }: { readonly personId: string; readonly role: Role } & Pick<Owner, 'companyId'>,
): Promise<void> {
  const known = await listKnownPeople(db, { ...owner, personId: by.actorId ?? '' })
  const person = known.find((one) => one.personId === personId)
  if (!person) throw failure.personUnknown()
  const { statements, check } = joinCompany(by, { ...owner, personId, email: person.email, role })
  await db.forCompany(owner.companyId).transact(statements, check)
}
