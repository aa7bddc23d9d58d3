import { failure } from '../errors/index.ts'
import { companyRows, updateCompanyRows } from '../store/compile/company-rows.ts'
import type { Companies, Database } from '../store/database.ts'
import { deleteCompany } from '../store/delete-company.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Actor, auditStatement } from './audit.ts'
import type { Company } from './companies.ts'
import { endInvitations } from './end-invitations.ts'

/** Hands a company to another member, whose e-mail address is the answer. Whoever had it stays as a developer. */
export async function transferCompany(
  db: Companies,
  by: Actor,
  { companyId, from, to }: { readonly companyId: string; readonly from: string; readonly to: string },
): Promise<string> {
  if (from === to) throw failure.notFound('other member')
  const own = db.forCompany(companyId)
  const [person] = await own.read(sql`
    select p.email from person p where p.id = ${to} and exists (
      select 1 from ${companyRows('member', own, 'm')} and m.person_id = p.id)`)
  if (!person) throw failure.notFound('member')
  const email = String(person[0])
  const ended = await endInvitations(by, own, { personId: from, email: by.actor, reason: 'sender_not_owner' })
  await own.transact(
    [
      sql`${updateCompanyRows('member', own, sql`role = 'owner'`)} and person_id = ${to} returning role`,
      sql`${updateCompanyRows('member', own, sql`role = 'developer'`)} and person_id = ${from}`,
      auditStatement({ ...by, companyId, action: 'company.transferred', target: email, details: {} }),
      ...ended.statements,
    ],
    ([given]) => {
      if (given?.length !== 1) throw failure.notFound('member')
    },
  )
  return email
}

const undoMs = 7 * 86_400_000

/** Has a company deleted in seven days. Until then, its credentials are refused, and an owner can undo it. */
export async function startDeletion(db: Companies, by: Actor, { id, name }: Company): Promise<string> {
  const deleteAfter = timestampText(new Date(Date.now() + undoMs))
  await db.forCompany(id).transact(
    [
      sql`update company set delete_after = ${deleteAfter} where id = ${id} and delete_after is null returning id`,
      auditStatement({
        ...by,
        companyId: id,
        action: 'company.deletion_started',
        target: name,
        details: { deleted_at: deleteAfter },
      }),
    ],
    ([started]) => {
      if (started?.length !== 1) throw failure.companyEnding()
    },
  )
  return deleteAfter
}

export async function undoDeletion(db: Companies, by: Actor, { id, name }: Company): Promise<void> {
  const now = timestampText(new Date())
  await db
    .forCompany(id)
    .transact(
      [
        sql`update company set delete_after = null where id = ${id} and delete_after > ${now} returning id`,
        auditStatement({ ...by, companyId: id, action: 'company.deletion_undone', target: name, details: {} }),
      ],
      ([undone]) => {
        if (undone?.length !== 1) throw failure.notFound('deletion to undo')
      },
    )
}

/** Deletes the companies whose seven days are over. */
export async function sweepCompanies(db: Database, now = new Date()): Promise<void> {
  const due = await db.read(sql`select id from company where delete_after <= ${timestampText(now)} order by id`)
  for (const [id] of due) await deleteCompany(db, String(id))
}
