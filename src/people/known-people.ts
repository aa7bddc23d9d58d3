import { failure } from '../errors/index.ts'
import { companyRows, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Companies, Row, Statements } from '../store/database.ts'
import { empty, integer, type Sql, sql } from '../store/sql.ts'
import type { Actor } from './audit.ts'
import { joinCompany, type Member } from './members.ts'
import type { Role } from './roles.ts'

type Person = Pick<Member, 'personId' | 'name' | 'email'>

/** An owner of several companies, in one of them. */
interface Owner {
  readonly personId: string
  readonly companyId: string
  /** Without, they see nothing of companies that require two factors. */
  readonly hasTwoFactor: boolean
}

type Db = Companies & Pick<Statements, 'read'>

/** Whoever is not among them can be invited. */
const listMax = 500

/**
 * Those whom an owner already sees in other companies of theirs, and who are not in this one. Of everybody else an owner
 * learns nothing, not even that there is an account: they have to be invited.
 */
export async function listKnownPeople(db: Db, owner: Owner): Promise<Person[]> {
  const rows = await db.read(sql`${selectKnown(owner)} order by p.name, p.id limit ${integer(listMax)}`)
  return rows.map(personOf).toSorted((one, other) => one.name.localeCompare(other.name))
}

const selectKnown = ({ personId, companyId, hasTwoFactor }: Owner): Sql => sql`
  select p.id, p.name, p.email from person p
  where p.id in (
    select m.person_id from ${tableOfAllCompanies('member')} o
    join ${tableOfAllCompanies('member')} m on m.company_id = o.company_id
    join company c on c.id = o.company_id
    where o.person_id = ${personId} and o.role = 'owner'${hasTwoFactor ? empty : sql` and not c.two_factor_required`})
  and not exists (select 1 from ${companyRows('member', { companyId }, 'h')} and h.person_id = p.id)`

const personOf = ([personId, name, email]: Row): Person => ({
  personId: String(personId),
  name: String(name),
  email: String(email),
})

/** Makes such a person a member without an invitation. */
export async function addKnownPerson(
  db: Db,
  by: Actor,
  { owner, personId, role }: { readonly owner: Owner; readonly personId: string; readonly role: Role },
): Promise<void> {
  const [row] = await db.read(sql`${selectKnown(owner)} and p.id = ${personId}`)
  if (!row) throw failure.personUnknown()
  const { companyId } = owner
  const { statements, check } = joinCompany(by, { ...personOf(row), companyId, role })
  await db.forCompany(companyId).transact(statements, check)
}
