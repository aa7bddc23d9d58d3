import { deleteFields } from '../fields/delete-fields.ts'
import { sweepUsage } from '../keys/write-usage.ts'
import { sweepCompanies } from '../people/end-company.ts'
import { sweepRequests } from '../request-log/trim-requests.ts'
import type { Database } from '../store/database.ts'
import { sweepEvents } from '../store/events/sweep-events.ts'
import { sweepOnce } from '../store/execute-once.ts'
import { sweepWebhooks } from '../webhooks/sweep.ts'

/** Deletes some kind of expired rows. */
type Forget = () => Promise<unknown>

/** All kinds of rows that expire. */
export const forgetters = (db: Database, eventsKeptMs: number): readonly Forget[] => [
  ...[sweepOnce, sweepUsage, sweepRequests, deleteFields, sweepCompanies].map((forget) => () => forget(db)),
  ...[sweepEvents, sweepWebhooks].map((forget) => () => forget(db, eventsKeptMs)),
]

/** The first time is soon enough for a service that is restarted often, and late enough not to slow the start of others. */
const times = { firstMs: 300_000, eachMs: 3_600_000 }

/** Deletes expired rows in the background, until what it returns is called. Each run follows the end of the one before. */
export function startSweeps(
  forgetAll: readonly Forget[],
  report: (error: unknown) => void,
  { firstMs, eachMs } = times,
): () => void {
  let isStopped = false
  let timer = setTimeout(run, firstMs)
  async function run(): Promise<void> {
    await Promise.all(forgetAll.map((forget) => forget().catch(report)))
    if (!isStopped) timer = setTimeout(run, eachMs)
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
