import { failure } from '../errors/index.ts'
import { insertCompanyRow, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Companies, Database, Rows, Statements, Store } from '../store/database.ts'
import { keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Actor, auditStatement, commandLine } from './audit.ts'
import type { TransactionPart } from './members.ts'
import { type Role, roleOf } from './roles.ts'

export interface Company {
  readonly id: string
  readonly name: string
}

/** A person who makes a company. */
export interface Maker {
  readonly actor: Actor
  readonly personId: string
  readonly sessionId: string
  /** Whether it may be another company than that of the first person of the installation. */
  readonly mayHaveSeveral: boolean
}

/** Makes a company. A person who makes it becomes its owner, and looks at it from then on. */
export async function createCompany(db: Store, name: string, maker: Maker | null = null): Promise<Company> {
  const id = Bun.randomUUIDv7()
  const now = timestampText(new Date())
  const firstOnly = maker && !maker.mayHaveSeveral ? onlyFirst(db, maker) : null
  await db.transact(
    [
      ...(firstOnly?.statements ?? []),
      sql`insert into company (id, name, created_at) values (${id}, ${name}, ${now})`,
      ...(maker ? ownedBy(maker, id, now) : []),
      created({ id, name }, maker?.actor ?? commandLine),
    ],
    firstOnly?.check,
  )
  return { id, name }
}

/** Refuses everybody but the first person: as soon as somebody is a member somewhere, others are invited. */
const onlyFirst = ({ dialect }: Pick<Store, 'dialect'>, { personId }: Maker): TransactionPart => ({
  statements: [
    // Of two requests of one person, the second waits here and then sees what the first has made.
    sql`select id from person where id = ${personId}${dialect.forUpdate}`,
    anyMember,
  ],
  check: ([, members]: readonly Rows[]): void => {
    if (members?.length)
      throw failure.forbidden('Ask to be invited to a company. The operator can make more, or set SIGNUP=open.')
  },
})

const anyMember = sql`select 1 from ${tableOfAllCompanies('member')} m limit 1`

/** Whether anybody is a member of any company. */
export async function hasMembers(db: Pick<Statements, 'read'>): Promise<boolean> {
  return (await db.read(anyMember)).length > 0
}

const ownedBy = ({ personId, sessionId }: Maker, id: string, now: string): Sql[] => [
  insertCompanyRow('member', { companyId: id }, { person_id: personId, role: 'owner', created_at: now }),
  sql`update session set company_id = ${id} where id = ${sessionId} and person_id = ${personId}`,
]

const created = ({ id, name }: Company, by: Actor): Sql =>
  auditStatement({ ...by, companyId: id, action: 'company.created', target: name, details: {} })

/** Makes a company if there is none yet: of several that try at once, one succeeds. */
export async function createFirstCompany(db: Database, name: string): Promise<Company | null> {
  const id = Bun.randomUUIDv7()
  try {
    await db.transact([
      sql`insert into company (id, name, created_at)
          select ${id}, ${name}, ${timestampText(new Date())} where not exists (select 1 from company)`,
      created({ id, name }, commandLine),
    ])
    return { id, name }
  } catch (error) {
    // The event of a company that was not made has nothing to refer to.
    if (db.explain(error) === 'foreign key') return null
    throw error
  }
}

/** All of the installation. */
export async function listCompanies(db: Database): Promise<(Company & Pick<OwnCompany, 'deleteAfter'>)[]> {
  const rows = await db.read(sql`select id, name, delete_after from company order by id`)
  return rows.map(([id, name, deleteAfter]) => ({
    id: String(id),
    name: String(name),
    deleteAfter: timeOf(deleteAfter),
  }))
}

const timeOf = (value: unknown): string | null => (value === null ? null : String(value))

export async function renameCompany(
  db: Companies,
  by: Actor,
  { id, name }: Company,
  newName: string,
): Promise<Company> {
  if (name === newName) return { id, name }
  await db.forCompany(id).transact([
    sql`update company set name = ${newName} where id = ${id}`,
    auditStatement({
      ...by,
      companyId: id,
      action: 'company.renamed',
      target: newName,
      details: { from: name, to: newName },
    }),
  ])
  return { id, name: newName }
}

/** A company as a member of it sees it. */
export interface OwnCompany extends Company {
  readonly role: Role
  readonly requiresTwoFactor: boolean
  readonly deleteAfter: string | null
}

/** Whether members have to sign in with two factors. An owner who requires it needs it first. */
export async function requireTwoFactor(
  db: Companies,
  by: Actor,
  companyId: string,
  isRequired: boolean,
): Promise<void> {
  await db.forCompany(companyId).transact([
    sql`update company set two_factor_required = ${isRequired ? keyword('true') : keyword('false')} where id = ${companyId}`,
    auditStatement({
      ...by,
      companyId,
      action: isRequired ? 'company.two_factor_required' : 'company.two_factor_optional',
      target: '',
      details: {},
    }),
  ])
}

/** Whether changes of the company's rows make events. It takes effect within a second. */
export async function turnEvents(db: Companies, by: Actor, companyId: string, isOn: boolean): Promise<void> {
  await db.forCompany(companyId).transact([
    sql`update company set events = ${isOn ? 'on' : 'off'} where id = ${companyId}`,
    auditStatement({
      ...by,
      companyId,
      action: isOn ? 'company.events_on' : 'company.events_off',
      target: '',
      details: {},
    }),
  ])
}

/** The companies that a person is a member of, the oldest membership first. */
export async function listOwnCompanies(db: Pick<Statements, 'read'>, personId: string): Promise<OwnCompany[]> {
  const rows = await db.read(sql`
    select c.id, c.name, m.role, c.two_factor_required, c.delete_after from ${tableOfAllCompanies('member')} m join company c on c.id = m.company_id
    where m.person_id = ${personId} order by m.created_at, c.id`)
  return rows.map(([id, name, role, requiresTwoFactor, deleteAfter]) => ({
    id: String(id),
    name: String(name),
    role: roleOf(role),
    requiresTwoFactor: Boolean(requiresTwoFactor),
    deleteAfter: timeOf(deleteAfter),
  }))
}
