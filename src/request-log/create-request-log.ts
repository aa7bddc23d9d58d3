import type { Exchange } from '../exchange.ts'
import { findKeyStarts } from '../keys/write-usage.ts'
import type { Database } from '../store/database.ts'
import { createQuota, type Owner } from './create-quota.ts'
import { type Ending, type LoggedRequest, makeLoggedRequest, outcomeOf } from './logged-request.ts'
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

/** Invalid keys whose start may be that of a credential. */
const strayKeysMax = 100
const straysMax = 10

export function createRequestLog(db: Database, failed: (error: unknown) => void = () => {}): RequestLog {
  const quota = createQuota()
  let waiting: OwnedRequest[] = []
  let strays = new Map<string, LoggedRequest[]>()
  /** New rows since the old ones were deleted, by company. */
  const untrimmed = new Map<string, number>()
  let timer: { readonly due: number; readonly id: ReturnType<typeof setTimeout> } | null = null
  let flushing: Promise<void> | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let isStopped = false

  function record(http: Request, exchange: Exchange, ending: Ending): void {
    const owner = exchange.caller ?? exchange.ended
    if (owner !== null) {
      const isOk = outcomeOf(exchange, ending) === 'ok'
      if (quota.take(owner, isOk, exchange.id)) keep(owner, makeLoggedRequest(http, exchange, ending))
    } else if (exchange.keyStart !== null) recordStray(exchange.keyStart, http, exchange, ending)
  }

  function keep({ companyId, credentialId }: Owner, request: LoggedRequest): void {
    if (waiting.length >= waitingMax) return
    waiting.push({ companyId, credentialId, request })
    schedule(performance.now() - flushedAt > waitMs ? firstWaitMs : waitMs)
  }

  function recordStray(keyStart: string, http: Request, exchange: Exchange, ending: Ending): void {
    const found = strays.get(keyStart) ?? []
    if (found.length >= straysMax || (found.length === 0 && strays.size >= strayKeysMax)) return
    found.push(makeLoggedRequest(http, exchange, ending))
    strays.set(keyStart, found)
    schedule(waitMs)
  }

  function schedule(delayMs: number): void {
    const due = performance.now() + delayMs
    if (isStopped || (timer && timer.due <= due)) return
    if (timer) clearTimeout(timer.id)
    timer = { due, id: setTimeout(flush, delayMs) }
  }

  async function flush(): Promise<void> {
    while (flushing) await flushing
    if (timer) clearTimeout(timer.id)
    timer = null
    flushing = write().finally(() => {
      flushing = null
    })
    await flushing
  }

  async function write(): Promise<void> {
    await claimStrays()
    flushedAt = performance.now()
    const requests = waiting
    waiting = []
    const leftOut = quota.takeLeftOut(isStopped)
    for (let at = 0; at < requests.length; at += rowsAtOnce) await writePart(requests.slice(at, at + rowsAtOnce))
    if (leftOut.length > 0) await writeRequests(db, [], leftOut).catch(failed)
    if (!isStopped) await trim()
    // Then it is known how many were left out.
    if (quota.isCounting()) schedule(quota.endsInMs())
  }

  async function writePart(part: readonly OwnedRequest[]): Promise<void> {
    try {
      await writeRequests(db, part, [])
      for (const { companyId } of part) untrimmed.set(companyId, (untrimmed.get(companyId) ?? 0) + 1)
    } catch (error) {
      if (db.explain(error) === 'foreign key') return writeApart(part)
      const since = Date.now() - triedMs
      waiting.push(...part.filter(({ request }) => request.at > since).slice(0, waitingMax - waiting.length))
      failed(error)
      schedule(waitMs)
    }
  }

  /** A company may be gone by now: its requests are given up, and those of the others written. */
  async function writeApart(part: readonly OwnedRequest[]): Promise<void> {
    const companies = [...Map.groupBy(part, ({ companyId }) => companyId).values()]
    if (companies.length > 1) for (const own of companies) await writePart(own)
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
    const claimed = strays
    strays = new Map()
    if (claimed.size === 0) return
    const owners = await findKeyStarts(db, [...claimed.keys()]).catch(failed)
    for (const owner of owners ?? [])
      for (const request of claimed.get(owner.keyStart) ?? [])
        if (quota.take(owner, false, request.id)) keep(owner, request)
  }

  return {
    record,
    flush,
    stop: async () => {
      isStopped = true
      await flush()
    },
  }
}
