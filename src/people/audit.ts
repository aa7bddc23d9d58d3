import { insertCompanyRow, insertCompanyRows } from '../store/compile/company-rows.ts'
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
export const auditStatement = (event: AuditEvent): Sql =>
  insertCompanyRow('audit_event', { companyId: event.companyId }, rowOf(event))

/** Records that one statement writes: few enough for the parameters that an engine takes. */
const recordsMax = 100

/** The same for changes of which there may be many. */
export const auditStatements = (events: readonly AuditEvent[]): readonly Sql[] =>
  [...Map.groupBy(events, ({ companyId }) => companyId)].flatMap(([companyId, own]) =>
    Array.from({ length: Math.ceil(own.length / recordsMax) }, (_, at) =>
      insertCompanyRows('audit_event', { companyId }, own.slice(at * recordsMax, (at + 1) * recordsMax).map(rowOf)),
    ),
  )

function rowOf({ actorId, actor, action, target, details, ...from }: AuditEvent) {
  const made = { id: Bun.randomUUIDv7(), created_at: timestampText(new Date()), details: JSON.stringify(details) }
  const { address, userAgent: user_agent, requestId: request_id } = from
  return { ...made, actor_id: actorId, actor, action, target, address, user_agent, request_id }
}
