import { BoundedMap } from '../caches/bounded-map.ts'
import type { Database } from '../store/database.ts'
import { createFlusher } from '../store/flusher.ts'
import { writeTogether } from '../store/write-together.ts'
import { noLatency, stepOf } from './latency.ts'
import { createStrays } from './strays.ts'
import { isNews, lastOf, merged, type Stray, type Tally, type Use } from './tally.ts'
import { hourMs, writeUsage } from './write-usage.ts'

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
/** So many are written at once, without waiting. */
const tallyMax = 50_000
/** While they cannot be written, so many are kept, and further ones not counted. */
const keptMax = 2 * tallyMax
/** A node of a cluster that hangs must not delay the counts of all others. */
const partsAtOnce = 100

export function createUsage(db: Database, failed: (error: unknown) => void = () => {}): Usage {
  let waiting = new Map<string, Tally>()
  /** The tally of each credential's last request. Most requests find theirs here, without a key made of three parts. */
  let latest = new Map<string, Tally>()
  const strays = createStrays<Stray>(db, failed)
  /** The last hour in which each was seen. */
  const seen = new BoundedMap<number>(tallyMax)
  const { schedule, flush, stop, isFlushing } = createFlusher(write)
  let isFailing = false

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
    if (waiting.size < keptMax) waiting.set(key, tally)
    if (waiting.size > tallyMax && !isFlushing() && !isFailing) void flush()
    return tally
  }

  function recordStray(keyStart: string, stray: Stray): void {
    strays.add(keyStart, () => stray)
    schedule(isNew(Math.floor(stray.at / hourMs), keyStart) ? firstWaitMs : waitMs)
  }

  function isNew(hour: number, key: string): boolean {
    if (seen.get(key) === hour) return false
    seen.set(key, hour)
    return true
  }

  async function write(): Promise<void> {
    await claimStrays()
    const tallies = waiting
    waiting = new Map()
    latest = new Map()
    isFailing = false
    const parts = partsOf(db, tallies)
    for (let at = 0; at < parts.length; at += partsAtOnce)
      await Promise.all(parts.slice(at, at + partsAtOnce).map((part) => writeTogether(db, part, writing)))
  }

  /** Counts a key with a typo as a request of the credential whose key begins the same way. */
  async function claimStrays(): Promise<void> {
    for (const [{ companyId, credentialId }, stray] of await strays.claim())
      record({ ...stray, companyId, credentialId, secretId: '', from: () => stray })
  }

  const writing = {
    companyOf: ([, { last }]: Counted) => last.companyId,
    write: (part: readonly Counted[]) =>
      writeUsage(
        db,
        part.map(([, tally]) => tally),
      ),
    failed: (part: readonly Counted[], error: unknown) => {
      isFailing = true
      for (const [key, tally] of part)
        if (waiting.size < keptMax || waiting.has(key)) waiting.set(key, merged(tally, waiting.get(key)))
      latest = new Map()
      failed(error)
      schedule(waitMs)
    },
  }

  return { record, recordStray, flush, stop }
}

/** What was counted, and the key by which it is found. */
type Counted = readonly [string, Tally]

const startTally = (use: Use, hour: number): Tally => ({
  hour,
  requests: { ok: 0, refused: 0, not_scoped: 0 },
  latency: noLatency(),
  last: lastOf(use),
})

/** All tallies, or those of one company each where only its own node has to be there to write them. */
function partsOf({ isSpread }: Database, tallies: ReadonlyMap<string, Tally>): Counted[][] {
  const all = [...tallies]
  return isSpread ? [...Map.groupBy(all, ([, { last }]) => last.companyId).values()] : [all]
}
