import { createHash, randomBytes } from 'node:crypto'
import { failure } from '../errors/index.ts'
import {
  companyRows,
  insertCompanyRow,
  joinedCompanyRows,
  tableOfAllCompanies,
  updateCompanyRows,
} from '../store/compile/company-rows.ts'
import type { Companies, Statements, Store } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Actor, auditStatement } from './audit.ts'
import { joinCompany, type TransactionPart } from './members.ts'
import { type Role, roleOf } from './roles.ts'
import type { Session } from './sessions.ts'

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  readonly expiresAt: string
  readonly invitedBy: string
}

/** An invitation as the invited person sees it. */
export interface Offer {
  readonly id: string
  readonly companyId: string
  readonly company: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly hasAccount: boolean
  readonly requiresTwoFactor: boolean
}

const validMs = 7 * 86_400_000
/** Of one company. Those of an owner end all at once when they are removed, each with its entry in the log. */
const openMax = 500
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Those that nobody has accepted yet, the latest first. */
export async function listInvitations(db: Companies, companyId: string): Promise<Invitation[]> {
  const rows = await db.forCompany(companyId).read(sql`
    select i.id, i.email, i.role, i.created_at, i.expires_at, p.email
    from person p join ${joinedCompanyRows('invitation', { companyId }, 'i')} and i.invited_by = p.id
    where i.accepted_at is null and i.expires_at > ${timestampText(new Date())}
    order by i.id desc`)
  return rows.map(([id, email, role, createdAt, expiresAt, invitedBy]) => ({
    id: String(id),
    email: String(email),
    role: roleOf(role),
    createdAt: String(createdAt),
    expiresAt: String(expiresAt),
    invitedBy: String(invitedBy),
  }))
}

interface NewInvitation {
  readonly companyId: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
}

/** Invites an address; a new invitation takes the place of an open one. The token is in the answer and nowhere else. */
export async function createInvitation(db: Companies, by: Actor, { companyId, email, role, invitedBy }: NewInvitation) {
  const own = db.forCompany(companyId)
  const token = randomBytes(32).toString('base64url')
  const id = Bun.randomUUIDv7()
  const now = new Date()
  const expiresAt = timestampText(new Date(now.getTime() + validMs))
  const [, , ended] = await own.transact(
    [
      // Of two that are made at the same time, the second waits and then counts the first.
      sql`select id from company where id = ${companyId}${own.dialect.forUpdate}`,
      sql`select 1 from person p join ${joinedCompanyRows('member', own, 'm')} and m.person_id = p.id where p.email = ${email}`,
      sql`delete from ${companyRows('invitation', own)} and email = ${email} and accepted_at is null returning expires_at`,
      sql`select count(*) from ${companyRows('invitation', own)} and accepted_at is null and expires_at > ${timestampText(now)}`,
      insertCompanyRow('invitation', own, {
        ...{ id, email, role, token_digest: digestOf(token), invited_by: invitedBy },
        ...{ created_at: timestampText(now), expires_at: expiresAt },
      }),
      auditStatement({ ...by, companyId, action: 'member.invited', target: email, details: { role } }),
    ],
    ([, members, , counted]) => {
      if (members?.length) throw failure.alreadyMember()
      if (Number(counted?.[0]?.[0]) >= openMax) throw failure.tooManyInvitations(openMax)
    },
  )
  const replaced = ended?.some(([end]) => Date.parse(String(end)) > now.getTime()) ?? false
  return { id, email, role, expiresAt, token, replaced }
}

export async function revokeInvitation(db: Companies, by: Actor, companyId: string, id: string): Promise<void> {
  const own = db.forCompany(companyId)
  const open = sql`${companyRows('invitation', own)} and id = ${id} and accepted_at is null`
  const [row] = await own.read(sql`select email, role from ${open}`)
  if (!row) throw failure.notFound('invitation')
  const [email, role] = row.map(String)
  await own.transact(
    [
      sql`delete from ${open} returning id`,
      auditStatement({ ...by, companyId, action: 'invitation.revoked', target: email ?? '', details: { role } }),
    ],
    ([deleted]) => {
      if (deleted?.length !== 1) throw failure.notFound('invitation')
    },
  )
}

/** Takes back an invitation that could not be delivered, unless somebody has done so meanwhile. */
export async function undoInvitation(
  db: Companies,
  by: Actor,
  { companyId, id, email }: Pick<NewInvitation, 'companyId' | 'email'> & { readonly id: string },
): Promise<void> {
  await db
    .forCompany(companyId)
    .transact([
      sql`delete from ${companyRows('invitation', { companyId })} and id = ${id} and accepted_at is null`,
      auditStatement({ ...by, companyId, action: 'invitation.not_sent', target: email, details: {} }),
    ])
}

/** An invitation that can be accepted: it is open, whoever made it is still an owner, and its company stays. */
export async function findOffer(db: Pick<Statements, 'read'>, token: string): Promise<Offer> {
  const [row] = await db.read(sql`
    select i.id, i.company_id, c.name, i.email, i.role, i.invited_by, p.id, c.two_factor_required, c.delete_after
    from ${tableOfAllCompanies('invitation')} i join company c on c.id = i.company_id
    join ${tableOfAllCompanies('member')} o on o.company_id = i.company_id and o.person_id = i.invited_by and o.role = 'owner'
    left join person p on p.email = i.email
    where i.token_digest = ${digestOf(token)} and i.accepted_at is null and i.expires_at > ${timestampText(new Date())}`)
  if (!row) throw failure.invitationUnknown()
  const [id, companyId, company, email, role, invitedBy, personId, requiresTwoFactor, deleteAfter] = row
  if (deleteAfter !== null) throw failure.invitationOnHold()
  return {
    id: String(id),
    companyId: String(companyId),
    company: String(company),
    email: String(email),
    role: roleOf(role),
    invitedBy: String(invitedBy),
    hasAccount: personId !== null,
    requiresTwoFactor: Boolean(requiresTwoFactor),
  }
}

/** What makes a person a member by an invitation: each is good for once, while its maker is an owner and its company stays. */
export function joinBy(
  { dialect }: Pick<Store, 'dialect'>,
  { id, companyId, email, role, invitedBy }: Offer,
  { personId, by }: { readonly personId: string; readonly by: Actor },
): TransactionPart {
  const now = timestampText(new Date())
  const joining = joinCompany(by, { companyId, personId, email, role })
  return {
    statements: [
      sql`select 1 from ${companyRows('member', { companyId })} and person_id = ${invitedBy} and role = 'owner'${dialect.forUpdate}`,
      // A deletion that starts at the same moment has to wait here, or is seen.
      sql`select delete_after from company where id = ${companyId}${dialect.forUpdate}`,
      sql`${updateCompanyRows('invitation', { companyId }, sql`accepted_at = ${now}`)} and id = ${id}
          and accepted_at is null and expires_at > ${now} returning id`,
      ...joining.statements,
    ],
    check: ([owners, companies, accepted, ...joined]) => {
      if (owners?.length !== 1 || accepted?.length !== 1) throw failure.invitationUnknown()
      if (companies?.[0]?.[0] !== null) throw failure.invitationOnHold()
      joining.check(joined)
    },
  }
}

/** A signed-in person accepts an invitation, and looks at its company, whose id is the answer, from then on. */
export async function acceptInvitation(
  db: Store,
  by: Actor,
  { person, sessionId }: Session,
  token: string,
): Promise<string> {
  const offer = await findOffer(db, token)
  if (offer.email !== person.email) throw failure.invitationForOther()
  const { statements, check } = joinBy(db, offer, { personId: person.id, by })
  const choose = sql`update session set company_id = ${offer.companyId} where id = ${sessionId} and person_id = ${person.id}`
  await db.transact([...statements, choose], check)
  return offer.companyId
}
