import { insertCompanyRow } from '../store/compile/company-rows.ts'
import type { Sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { AuditAction } from './audit-action.ts'

/** Who did something, and from where. */
export interface Actor {
  readonly actorId: string | null
  readonly actor: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
}

/** The user agent, cut to a readable length. */
export const cutUserAgent = (text: string): string => text.slice(0, 200)

export const commandLine: Actor = {
  actorId: null,
  actor: 'command line',
  address: null,
  userAgent: null,
  requestId: null,
}

/** What the service does by itself. */
export const service: Actor = { ...commandLine, actor: 'the service' }

export interface AuditEvent extends Actor {
  readonly companyId: string
  readonly action: AuditAction
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The audit record of a change, to be written in the transaction of the change. Records are never changed, and deleted only with their company. */
export function auditStatement({ companyId, actorId, actor, action, target, details, ...from }: AuditEvent): Sql {
  const made = { id: Bun.randomUUIDv7(), created_at: timestampText(new Date()), details: JSON.stringify(details) }
  const { address, userAgent: user_agent, requestId: request_id } = from
  const row = { ...made, actor_id: actorId, actor, action, target, address, user_agent, request_id }
  return insertCompanyRow('audit_event', { companyId }, row)
}
