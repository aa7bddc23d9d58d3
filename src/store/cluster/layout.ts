import type { ResourceName } from '../../resources/define.ts'

/** Tables of a company's own, each spread over the nodes by company: all that one company has lies on one of them. */
export const distributedTables = [
  'bid',
  'project',
  'audit_event',
  'credential_usage',
  'credential_last_use',
  'idempotency',
] as const

/** Tables that are whole on every node, and why: what looks into them does not know the company yet, or any. */
export const referenceTables = {
  company: 'is what all others refer to',
  credential: 'is looked up by its key, which says which company asks',
  credential_secret: 'is looked up together with the credential',
  person: 'belongs to several companies',
  session: 'is looked up by its token, which says who asks',
  account: 'is looked up by its person',
  verification: 'is looked up by what it verifies',
  member: 'is looked up by the person, to find their companies',
  invitation: 'is looked up by its token, which says which company invites',
  setting: 'is for the whole service',
  migration: 'is for the whole service',
} as const

/**
 * Tables whose rows each belong to one company, by their `company_id`. `compile/company-rows.ts` alone names them in SQL.
 * A secret has no company of its own: it is reached by its credential.
 */
export const companyTables = [...distributedTables, 'credential', 'member', 'invitation'] as const

export type CompanyTable = (typeof companyTables)[number] | ResourceName
