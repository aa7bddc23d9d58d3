import { companyRows, insertIntoCompany, type OfCompany, updateCompanyRows } from '../../store/compile/company-rows.ts'
import type { CompanyStore } from '../../store/database.ts'
import { join, type Sql, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { type Attempt, isReceived } from '../attempt.ts'
import type { Endpoint } from '../endpoint.ts'
import { nextAttempt } from './schedule.ts'
import type { Due } from './take.ts'

/** A delivery that was tried. */
export interface Tried {
  readonly delivery: Due
  readonly attempt: Attempt
}

interface Recorded {
  readonly endpoint: Endpoint
  readonly tried: readonly Tried[]
  /** Whether the endpoint has begun, or ceased, to fail. */
  readonly isFailingNews: boolean
}

/** Writes what came of some attempts: all or nothing. A delivery that ends lets the next event of its row go on. */
export async function record(own: CompanyStore, { endpoint, tried, isFailingNews }: Recorded): Promise<void> {
  const now = new Date()
  const plans = tried.map(({ delivery, attempt }) => ({ delivery, ...stepAfter(delivery, attempt, now) }))
  const ended = plans.filter(({ nextAt }) => nextAt === null)
  await own.transact([
    ...(isFailingNews ? [failing(own, endpoint)] : []),
    insertAttempts(
      own,
      endpoint.id,
      tried.map(({ attempt }) => attempt),
    ),
    ...(['delivered', 'failed'] as const).flatMap((state) => {
      const ids = ended.flatMap((plan) => (plan.state === state ? [plan.delivery.eventId] : []))
      return ids.length === 0 ? [] : [end(own, endpoint.id, state, ids)]
    }),
    ...plans.flatMap(({ delivery, nextAt }) => (nextAt === null ? [] : [retry(own, endpoint.id, delivery, nextAt)])),
    ...[...new Set(ended.map(({ delivery }) => delivery.rowId))].map((rowId) =>
      letGoOn(own, endpoint.id, timestampText(now), rowId),
    ),
  ])
}

/** What becomes of a delivery after an attempt. */
function stepAfter({ attempts }: Due, attempt: Attempt, now: Date) {
  if (isReceived(attempt)) return { state: 'delivered', nextAt: null } as const
  const next = nextAttempt(attempts + 1, attempt.retryAfter, now)
  return next === null ? ({ state: 'failed', nextAt: null } as const) : ({ state: 'pending', nextAt: next } as const)
}

const attemptColumns = ['endpoint_id', 'id', 'event_id', 'created_at', 'duration_ms', 'status', 'error', 'answer']

export function insertAttempts({ companyId }: OfCompany, endpointId: string, attempts: readonly Attempt[]): Sql {
  const rows = attempts.map(
    ({ id, eventId, at, durationMs, status, error, answer }) =>
      sql`(${companyId}, ${endpointId}, ${id}, ${eventId}, ${timestampText(at)}, ${durationMs}, ${status}, ${error}, ${answer})`,
  )
  return sql`${insertIntoCompany('webhook_attempt', attemptColumns)} values ${join(rows, ', ')}`
}

/** Since when it has received nothing. */
const failing = (own: OfCompany, { id, failingSince }: Endpoint): Sql =>
  sql`${updateCompanyRows('webhook_endpoint', own, sql`failing_since = ${failingSince}`)} and id = ${id}`

export const list = (texts: readonly string[]): Sql =>
  join(
    texts.map((text) => sql`${text}`),
    ', ',
  )

const end = (own: OfCompany, endpointId: string, state: string, ids: readonly string[]): Sql =>
  sql`${updateCompanyRows('webhook_delivery', own, sql`state = ${state}, attempts = attempts + 1, next_at = ${null}`)}
      and endpoint_id = ${endpointId} and event_id in (${list(ids)})`

const retry = (own: OfCompany, endpointId: string, { eventId }: Due, nextAt: Date): Sql =>
  sql`${updateCompanyRows('webhook_delivery', own, sql`attempts = attempts + 1, next_at = ${timestampText(nextAt)}`)}
      and endpoint_id = ${endpointId} and event_id = ${eventId}`

/** The earliest of the events that wait for a row. It is changed by its key, because SQLite would go through all to find it by its number. */
const letGoOn = (own: OfCompany, endpointId: string, now: string, rowId: string): Sql =>
  sql`${updateCompanyRows('webhook_delivery', own, sql`next_at = ${now}`)}
      and endpoint_id = ${endpointId} and next_at is null
      and event_id = (select event_id from ${pendingOfRow(own, endpointId, rowId)} order by sequence limit 1)`

/** The pending events of a row, in an index that has them in their order. */
export const pendingOfRow = (own: OfCompany, endpointId: string, rowId: string): Sql =>
  sql`${companyRows('webhook_delivery', own, 'waiting')}
        and waiting.endpoint_id = ${endpointId} and waiting.state = 'pending' and waiting.row_id = ${rowId}`
