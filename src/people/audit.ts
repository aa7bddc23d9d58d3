import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'

/** Who did something, and from where. */
export interface Actor {
  readonly actorId: string | null
  readonly actor: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
}

/** What a browser says of itself, as long as anybody would read it. */
export const cutUserAgent = (text: string): string => text.slice(0, 200)

export const commandLine: Actor = {
  actorId: null,
  actor: 'command line',
  address: null,
  userAgent: null,
  requestId: null,
}

type AuditAction =
  | `company.${'created' | 'renamed'}`
  | `member.${'invited' | 'joined' | 'role_changed' | 'removed'}`
  | 'invitation.revoked'
  | `credential.${'created' | 'renamed' | 'limited' | 'rotated' | 'secret_ended' | 'revoked' | 'exposed'}`

export interface AuditEvent extends Actor {
  readonly companyId: string
  readonly action: AuditAction
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The record of a change, for the same transaction as the change itself. Nothing ever changes or removes one. */
export function auditStatement({ companyId, actorId, actor, action, target, details, ...from }: AuditEvent): Sql {
  const { address, userAgent, requestId } = from
  return sql`
    insert into audit_event (company_id, id, actor_id, actor, action, target, details, address, user_agent, request_id, created_at)
    values (${companyId}, ${Bun.randomUUIDv7()}, ${actorId}, ${actor}, ${action}, ${target}, ${JSON.stringify(details)},
      ${address}, ${userAgent}, ${requestId}, ${timestampText(new Date())})`
}
