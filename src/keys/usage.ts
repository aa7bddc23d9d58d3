import { BoundedMap } from '../caches/bounded-map.ts'
import type { Database } from '../store/database.ts'
import { noLatency, stepOf } from './latency.ts'
import { isNews, lastOf, merged, type Stray, type Tally, type Use } from './tally.ts'
import { findKeyStarts, hourMs, writeUsage } from './write-usage.ts'

/** Counts requests by credential in memory, and writes the counts every few seconds. */
export interface Usage {
  record(use: Use): void
  recordStray(keyStart: string, stray: Stray): void
  /** Writes the counts. Never fails: what cannot be written is kept for the next time. */
  flush(): Promise<void>
  /** Writes the counts for the last time. */
  stop(): Promise<void>
}

const waitMs = 5000
/** For the first request of an hour: someone who tries a new credential should see it soon. */
const firstWaitMs = 250
const tallyMax = 50_000
const strayMax = 100
/** A node of a cluster that hangs must not delay the counts of all others. */
const partsAtOnce = 100

export function createUsage(db: Database, failed: (error: unknown) => void = () => {}): Usage {
  let waiting = new Map<string, Tally>()
  /** The tally of each credential's last request. Most requests find theirs here, without a key made of three parts. */
  let latest = new Map<string, Tally>()
  let strays = new Map<string, Stray>()
  /** The last hour in which each was seen. */
  const seen = new BoundedMap<number>(tallyMax)
  let timer: { readonly due: number; readonly id: ReturnType<typeof setTimeout> } | null = null
  let flushing: Promise<void> | null = null
  let isFailing = false
  let isStopped = false

  function record(use: Use): void {
    const hour = Math.floor(use.at / hourMs)
    const found = latest.get(use.credentialId)
    const tally = found?.hour === hour && found.last.secretId === use.secretId ? found : find(use, hour)
    if (isNews(tally.last, use)) tally.last = lastOf(use)
    tally.requests[use.outcome] += 1
    const step = stepOf(use.ms)
    tally.latency[step] = (tally.latency[step] ?? 0) + 1
    if (tally.requests[use.outcome] === 1)
      schedule(isNew(hour, `${use.credentialId} ${use.secretId} ${use.outcome}`) ? firstWaitMs : waitMs)
  }

  function find(use: Use, hour: number): Tally {
    const key = `${use.credentialId} ${use.secretId} ${hour}`
    const tally = waiting.get(key) ?? add(key, startTally(use, hour))
    latest.set(use.credentialId, tally)
    return tally
  }

  function add(key: string, tally: Tally): Tally {
    waiting.set(key, tally)
    if (waiting.size > tallyMax && !flushing && !isFailing) void flush()
    return tally
  }

  function recordStray(keyStart: string, stray: Stray): void {
    if (strays.size >= strayMax && !strays.has(keyStart)) return
    strays.set(keyStart, stray)
    schedule(isNew(Math.floor(stray.at / hourMs), keyStart) ? firstWaitMs : waitMs)
  }

  function isNew(hour: number, key: string): boolean {
    if (seen.get(key) === hour) return false
    seen.set(key, hour)
    return true
  }

  function schedule(delayMs: number): void {
    const due = Date.now() + delayMs
    if (isStopped || (timer && timer.due <= due)) return
    if (timer) clearTimeout(timer.id)
    timer = { due, id: setTimeout(flush, delayMs) }
  }

  async function flush(): Promise<void> {
    while (flushing) await flushing
    if (timer) clearTimeout(timer.id)
    timer = null
    if (waiting.size === 0 && strays.size === 0) return
    flushing = write().finally(() => {
      flushing = null
    })
    await flushing
  }

  async function write(): Promise<void> {
    await claimStrays()
    const tallies = waiting
    waiting = new Map()
    latest = new Map()
    isFailing = false
    const parts = partsOf(db, tallies)
    for (let at = 0; at < parts.length; at += partsAtOnce)
      await Promise.all(parts.slice(at, at + partsAtOnce).map(writePart))
  }

  async function writePart(part: readonly (readonly [string, Tally])[]): Promise<void> {
    try {
      await writeUsage(
        db,
        part.map(([, tally]) => tally),
      )
    } catch (error) {
      isFailing = true
      for (const [key, tally] of part) waiting.set(key, merged(tally, waiting.get(key)))
      latest = new Map()
      failed(error)
      schedule(waitMs)
    }
  }

  /** Counts a key with a typo as a request of the credential whose key begins the same way. */
  async function claimStrays(): Promise<void> {
    const claimed = strays
    strays = new Map()
    if (claimed.size === 0) return
    const owners = await findKeyStarts(db, [...claimed.keys()]).catch(failed)
    for (const { keyStart, ...owner } of owners ?? []) {
      const stray = claimed.get(keyStart)
      if (stray) record({ ...stray, ...owner, secretId: '', from: () => stray })
    }
  }

  return {
    record,
    recordStray,
    flush,
    stop: async () => {
      isStopped = true
      await flush()
    },
  }
}

const startTally = (use: Use, hour: number): Tally => ({
  hour,
  requests: { ok: 0, refused: 0, not_scoped: 0 },
  latency: noLatency(),
  last: lastOf(use),
})

/** All tallies, or those of one company each where only its own node has to be there to write them. */
function partsOf({ isSpread }: Database, tallies: ReadonlyMap<string, Tally>): (readonly [string, Tally])[][] {
  const all = [...tallies]
  return isSpread ? [...Map.groupBy(all, ([, { last }]) => last.companyId).values()] : [all]
}
