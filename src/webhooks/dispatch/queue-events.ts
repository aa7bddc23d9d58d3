import type { Resource } from '../../resources/define.ts'
import { companyRows, insertIntoCompany, updateCompanyRows } from '../../store/compile/company-rows.ts'
import type { CompanyStore } from '../../store/database.ts'
import { readEvents, type StoredEvent } from '../../store/events/read-events.ts'
import { integer, join, type Sql, sql } from '../../store/sql.ts'
import { inSlices } from '../../traffic/in-slices.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { isChosen } from '../choose-events.ts'
import type { Endpoint } from '../endpoint.ts'
import { list, pendingOfRow } from './record.ts'

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
  const chosen: StoredEvent[] = []
  await inSlices(events, (event) => {
    if (isChosen(endpoint, event, known)) chosen.push(event)
  })
  const statements = chosen.length === 0 ? [] : await insertDeliveries(own, endpoint, chosen)
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

/** Of the pending events of a row, only the earliest has a time: the others wait until it has ended. */
async function insertDeliveries(own: CompanyStore, { id }: Endpoint, events: readonly StoredEvent[]): Promise<Sql[]> {
  const pending = await firstPending(own, id, events)
  const firsts = new Map(pending)
  const now = timestampText(new Date())
  const rows = events.map(({ id: eventId, sequence, type, rowId, createdAt }) => {
    const isFirst = sequence < (firsts.get(rowId) ?? Number.POSITIVE_INFINITY)
    if (isFirst) firsts.set(rowId, sequence)
    return sql`(${own.companyId}, ${id}, ${eventId}, ${sequence}, ${type}, ${rowId}, 'pending', 0, ${isFirst ? now : null}, ${createdAt})`
  })
  const inserted = sql`${insertIntoCompany('webhook_delivery', columns)} values ${join(rows, ', ')}
    on conflict (company_id, endpoint_id, event_id)
    do update set state = excluded.state, attempts = excluded.attempts, next_at = excluded.next_at
    where webhook_delivery.state <> 'pending'`
  const preceded = [...pending].flatMap(([rowId, sequence]) => (firsts.get(rowId) === sequence ? [] : [rowId]))
  return [inserted, ...preceded.map((rowId) => holdBack(own, id, rowId))]
}

/** The number of the earliest pending event of each row that has one. */
async function firstPending(
  own: CompanyStore,
  endpointId: string,
  events: readonly StoredEvent[],
): Promise<Map<string, number>> {
  const rowIds = [...new Set(events.map(({ rowId }) => rowId))]
  const rows = await own.read(sql`
    select row_id, min(sequence) from ${companyRows('webhook_delivery', own)} and endpoint_id = ${endpointId}
      and state = 'pending' and row_id in (${list(rowIds)}) group by row_id`)
  return new Map(rows.map(([rowId, sequence]) => [String(rowId), Number(sequence)]))
}

/** After a replay, an event may be pending that is later than those that are sent again. */
const holdBack = (own: CompanyStore, endpointId: string, rowId: string): Sql =>
  sql`${updateCompanyRows('webhook_delivery', own, sql`next_at = ${null}`)}
      and endpoint_id = ${endpointId} and next_at is not null and event_id in (
        select event_id from ${pendingOfRow(own, endpointId, rowId)} order by sequence limit ${integer(pendingMax)} offset 1)`
