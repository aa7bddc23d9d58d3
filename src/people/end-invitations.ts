import { companyRows, type OfCompany } from '../store/compile/company-rows.ts'
import type { Rows } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { type Actor, auditStatement } from './audit.ts'

/** Whose invitations end, and why. */
interface Sender {
  readonly personId: string
  readonly email: string
  readonly reason: 'sender_not_owner' | 'sender_removed' | 'account_deleted'
}

/**
 * Ends the invitations that a person has sent, as a part of a transaction in steps, and returns how many were open. Nobody may
 * come back, or stay what they were, by a link of their own making.
 */
export function* endInvitations(
  by: Actor,
  company: OfCompany,
  sender: Sender,
): Generator<readonly Sql[], number, readonly Rows[]> {
  const [ended = []] = yield [
    sql`delete from ${companyRows('invitation', company)} and invited_by = ${sender.personId} and accepted_at is null
        returning email, role, expires_at`,
  ]
  const open = ended.filter(([, , expiresAt]) => Date.parse(String(expiresAt)) > Date.now())
  if (open.length > 0)
    yield open.map(([email, role]) => endedEvent(by, company, { email: String(email), role: String(role), sender }))
  return open.length
}

interface Ended {
  readonly email: string
  readonly role: string
  readonly sender: Sender
}

/** What the log has to say of an invitation that has ended. */
export const endedEvent = (by: Actor, { companyId }: OfCompany, { email, role, sender }: Ended): Sql =>
  auditStatement({
    ...by,
    companyId,
    action: 'invitation.ended',
    target: email,
    details: { role, reason: sender.reason, invited_by: sender.email },
  })
