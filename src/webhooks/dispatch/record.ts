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
  const steps = tried.map(({ delivery, attempt }) => stepAfter(delivery, attempt, now))
  const ended = steps.filter(({ nextAt }) => nextAt === null)
  await own.transact([
    ...(isFailingNews ? [failing(own, endpoint)] : []),
    insertAttempts(
      own,
      endpoint.id,
      tried.map(({ attempt }) => attempt),
    ),
    ...steps.map((step) => apply(own, endpoint.id, step)),
    ...[...new Set(ended.map(({ delivery }) => delivery.rowId))].map((rowId) =>
      letGoOn(own, endpoint.id, timestampText(now), rowId),
    ),
  ])
}

interface Step {
  readonly delivery: Due
  readonly state: 'pending' | 'delivered' | 'failed'
  /** null: it has ended. */
  readonly nextAt: string | null
}

/** What becomes of a delivery after an attempt. */
function stepAfter(delivery: Due, attempt: Attempt, now: Date): Step {
  if (isReceived(attempt)) return { delivery, state: 'delivered', nextAt: null }
  const next = nextAttempt(delivery.attempts + 1, attempt.retryAfter, now)
  return next === null
    ? { delivery, state: 'failed', nextAt: null }
    : { delivery, state: 'pending', nextAt: timestampText(next) }
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

/** A delivery that was replayed while it was sent has another time by now, and is sent again. */
const apply = (own: OfCompany, endpointId: string, { delivery, state, nextAt }: Step): Sql =>
  sql`${updateCompanyRows('webhook_delivery', own, sql`state = ${state}, attempts = attempts + 1, next_at = ${nextAt}`)}
      and endpoint_id = ${endpointId} and event_id = ${delivery.eventId} and next_at = ${delivery.dueAt}`

/** The earliest of the events that wait for a row. It is changed by its key, because SQLite would go through all to find it by its number. */
const letGoOn = (own: OfCompany, endpointId: string, now: string, rowId: string): Sql =>
  sql`${updateCompanyRows('webhook_delivery', own, sql`next_at = ${now}`)}
      and endpoint_id = ${endpointId} and next_at is null
      and event_id = (select event_id from ${pendingOfRow(own, endpointId, rowId)} order by sequence limit 1)`

/** The pending events of a row, in an index that has them in their order. */
export const pendingOfRow = (own: OfCompany, endpointId: string, rowId: string): Sql =>
  sql`${companyRows('webhook_delivery', own, 'waiting')}
        and waiting.endpoint_id = ${endpointId} and waiting.state = 'pending' and waiting.row_id = ${rowId}`
