import type { ResourceName } from '../../resources/define.ts'

/** Tables of a company's own, each spread over the nodes by company: all that one company has lies on one of them. */
export const distributedTables = [
  'bid',
  'project',
  'audit_event',
  'credential_usage',
  'credential_last_use',
  'idempotency',
  'field',
  'field_set',
  'field_value',
  'request_log',
  'request_latency',
  'event',
  'event_counter',
  'event_inbox',
  'webhook_endpoint',
  'webhook_delivery',
  'webhook_attempt',
] as const

export type DistributedTable = (typeof distributedTables)[number]

/** Tables that are whole on every node, and why. A change of them needs all nodes, so there are as few as possible. */
export const referenceTables = {
  company: 'is what the tables of companies refer to',
  credential: 'is what the counts of its use refer to, and read together with them',
  credential_secret: 'is read and changed together with the credential',
} as const

/** Tables that stay on the coordinator, and why: what looks into them does not know the company yet, or any. */
export const coordinatorTables = {
  person: 'belongs to several companies',
  session: 'is looked up by its token, which says who asks',
  account: 'is looked up by its person',
  verification: 'is looked up by what it verifies',
  two_factor: 'is looked up by its person',
  passkey: 'is looked up by its credential, which says who signs in',
  sign_in: 'is looked up by its person',
  member: 'is looked up by the person, to find their companies',
  invitation: 'is looked up by its token, which says which company invites',
  webhook_due: 'is looked up by time, to find endpoints that have something to do',
  setting: 'is for the whole service',
  migration: 'is for the whole service',
} as const

/**
 * Tables whose rows each belong to one company, by their `company_id`. `compile/company-rows.ts` alone names them in SQL.
 * A secret has no company of its own: it is reached by its credential.
 */
export const companyTables = [...distributedTables, 'credential', 'member', 'invitation', 'webhook_due'] as const

export type CompanyTable = (typeof companyTables)[number] | ResourceName
