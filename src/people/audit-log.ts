import { companyRows } from '../store/compile/company-rows.ts'
import { contains } from '../store/compile/contains.ts'
import type { CompanyStore, Row, Rows } from '../store/database.ts'
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
  db: CompanyStore,
  { filter, direction, limit, offset, after }: EventPart,
): Promise<LoggedEvent[]> {
  const isUp = direction === 'asc'
  const from = after === undefined ? empty : sql` and id ${keyword(isUp ? '>' : '<')} ${after}`
  const rows = await read(
    db,
    filter,
    sql`
    select id, created_at, actor, action, target, details, address, user_agent, request_id
    from ${eventRows(db, filter)}${from}
    order by id ${keyword(isUp ? 'asc' : 'desc')} limit ${integer(limit)} offset ${integer(offset)}`,
  )
  return rows.map(eventOf)
}

export async function countEvents(db: CompanyStore, filter: EventFilter): Promise<number> {
  const [[count] = []] = await read(db, filter, sql`select count(*) from ${eventRows(db, filter)}`)
  return Number(count)
}

/** To look for a text takes long, however few events there are. */
const read = (db: CompanyStore, { actor, target, search }: EventFilter, statement: Sql): Soon<Rows> =>
  actor === null && target === null && search === null
    ? db.readReport(['audit_event'], statement)
    : db.readLong(statement)

const eventRows = (db: CompanyStore, filter: EventFilter): Sql =>
  sql`${companyRows('audit_event', db)}${conditions(db, filter)}`

function conditions({ dialect }: CompanyStore, { action, actor, target, search, since, until }: EventFilter): Sql {
  const searched = [keyword('actor'), keyword('target'), keyword('address')]
  return join(
    [
      action === null ? empty : sql` and action = ${action}`,
      actor === null ? empty : sql` and ${contains(dialect, keyword('actor'), actor)}`,
      target === null ? empty : sql` and ${contains(dialect, keyword('target'), target)}`,
      search === null
        ? empty
        : sql` and (${join(
            searched.map((column) => contains(dialect, column, search)),
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
