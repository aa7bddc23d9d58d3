import type { Resource } from '../../resources/define.ts'
import { companyRows, insertIntoCompany, updateCompanyRows } from '../../store/compile/company-rows.ts'
import type { CompanyStore } from '../../store/database.ts'
import { readEvents, type StoredEvent } from '../../store/events/read-events.ts'
import { integer, join, type Sql, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { isChosen } from '../choose-events.ts'
import type { Endpoint } from '../endpoint.ts'

/** Events that are read at once. */
const eventsMax = 200
/** More events than these do not become deliveries of one endpoint. They wait where they are. */
const pendingMax = 10_000

export interface Queued {
  readonly endpoint: Endpoint
  /** Whether there may be more events to queue now. */
  readonly hasMore: boolean
}

/**
 * Makes deliveries of the next events that an endpoint is sent. They commit together with how far it has come, and only
 * if nobody else has changed that.
 */
export async function queueEvents(own: CompanyStore, endpoint: Endpoint, known: readonly Resource[]): Promise<Queued> {
  const { events, hasMore } = await readEvents(own, endpoint.queuedSequence, eventsMax)
  const last = events.at(-1)
  if (!last || (await isFull(own, endpoint.id))) return { endpoint, hasMore: false }
  const chosen = events.filter((event) => isChosen(endpoint, event, known))
  const statements = chosen.length === 0 ? [] : [await insertDeliveries(own, endpoint, chosen)]
  const moved = sql`${updateCompanyRows('webhook_endpoint', own, sql`queued_sequence = ${last.sequence}`)}
    and id = ${endpoint.id} and queued_sequence = ${endpoint.queuedSequence} returning id`
  await own.transact([moved, ...statements], ([updated]) => {
    if (updated?.length !== 1) throw new Overtaken('An endpoint was replayed, deleted or taken over')
  })
  return { endpoint: { ...endpoint, queuedSequence: last.sequence }, hasMore }
}

/** Whoever meets it starts over. */
export class Overtaken extends Error {}

export async function isFull(own: CompanyStore, endpointId: string): Promise<boolean> {
  const [[count] = []] = await own.read(sql`
    select count(*) from (select event_id from ${companyRows('webhook_delivery', own)}
      and endpoint_id = ${endpointId} and state = 'pending' limit ${integer(pendingMax)}) as pending`)
  return Number(count) >= pendingMax
}

const columns = ['endpoint_id', 'event_id', 'sequence', 'type', 'row_id', 'state', 'attempts', 'next_at', 'created_at']

/** An event whose row has an earlier one pending has no time until that one has ended. */
async function insertDeliveries(own: CompanyStore, { id }: Endpoint, events: readonly StoredEvent[]): Promise<Sql> {
  const busy = await busyRows(own, id, events)
  const now = timestampText(new Date())
  const rows = events.map(({ id: eventId, sequence, type, rowId, createdAt }) => {
    const nextAt = busy.has(rowId) ? null : now
    busy.add(rowId)
    return sql`(${own.companyId}, ${id}, ${eventId}, ${sequence}, ${type}, ${rowId}, 'pending', 0, ${nextAt}, ${createdAt})`
  })
  return sql`${insertIntoCompany('webhook_delivery', columns)} values ${join(rows, ', ')}
    on conflict (company_id, endpoint_id, event_id)
    do update set state = excluded.state, attempts = excluded.attempts, next_at = excluded.next_at
    where webhook_delivery.state <> 'pending'`
}

async function busyRows(own: CompanyStore, endpointId: string, events: readonly StoredEvent[]): Promise<Set<string>> {
  const ids = [...new Set(events.map(({ rowId }) => rowId))].map((rowId) => sql`${rowId}`)
  const rows = await own.read(sql`
    select distinct row_id from ${companyRows('webhook_delivery', own)} and endpoint_id = ${endpointId}
      and state = 'pending' and row_id in (${join(ids, ', ')})`)
  return new Set(rows.map(([rowId]) => String(rowId)))
}
