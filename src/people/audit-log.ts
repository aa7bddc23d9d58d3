import { companyRows, type OfCompany } from '../store/compile/company-rows.ts'
import { contains } from '../store/compile/contains.ts'
import type { Row, Rows } from '../store/database.ts'
import type { Soon } from '../store/soon.ts'
import { empty, integer, join, keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'

/** An entry of the audit log, as it is stored. */
export interface LoggedEvent {
  readonly id: string
  readonly created_at: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
  readonly address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
}

/** The log of one company. */
interface AuditLog extends OfCompany {
  read(statement: Sql): Soon<Rows>
}

/** What is looked for; null where it does not matter. */
interface EventFilter {
  readonly action: string | null
  readonly actor: string | null
  readonly target: string | null
  /** Anywhere in the actor, the target or the address. */
  readonly search: string | null
  readonly since: Date | null
  readonly until: Date | null
}

/** Which of the events, and in which order. Ids are in the order of time. */
export interface EventPart {
  readonly filter: EventFilter
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
  /** The id of the last event of the part before. */
  readonly after?: string
}

/** A part of the company's audit log. */
export async function listEvents(
  db: AuditLog,
  { filter, direction, limit, offset, after }: EventPart,
): Promise<LoggedEvent[]> {
  const isUp = direction === 'asc'
  const from = after === undefined ? empty : sql` and id ${keyword(isUp ? '>' : '<')} ${after}`
  const rows = await db.read(sql`
    select id, created_at, actor, action, target, details, address, user_agent, request_id
    from ${eventRows(db, filter)}${from}
    order by id ${keyword(isUp ? 'asc' : 'desc')} limit ${integer(limit)} offset ${integer(offset)}`)
  return rows.map(eventOf)
}

export async function countEvents(db: AuditLog, filter: EventFilter): Promise<number> {
  const [[count] = []] = await db.read(sql`select count(*) from ${eventRows(db, filter)}`)
  return Number(count)
}

const eventRows = (db: AuditLog, filter: EventFilter): Sql =>
  sql`${companyRows('audit_event', db)}${conditions(filter)}`

function conditions({ action, actor, target, search, since, until }: EventFilter): Sql {
  const searched = [keyword('actor'), keyword('target'), keyword('address')]
  return join(
    [
      action === null ? empty : sql` and action = ${action}`,
      actor === null ? empty : sql` and ${contains(keyword('actor'), actor)}`,
      target === null ? empty : sql` and ${contains(keyword('target'), target)}`,
      search === null
        ? empty
        : sql` and (${join(
            searched.map((column) => contains(column, search)),
            ' or ',
          )})`,
      since === null ? empty : sql` and created_at >= ${timestampText(since)}`,
      until === null ? empty : sql` and created_at < ${timestampText(until)}`,
    ],
    '',
  )
}

function eventOf([id, created_at, actor, action, target, details, address, user_agent, request_id]: Row): LoggedEvent {
  const parsed: LoggedEvent['details'] = JSON.parse(String(details))
  return { id, created_at, actor, action, target, details: parsed, address, user_agent, request_id } as LoggedEvent
}
