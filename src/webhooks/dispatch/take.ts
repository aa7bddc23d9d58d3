import { companyRows } from '../../store/compile/company-rows.ts'
import type { CompanyStore } from '../../store/database.ts'
import { readEventsOf } from '../../store/events/read-events.ts'
import { integer, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { bodyOf } from '../event-body.ts'

/** A delivery whose time has come. */
export interface Due {
  readonly eventId: string
  readonly rowId: string
  /** Failed ones so far. */
  readonly attempts: number
  /** null if the event is no longer kept. */
  readonly body: string | null
}

/** Those that have waited longest. Of each row, only the earliest pending event has a time. */
export async function takeDue(own: CompanyStore, endpointId: string, most: number): Promise<Due[]> {
  const rows = await own.read(sql`
    select event_id, sequence, row_id, attempts, body from ${companyRows('webhook_delivery', own)}
      and endpoint_id = ${endpointId} and next_at <= ${timestampText(new Date())}
    order by next_at, sequence limit ${integer(most)}`)
  const sequences = rows.flatMap(([, sequence]) => (sequence === null ? [] : [Number(sequence)]))
  const events = await readEventsOf(own, sequences)
  const bodies = new Map(events.map((event) => [event.sequence, bodyOf(event)]))
  return rows.map(([eventId, sequence, rowId, attempts, body]) => ({
    eventId: String(eventId),
    rowId: rowId === null ? String(eventId) : String(rowId),
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
