import { failure } from '../errors/index.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import type { Database, Right, Rows, Statements, Steps } from '../store/database.ts'
import { keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { TransactionPart } from './members.ts'
import { type Role, requireRole } from './roles.ts'
import type { SessionCompany } from './sessions.ts'

/** The session and role that a person must still have when their request takes effect. */
export interface Need {
  readonly sessionId: string
  readonly personId: string
  /** The company of the request, and the lowest role that may do it; null if every signed-in person may. */
  readonly membership: Membership | null
}

interface Membership {
  readonly companyId: string
  readonly role: Role
  /** Whether it changes something, which nobody may while the company is about to be deleted. */
  readonly changesCompany: boolean
}

/** What may have changed of a company while a request went on. */
export type CompanyNow = Pick<SessionCompany, 'fieldsVersion' | 'hasEvents'>

/** Reads the session and the role again, and throws if either has ended. Tells of the company, where there is one. */
export async function confirmRight(db: Pick<Statements, 'read'>, need: Need): Promise<CompanyNow | null> {
  const { sessionId, personId, membership } = need
  const role = membership
    ? sql`(select role from ${companyRows('member', membership)} and person_id = ${personId})`
    : keyword('null')
  const lacking = membership ? sql`exists (${twoFactorLacking(membership, need)})` : keyword('false')
  const [row] = await db.read(sql`
    select ${role}, ${lacking}, c.delete_after, c.fields_version, c.events from session s left join company c on c.id = ${membership?.companyId ?? null}
    where s.id = ${sessionId} and s.person_id = ${personId} and s.expires_at > ${timestampText(new Date())}`)
  if (!row) throw failure.notSignedIn()
  const [roleNow, isLacking, deleteAfter, fieldsVersion, events] = row
  if (membership) requireRole(roleNow, membership.role)
  if (isLacking) throw failure.twoFactorRequired()
  if (membership?.changesCompany && deleteAfter !== null) throw failure.companyEnding()
  return membership && { fieldsVersion: Number(fieldsVersion), hasEvents: events === 'on' }
}

/** Finds something if the company requires two factors and the session has one: a passkey counts as two. */
const twoFactorLacking = ({ companyId }: Membership, { sessionId, personId }: Need): Sql =>
  sql`select 1 from company c, person p, session s
      where c.id = ${companyId} and c.two_factor_required and p.id = ${personId} and not p.two_factor_enabled
      and s.id = ${sessionId} and not s.by_passkey`

/** Finds something if the company is about to be deleted. */
const isEnding = ({ companyId }: Membership): Sql =>
  sql`select 1 from company where id = ${companyId} and delete_after is not null`

/**
 * The same database for one request: each change first confirms the right, in the transaction of the change. The request
 * that ends the right waits for that transaction, so nothing is done after it.
 */
export const withRight = (db: Database, need: Need): Database => withProof(db, rightProof(db, need))

/** Statements that lock the rows of a right, and a check of what they found. */
export type Proof = () => TransactionPart

/** The same database, in which every change starts with the proof. */
export function withProof(db: Database, proof: Proof): Database {
  const ofCompany: Database['forCompany'] = (companyId) => {
    const own = db.forCompany(companyId)
    return { ...own, ...changesWithRight(own, proof) }
  }
  return {
    ...db,
    ...changesWithRight(db, proof),
    forCompany: ofCompany,
    // The session and the membership are not on the node of the company's rows.
    forRows: ofCompany,
  }
}

/** What changes rows, of all companies or of one. */
interface Changes {
  transactInSteps(work: Steps, right?: Right): Promise<void>
  transactLong(work: Steps, choose: readonly Sql[], right?: Right): Promise<void>
}

function changesWithRight(db: Changes, proof: Proof) {
  const confirmed: Changes['transactInSteps'] = (work, right) => db.transactInSteps(confirmFirst(proof(), work), right)
  const confirmedLong: Changes['transactLong'] = (work, choose, right) =>
    db.transactLong(confirmFirst(proof(), work), choose, right)
  return {
    transactInSteps: confirmed,
    transactLong: confirmedLong,
    transact: async (
      statements: Parameters<Statements['transact']>[0],
      check?: Parameters<Statements['transact']>[1],
      right?: Right,
    ): Promise<readonly Rows[]> => {
      let found: readonly Rows[] = []
      function* work(): Steps {
        found = yield statements
        check?.(found)
      }
      await confirmed(work(), right)
      return found
    },
  }
}

function* confirmFirst({ statements, check }: TransactionPart, work: Steps): Steps {
  check(yield statements)
  yield* work
}

/**
 * Locks the session, then the membership. Transactions that lock more continue with the sessions, members and company of
 * others in this order, to avoid deadlocks.
 */
export function rightProof({ dialect }: Database, need: Need): Proof {
  const { sessionId, personId, membership } = need
  return () => ({
    statements: [
      sql`select id from session where id = ${sessionId} and person_id = ${personId}
          and expires_at > ${timestampText(new Date())}${dialect.forUpdate}`,
      ...(membership
        ? [
            sql`select role from ${companyRows('member', membership)} and person_id = ${personId}${dialect.forUpdate}`,
            twoFactorLacking(membership, need),
            ...(membership.changesCompany ? [isEnding(membership)] : []),
          ]
        : []),
    ],
    check: ([sessions, members, lacking, ending]) => {
      if (sessions?.length !== 1) throw failure.notSignedIn()
      if (membership) requireRole(members?.[0]?.[0], membership.role)
      if (lacking?.length) throw failure.twoFactorRequired()
      if (ending?.length) throw failure.companyEnding()
    },
  })
}

/** A password change updates the account and then ends its sessions. This refuses a session that would start in between. */
export const passwordProof =
  ({ dialect }: Database, personId: string, hash: string): Proof =>
  () => ({
    statements: [sql`select id from account where person_id = ${personId} and password = ${hash}${dialect.forUpdate}`],
    check: ([accounts]) => {
      if (accounts?.length !== 1) throw failure.signInWrong()
    },
  })
