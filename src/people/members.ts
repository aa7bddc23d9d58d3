import { failure } from '../errors/index.ts'
import {
  companyRows,
  insertCompanyRow,
  joinedCompanyRows,
  type OfCompany,
  updateCompanyRows,
} from '../store/compile/company-rows.ts'
import type { Companies, CompanyStore, Row, Rows } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Actor, auditStatement } from './audit.ts'
import { type EndedInvitations, endInvitations } from './end-invitations.ts'
import { type Role, roleOf } from './roles.ts'

export interface Member {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  /** By codes or a passkey. */
  readonly hasTwoFactor: boolean
}

// The organization plugin of better-auth is left out: its endpoints could not write the audit log in the same transaction.

export async function listMembers(db: Companies, companyId: string): Promise<Member[]> {
  const own = db.forCompany(companyId)
  const rows = await own.read(sql`${selectMembers(own)} order by m.created_at, m.person_id`)
  return rows.map(memberOf)
}

async function findMember(own: CompanyStore, personId: string): Promise<Member> {
  const [row] = await own.read(sql`${selectMembers(own)} and m.person_id = ${personId}`)
  if (!row) throw failure.notFound('member')
  return memberOf(row)
}

const selectMembers = (company: OfCompany): Sql =>
  sql`select m.person_id, p.name, p.email, m.role, m.created_at,
        p.two_factor_enabled or exists (select 1 from passkey k where k.person_id = p.id)
      from person p join ${joinedCompanyRows('member', company, 'm')} and m.person_id = p.id`

function memberOf([personId, name, email, role, createdAt, hasTwoFactor]: Row): Member {
  return {
    personId: String(personId),
    name: String(name),
    email: String(email),
    role: roleOf(role),
    createdAt: String(createdAt),
    hasTwoFactor: Boolean(hasTwoFactor),
  }
}

/** A member who has got another role, and how many of their invitations have ended by it. */
interface ChangedMember extends Member {
  readonly invitationsEnded: number
}

/** Gives a member another role. Who is no owner any more has no open invitations either. */
export async function changeRole(
  db: Companies,
  by: Actor,
  { companyId, personId, role }: { readonly companyId: string; readonly personId: string; readonly role: Role },
): Promise<ChangedMember> {
  const own = db.forCompany(companyId)
  const before = await findMember(own, personId)
  if (before.role === role) return { ...before, invitationsEnded: 0 }
  const { email } = before
  const ended =
    role === 'owner' ? noneEnded : await endInvitations(by, own, { personId, email, reason: 'sender_not_owner' })
  await keepingOwner(own, {
    change: [sql`${updateCompanyRows('member', own, sql`role = ${role}`)} and person_id = ${personId} returning role`],
    others: [
      auditStatement({
        ...by,
        companyId,
        action: 'member.role_changed',
        target: email,
        details: { from: before.role, to: role },
      }),
      ...ended.statements,
    ],
  })
  return { ...before, role, invitationsEnded: ended.open }
}

const noneEnded: EndedInvitations = { statements: [], open: 0 }

/** What makes a person a member, as part of a larger transaction. */
export function joinCompany(
  by: Actor,
  { companyId, personId, email, role }: Pick<Member, 'personId' | 'email' | 'role'> & { readonly companyId: string },
): TransactionPart {
  const now = timestampText(new Date())
  return {
    statements: [
      sql`${insertCompanyRow('member', { companyId }, { person_id: personId, role, created_at: now })}
          on conflict (company_id, person_id) do nothing returning role`,
      auditStatement({ ...by, companyId, action: joinAction(by, personId), target: email, details: { role } }),
      endOffer({ companyId }, email),
    ],
    check: ([joined]) => {
      if (joined?.length !== 1) throw failure.alreadyMember()
    },
  }
}

/** Whoever is a member, or was removed, must not join by an older invitation. */
const endOffer = (company: OfCompany, email: string): Sql =>
  sql`delete from ${companyRows('invitation', company)} and email = ${email} and accepted_at is null`

const joinAction = ({ actorId }: Actor, personId: string) => (actorId === personId ? 'member.joined' : 'member.added')

/** Statements for a transaction, and what must hold of their results. */
export interface TransactionPart {
  readonly statements: readonly Sql[]
  check(results: readonly Rows[]): void
}

/**
 * Whoever is removed, or leaves, stays signed in. Sessions of one who is removed stay with the company, so that nothing that was
 * meant for it is done in another; one who leaves knows it, and goes on in another.
 */
export async function removeMember(db: Companies, by: Actor, companyId: string, personId: string): Promise<void> {
  const own = db.forCompany(companyId)
  const { email, role } = await findMember(own, personId)
  const ended = await endInvitations(by, own, { personId, email, reason: 'sender_removed' })
  await keepingOwner(own, {
    change: [
      by.actorId === personId
        ? sql`update session set company_id = null where person_id = ${personId} and company_id = ${companyId}`
        : sql`update session set company_id = ${companyId} where person_id = ${personId} and company_id is null`,
      sql`delete from ${companyRows('member', own)} and person_id = ${personId} returning role`,
    ],
    others: [
      auditStatement({ ...by, companyId, action: 'member.removed', target: email, details: { role } }),
      endOffer(own, email),
      ...ended.statements,
    ],
  })
}

interface MemberChange {
  /** The last of these changes the member, and returns it. */
  readonly change: readonly Sql[]
  readonly others: readonly Sql[]
}

/** A change of one member, unless it would leave the company without an owner. */
async function keepingOwner(own: CompanyStore, { change, others }: MemberChange): Promise<void> {
  const check = (results: readonly Rows[]): void => {
    if (results[change.length - 1]?.length !== 1) throw failure.notFound('member')
    if (results.at(-1)?.length === 0) throw failure.lastOwner()
  }
  await own.transact(
    [
      ...change,
      // Of two owners who step down at the same moment, one has to wait here and then see the other gone.
      sql`select id from company where id = ${own.companyId}${own.dialect.forUpdate}`,
      ...others,
      sql`select 1 from ${companyRows('member', own)} and role = 'owner' limit 1`,
    ],
    check,
  )
}
