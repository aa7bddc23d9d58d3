import { failure } from '../errors/index.ts'
import { tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Statements, Store } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { auditStatements } from './audit.ts'
import { auditEverywhere, type Whose } from './audit-everywhere.ts'
import { endBegun } from './change-account.ts'
import type { Company } from './companies.ts'
import { endedEvent } from './end-invitations.ts'

interface OwnedAlone {
  /** They keep the person from being deleted. */
  readonly staying: readonly Company[]
  /** Those that are about to be deleted. Once the person is gone, only the operator can undo that. */
  readonly ending: readonly Company[]
}

/** Companies that nobody else owns. */
export async function listOwnedAlone(db: Pick<Statements, 'read'>, personId: string): Promise<OwnedAlone> {
  const rows = await db.read(ownedAlone(personId))
  const list = (isEnding: boolean): Company[] =>
    rows
      .filter(([, , deleteAfter]) => (deleteAfter !== null) === isEnding)
      .map(([id, name]) => ({ id: String(id), name: String(name) }))
  return { staying: list(false), ending: list(true) }
}

const ownedAlone = (personId: string): Sql => sql`
  select c.id, c.name, c.delete_after from ${tableOfAllCompanies('member')} m join company c on c.id = m.company_id
  where m.person_id = ${personId} and m.role = 'owner' and not exists (
    select 1 from ${tableOfAllCompanies('member')} o
    where o.company_id = m.company_id and o.role = 'owner' and o.person_id <> m.person_id)
  order by c.id`

/** Deletes a person with all that is theirs alone. What they did stays in the logs of their companies. */
export async function deletePerson(db: Store, whose: Whose): Promise<void> {
  const { personId } = whose
  const lock = await lockOwned(db, personId)
  const statements = [
    ...lock,
    ownedAlone(personId),
    ...(await auditEverywhere(db, whose, 'member.account_deleted')),
    ...(await auditInvitations(db, whose)),
    ...endBegun(personId),
    sql`delete from person where id = ${personId}`,
    // Without anybody, the installation is new again.
    sql`delete from setting where name = 'first_person' and not exists (select 1 from person)`,
  ]
  await db.transact(statements, (results) => {
    const alone = (results[lock.length] ?? []).filter(([, , deleteAfter]) => deleteAfter === null)
    if (alone.length > 0) throw failure.soleOwner(alone.map(([, name]) => String(name)))
  })
}

/** Of two owners who go at the same moment, one has to wait here and then sees the other gone. */
async function lockOwned(db: Store, personId: string): Promise<readonly Sql[]> {
  const owned = await db.read(sql`
    select company_id from ${tableOfAllCompanies('member')} where person_id = ${personId} and role = 'owner' order by company_id`)
  return owned.map(([id]) => sql`select id from company where id = ${id ?? null}${db.dialect.forUpdate}`)
}

/** The open invitations of the person end with the account. */
async function auditInvitations(db: Store, { personId, email, by }: Whose): Promise<readonly Sql[]> {
  const rows = await db.read(sql`
    select company_id, email, role from ${tableOfAllCompanies('invitation')}
    where invited_by = ${personId} and accepted_at is null and expires_at > ${timestampText(new Date())}`)
  const sender = { personId, email, reason: 'account_deleted' } as const
  return auditStatements(
    rows.map(([companyId, invited, role]) =>
      endedEvent(by, { companyId: String(companyId) }, { email: String(invited), role: String(role), sender }),
    ),
  )
}
