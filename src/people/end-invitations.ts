import { companyRows, type OfCompany } from '../store/compile/company-rows.ts'
import type { CompanyStore } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Actor, type AuditEvent, auditStatements } from './audit.ts'

/** Whose invitations end, and why. */
interface Sender {
  readonly personId: string
  readonly email: string
  readonly reason: 'sender_not_owner' | 'sender_removed' | 'account_deleted'
}

/** What ends the invitations of a person, as part of a transaction, and how many are open. */
export interface EndedInvitations {
  readonly statements: readonly Sql[]
  readonly open: number
}

/** Nobody may come back, or stay what they were, by a link of their own making. */
export async function endInvitations(by: Actor, own: CompanyStore, sender: Sender): Promise<EndedInvitations> {
  const sent = sql`${companyRows('invitation', own)} and invited_by = ${sender.personId} and accepted_at is null`
  const open = await own.read(sql`select email, role from ${sent} and expires_at > ${timestampText(new Date())}`)
  const events = open.map(([email, role]) => endedEvent(by, own, { email: String(email), role: String(role), sender }))
  return { statements: [sql`delete from ${sent}`, ...auditStatements(events)], open: open.length }
}

interface Ended {
  readonly email: string
  readonly role: string
  readonly sender: Sender
}

/** What the log has to say of an invitation that has ended. */
export const endedEvent = (by: Actor, { companyId }: OfCompany, { email, role, sender }: Ended): AuditEvent => ({
  ...by,
  companyId,
  action: 'invitation.ended',
  target: email,
  details: { role, reason: sender.reason, invited_by: sender.email },
})
