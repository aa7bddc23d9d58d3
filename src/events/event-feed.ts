import { askAll } from '../store/ask-all.ts'
import type { Database, Rows } from '../store/database.ts'
import { lastSequences } from '../store/events/read-events.ts'
import { createNumberer, type NumbererCounts } from './numberer.ts'

/** Tells within this process that there may be new events. Whoever is told reads them, and finds none or some. */
export interface EventFeed {
  /** A change of the company has been committed together with its event. */
  note(companyId: string): void
  /** Calls `wake` whenever the company may have new numbered events, until what it returns is called. */
  subscribe(companyId: string, wake: Wake): () => void
  /** Calls `wake` for each company whose events this process has numbered. Another process tells its own. */
  subscribeAll(wake: (companyId: string) => void): void
  counts(): FeedCounts
  stop(): Promise<void>
}

/** `last`: the number of the last event, where it is known. */
type Wake = (last?: number) => void

interface FeedCounts extends NumbererCounts {
  /** Companies that somebody in this process wants to hear of. */
  readonly subscribed: number
}

/** How often to look for events that other instances have written. A hint from the database comes earlier. */
const pollMs = 250

export function createEventFeed(db: Database, report: (error: unknown) => void = () => {}): EventFeed {
  const wakers = new Map<string, Set<Wake>>()
  const known = new Map<string, number>()
  let pollTimer: ReturnType<typeof setTimeout> | null = null
  let isStopped = false

  const wake = (companyId: string, last?: number): void => {
    for (const one of wakers.get(companyId) ?? []) one(last)
  }
  const wakersOfAll: ((companyId: string) => void)[] = []
  const wakeOwn = (companyId: string): void => {
    wake(companyId)
    for (const one of wakersOfAll) one(companyId)
  }

  const tell = (companyIds: readonly string[]): void => {
    for (const companyId of companyIds) wakeOwn(companyId)
    db.hints?.tell(companyIds).catch(report)
  }
  const numberer = createNumberer(db, { numbered: tell, report })
  const isNumberedAtOnce = db.dialect.newEvents.table === 'event'

  const owing = new Set<string>()
  let polling = Promise.resolve()

  function poll(): void {
    pollTimer = null
    const companyIds = [...wakers.keys()]
    const asked = askAll(db, lastSequences(db.dialect), { found: hear, report, companyIds, owing })
    polling = Promise.all([polling, asked]).then(() => {})
    schedulePoll()
  }

  function hear(rows: Rows): void {
    for (const [id, sequence] of rows) {
      const [companyId, last] = [String(id), Number(sequence)]
      if (!wakers.has(companyId) || known.get(companyId) === last) continue
      known.set(companyId, last)
      wake(companyId, last)
    }
  }

  function schedulePoll(): void {
    if (!isStopped && wakers.size > 0) pollTimer ??= setTimeout(poll, pollMs)
  }

  let listening: Promise<() => Promise<void>> | null = null
  function listen(): void {
    if (!db.hints || listening) return
    listening = db.hints.listen(wake)
    // Without it, polling finds everything a little later.
    listening.catch(report)
  }

  return {
    note: isNumberedAtOnce ? wakeOwn : numberer.note,
    subscribeAll: (one) => void wakersOfAll.push(one),
    subscribe: (companyId, one) => {
      const own = wakers.get(companyId) ?? new Set()
      wakers.set(companyId, own.add(one))
      listen()
      schedulePoll()
      return () => {
        own.delete(one)
        if (own.size > 0 || wakers.get(companyId) !== own) return
        wakers.delete(companyId)
        known.delete(companyId)
      }
    },
    counts: () => ({ ...numberer.counts(), subscribed: wakers.size }),
    stop: async () => {
      isStopped = true
      if (pollTimer) clearTimeout(pollTimer)
      await numberer.stop()
      await polling
      const unlisten = await listening?.catch(() => null)
      await unlisten?.()
    },
  }
}
