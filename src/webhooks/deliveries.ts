import { failure } from '../errors/index.ts'
import type { Actor } from '../people/audit.ts'
import { companyRows, insertCompanyRow, updateCompanyRows } from '../store/compile/company-rows.ts'
import type { Companies, Right, Row, Rows } from '../store/database.ts'
import { readEventsOf } from '../store/events/read-events.ts'
import type { Soon } from '../store/soon.ts'
import { empty, integer, keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Attempt, attempt, isReceived } from './attempt.ts'
import { dueNow } from './dispatch/due.ts'
import { insertAttempts } from './dispatch/record.ts'
import { type Endpoint, type EndpointRef, secretsOf } from './endpoint.ts'
import { audited, findEndpoint } from './endpoints.ts'
import { bodyOf } from './event-body.ts'
import type { Seal } from './seal.ts'
import type { Send } from './send/send.ts'

export const states = ['pending', 'delivered', 'failed'] as const
type DeliveryState = (typeof states)[number]

/** One event for one endpoint. */
export interface Delivery {
  readonly eventId: string
  /** null: a test. */
  readonly sequence: number | null
  readonly type: string
  readonly rowId: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: string | null
  readonly createdAt: string
}

export interface DeliveryRef extends EndpointRef {
  readonly eventId: string
}

/** An attempt as it is stored. */
export type KeptAttempt = Omit<Attempt, 'at' | 'retryAfter'> & { readonly createdAt: string }

/** A company's own rows, for questions that may take long to answer. */
interface Reports {
  readonly companyId: string
  read(statement: Sql): Soon<Rows>
}

const columns = keyword('event_id, sequence, type, row_id, state, attempts, next_at, created_at')

function deliveryOf([eventId, sequence, type, rowId, state, attempts, nextAt, createdAt]: Row): Delivery {
  const known = { eventId, sequence: sequence === null ? null : Number(sequence), type, rowId, state }
  // The columns of the schema.
  return { ...known, attempts: Number(attempts), nextAt, createdAt } as Delivery
}

interface Page {
  readonly endpointId: string
  readonly state: DeliveryState | null
  /** The event of the last delivery of the previous page. */
  readonly before: string | null
  readonly most: number
}

/** Newest first. */
export async function listDeliveries(db: Reports, { endpointId, state, before, most }: Page): Promise<Delivery[]> {
  const rows = await db.read(sql`
    select ${columns} from ${companyRows('webhook_delivery', db)} and endpoint_id = ${endpointId}
      ${state === null ? empty : stateIs[state]}${before === null ? empty : sql` and event_id < ${before}`}
    order by event_id desc limit ${integer(most)}`)
  return rows.map(deliveryOf)
}

/** Written out, because an index is for one of them alone. */
const stateIs: Record<DeliveryState, Sql> = {
  pending: keyword(" and state = 'pending'"),
  delivered: keyword(" and state = 'delivered'"),
  failed: keyword(" and state = 'failed'"),
}

/** A delivery with its attempts, latest first, and what is sent; null if the event is no longer kept. */
export async function findDelivery(db: Companies, { companyId, id, eventId }: DeliveryRef) {
  const own = db.forCompany(companyId)
  const [row] = await own.read(
    sql`select body, ${columns} from ${companyRows('webhook_delivery', own)} and endpoint_id = ${id} and event_id = ${eventId}`,
  )
  if (!row) throw failure.notFound('delivery')
  const [testBody, ...rest] = row
  const delivery = deliveryOf(rest)
  const attempts = await own.read(sql`
    select id, event_id, created_at, duration_ms, status, error, answer from ${companyRows('webhook_attempt', own)}
      and endpoint_id = ${id} and event_id = ${eventId} order by id desc limit 100`)
  const [event] = await readEventsOf(own, delivery.sequence === null ? [] : [delivery.sequence])
  const body = typeof testBody === 'string' ? testBody : event ? bodyOf(event) : null
  return { delivery, attempts: attempts.map(attemptOf), body }
}

function attemptOf([id, eventId, createdAt, durationMs, status, error, answer]: Row): KeptAttempt {
  const numbers = { durationMs: Number(durationMs), status: status === null ? null : Number(status) }
  // The columns of the schema.
  return { id, eventId, createdAt, ...numbers, error, answer } as KeptAttempt
}

/** How the latest attempts went. */
export interface Figures {
  readonly attempts: number
  readonly received: number
  readonly averageMs: number | null
  readonly slowestMs: number | null
  readonly lastAt: string | null
  readonly nextAt: string | null
  readonly pending: number
}

/** So many attempts are looked at, of the last day. */
const measuredMax = 1000
const dayMs = 86_400_000
/** More are not counted. */
const pendingMax = 1000

export async function measure(db: Reports, endpointId: string): Promise<Figures> {
  const since = timestampText(new Date(Date.now() - dayMs))
  const [[attempts, received, averageMs, slowestMs, lastAt] = []] = await db.read(sql`
    select count(*), sum(case when status between 200 and 299 then 1 else 0 end), avg(duration_ms), max(duration_ms), max(created_at)
    from (select status, duration_ms, created_at from ${companyRows('webhook_attempt', db)}
      and endpoint_id = ${endpointId} and created_at > ${since} order by id desc limit ${integer(measuredMax)}) as latest`)
  const [[nextAt] = []] = await db.read(sql`
    select min(next_at) from ${companyRows('webhook_delivery', db)} and endpoint_id = ${endpointId} and next_at is not null`)
  const [[pending] = []] = await db.read(sql`
    select count(*) from (select event_id from ${companyRows('webhook_delivery', db)}
      and endpoint_id = ${endpointId} and state = 'pending' limit ${integer(pendingMax)}) as waiting`)
  return {
    attempts: Number(attempts),
    received: Number(received ?? 0),
    averageMs: averageMs === null ? null : Math.round(Number(averageMs)),
    slowestMs: slowestMs === null ? null : Number(slowestMs),
    lastAt: textOf(lastAt),
    nextAt: textOf(nextAt),
    pending: Number(pending),
  }
}

const textOf = (value: Row[number] | undefined): string | null => (typeof value === 'string' ? value : null)

/** Sends one event again, at once and whatever became of it before. */
export async function replayOne(db: Companies, { eventId, ...ref }: DeliveryRef, by: Actor): Promise<void> {
  const { url } = await findEndpoint(db, ref)
  const own = db.forCompany(ref.companyId)
  const changes = sql`state = 'pending', attempts = 0, next_at = ${timestampText(new Date())}`
  await own.transact(
    [
      sql`${updateCompanyRows('webhook_delivery', own, changes)} and endpoint_id = ${ref.id} and event_id = ${eventId} returning event_id`,
      dueNow(ref),
      audited(by, 'replayed', { ...ref, url }, { event_id: eventId }),
    ],
    ([changed]) => {
      if (changed?.length !== 1) throw failure.notFound('delivery')
    },
  )
}

interface TestParts {
  readonly seal: Seal
  readonly send: Send
  /** Of whoever asks for it, where that may end before it is sent. */
  readonly right?: Right
}

/** Sends an event that is none, at once and only once. */
export async function sendTest(db: Companies, { seal, send, right }: TestParts, endpoint: Endpoint): Promise<Attempt> {
  const { companyId, url } = endpoint
  const own = db.forCompany(companyId)
  const eventId = Bun.randomUUIDv7()
  const now = new Date()
  const body = JSON.stringify({ type: testType, timestamp: timestampText(now), data: { webhook_id: endpoint.id } })
  const secrets = secretsOf(seal, endpoint, now)
  const made =
    secrets.length === 0 ? unsigned(eventId) : await attempt(send, { companyId, url, secrets, eventId, body, right })
  await own.transact([
    insertCompanyRow('webhook_delivery', own, {
      ...{ endpoint_id: endpoint.id, event_id: eventId, type: testType, body, created_at: timestampText(now) },
      ...{ state: isReceived(made) ? 'delivered' : 'failed', attempts: 1 },
    }),
    insertAttempts(own, endpoint.id, [made]),
  ])
  return made
}

const testType = 'webhook.test'

/** The key of the secret was lost, or is another one here. */
export const unsigned = (eventId: string): Attempt => ({
  ...{ id: Bun.randomUUIDv7(), eventId, at: new Date(), durationMs: 0, status: null, answer: '', retryAfter: null },
  error: 'The secret cannot be decrypted with the key of this server. Give the webhook a new secret.',
})
