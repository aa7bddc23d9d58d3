import { companyRows } from '../../store/compile/company-rows.ts'
import type { CompanyStore, Rows } from '../../store/database.ts'
import { readEventsOf } from '../../store/events/read-events.ts'
import { integer, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { bodyOf } from '../event-body.ts'

/** A delivery whose time has come. */
export interface Due {
  readonly eventId: string
  readonly rowId: string
  /** As it is stored: who changes it wants it sent again. */
  readonly dueAt: string
  /** Failed ones so far. */
  readonly attempts: number
  /** null if the event is no longer kept. */
  readonly body: string | null
}

/** Events that are read by one statement. */
const readMax = 10
/** What is taken ends with the events that exceed so many characters. */
const charactersMax = 1024 * 1024

/** Those that have waited longest: not more than `most`, and fewer where they are large. Of each row, only the earliest pending event has a time. */
export async function takeDue(own: CompanyStore, endpointId: string, most: number): Promise<Due[]> {
  const rows = await own.read(sql`
    select event_id, sequence, row_id, next_at, attempts, body from ${companyRows('webhook_delivery', own)}
      and endpoint_id = ${endpointId} and next_at <= ${timestampText(new Date())}
    order by next_at, sequence limit ${integer(most)}`)
  const due: Due[] = []
  for (let characters = 0; due.length < rows.length && characters < charactersMax; ) {
    const some = await withBodies(own, rows.slice(due.length, due.length + readMax))
    due.push(...some)
    characters += some.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
  }
  return due
}

async function withBodies(own: CompanyStore, rows: Rows): Promise<Due[]> {
  const sequences = rows.flatMap(([, sequence]) => (sequence === null ? [] : [Number(sequence)]))
  const events = await readEventsOf(own, sequences)
  const bodies = new Map(events.map((event) => [event.sequence, bodyOf(event)]))
  return rows.map(([eventId, sequence, rowId, dueAt, attempts, body]) => ({
    eventId: String(eventId),
    rowId: rowId === null ? String(eventId) : String(rowId),
    dueAt: String(dueAt),
    attempts: Number(attempts),
    body: typeof body === 'string' ? body : (bodies.get(Number(sequence)) ?? null),
  }))
}

/** When the next delivery is due; null if none is. */
export async function nextDueAt(own: CompanyStore, endpointId: string): Promise<string | null> {
  const [[nextAt] = []] = await own.read(sql`
    select min(next_at) from ${companyRows('webhook_delivery', own)} and endpoint_id = ${endpointId} and next_at is not null`)
  return typeof nextAt === 'string' ? nextAt : null
}
