import type { Exchange } from '../exchange.ts'
import { type Ending, outcomeOf } from '../keys/record-use.ts'
import { createStrays } from '../keys/strays.ts'
import type { Database } from '../store/database.ts'
import { createFlusher } from '../store/flusher.ts'
import { writeTogether } from '../store/write-together.ts'
import { createQuota, type Owner } from './create-quota.ts'
import { type LoggedRequest, makeLoggedRequest } from './logged-request.ts'
import { keptMax, trimRequests } from './trim-requests.ts'
import { type OwnedRequest, writeRequests } from './write-requests.ts'

/** Keeps the latest requests of each credential, and writes them every few seconds. */
export interface RequestLog {
  record(http: Request, exchange: Exchange, ending: Ending): void
  /** Writes what is waiting. Never fails: what cannot be written is kept for the next time, up to a minute. */
  flush(): Promise<void>
  /** Writes what is waiting for the last time. */
  stop(): Promise<void>
}

const waitMs = 2000
/** Whoever tries a request should see it soon. */
const firstWaitMs = 250
const waitingMax = 10_000
const rowsAtOnce = 256
/** What could not be written for so long is given up. */
const triedMs = 60_000
/** After so many new rows of a company, its old ones are deleted. */
const trimEach = keptMax / 100

export function createRequestLog(db: Database, failed: (error: unknown) => void = () => {}): RequestLog {
  const quota = createQuota()
  let waiting: OwnedRequest[] = []
  const strays = createStrays<LoggedRequest>(db, failed)
  /** New rows since the old ones were deleted, by company. */
  const untrimmed = new Map<string, number>()
  const { schedule, flush, stop, isStopped } = createFlusher(write)
  let flushedAt = Number.NEGATIVE_INFINITY

  function record(http: Request, exchange: Exchange, ending: Ending): void {
    const owner = exchange.caller ?? exchange.ended
    if (owner !== null) {
      const isOk = outcomeOf(exchange, ending) === 'ok'
      if (quota.take(owner, isOk, exchange.id)) keep(owner, makeLoggedRequest(http, exchange, ending))
    } else if (exchange.keyStart !== null) {
      strays.add(exchange.keyStart, () => makeLoggedRequest(http, exchange, ending))
      schedule(waitMs)
    }
  }

  function keep({ companyId, credentialId }: Owner, request: LoggedRequest): void {
    if (waiting.length >= waitingMax) return
    waiting.push({ companyId, credentialId, request })
    schedule(performance.now() - flushedAt > waitMs ? firstWaitMs : waitMs)
  }

  async function write(): Promise<void> {
    await claimStrays()
    flushedAt = performance.now()
    const requests = waiting
    waiting = []
    const leftOut = quota.takeLeftOut(isStopped())
    for (let at = 0; at < requests.length; at += rowsAtOnce)
      await writeTogether(db, requests.slice(at, at + rowsAtOnce), writing)
    if (leftOut.length > 0) await writeRequests(db, [], leftOut).catch(failed)
    if (!isStopped()) await trim()
    // Then it is known how many were left out.
    if (quota.isCounting()) schedule(quota.endsInMs())
  }

  const writing = {
    companyOf: ({ companyId }: OwnedRequest) => companyId,
    write: async (part: readonly OwnedRequest[]) => {
      await writeRequests(db, part, [])
      for (const { companyId } of part) untrimmed.set(companyId, (untrimmed.get(companyId) ?? 0) + 1)
    },
    failed: (part: readonly OwnedRequest[], error: unknown) => {
      const since = Date.now() - triedMs
      waiting.push(...part.filter(({ request }) => request.at > since).slice(0, waitingMax - waiting.length))
      failed(error)
      schedule(waitMs)
    },
  }

  async function trim(): Promise<void> {
    for (const [companyId, rows] of untrimmed) {
      if (rows < trimEach) continue
      untrimmed.delete(companyId)
      await trimRequests(db, companyId).catch(failed)
    }
  }

  /** A request with a mistyped key is one of the credential whose key begins the same way. */
  async function claimStrays(): Promise<void> {
    for (const [owner, request] of await strays.claim()) if (quota.take(owner, false, request.id)) keep(owner, request)
  }

  return { record, flush, stop }
}
