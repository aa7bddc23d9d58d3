import type { Statements } from '../store/database.ts'
import type { Sql } from '../store/sql.ts'
import { type Actor, auditStatement } from './audit.ts'
import type { AuditAction } from './audit-action.ts'
import { listOwnCompanies } from './companies.ts'

/** Whose account it is, and who changes it. */
export interface Whose {
  readonly personId: string
  readonly email: string
  readonly by: Actor
}

/** What a person does with their account is in the log of each of their companies. */
export async function auditEverywhere(
  db: Pick<Statements, 'read'>,
  { personId, email, by }: Whose,
  action: AuditAction,
  details: Readonly<Record<string, unknown>> = {},
): Promise<readonly Sql[]> {
  const companies = await listOwnCompanies(db, personId)
  return companies.map(({ id }) => auditStatement({ ...by, companyId: id, action, target: email, details }))
}
