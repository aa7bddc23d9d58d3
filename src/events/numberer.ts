import type { Database } from '../store/database.ts'
import { numberEvents } from '../store/events/number-events.ts'
import { unnumberedCompanies } from '../store/events/read-events.ts'

/** Gives numbers to new events, some milliseconds after their commit. Any number of instances may do so at once. */
export interface Numberer {
  /** A company has new events. */
  note(companyId: string): void
  counts(): NumbererCounts
  stop(): Promise<void>
}

export interface NumbererCounts {
  readonly numbered: number
  /** Companies whose events wait for their numbers. */
  readonly waiting: number
}

export interface NumbererParts {
  /** Called when events of a company have got their numbers. */
  numbered(companyId: string): void
  report(error: unknown): void
}

/** Events that come within this time are numbered together. */
const gatherMs = 5
/** After another instance was faster. It has most likely numbered our events, too. */
const overtakenMs = 25
/** Companies whose events are numbered at the same time. */
const atOnceMax = 4
/** How often to look for events that nobody has noted here: of the command line, and of instances that were killed. */
const lookMs = 1000

export function createNumberer(db: Database, { numbered, report }: NumbererParts): Numberer {
  const waiting = new Set<string>()
  const underWay = new Map<string, Promise<void>>()
  let count = 0
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | null = null

  function schedule(ms: number): void {
    if (!isStopped && waiting.size > 0) timer ??= setTimeout(startWaiting, ms)
  }

  function startWaiting(): void {
    timer = null
    for (const companyId of waiting) {
      if (underWay.size >= atOnceMax) return
      if (underWay.has(companyId)) continue
      waiting.delete(companyId)
      underWay.set(companyId, numberOne(companyId))
    }
  }

  async function numberOne(companyId: string): Promise<void> {
    let pauseMs = gatherMs
    try {
      const done = await numberEvents(db.forRows(companyId))
      count += done.count
      if (done.count > 0) numbered(companyId)
      if (done.hasMore) waiting.add(companyId)
      if (done.count === 0) pauseMs = overtakenMs * (0.5 + Math.random())
    } catch (error) {
      // The next look finds the events again.
      report(error)
    } finally {
      underWay.delete(companyId)
      schedule(pauseMs)
    }
  }

  /** Younger events are most likely being numbered by the instance that wrote them. */
  async function look(): Promise<void> {
    try {
      for (const companyId of await unnumberedCompanies(db, new Date(Date.now() - lookMs))) waiting.add(companyId)
      schedule(0)
    } catch (error) {
      report(error)
    }
    if (isRepeated && !isStopped) lookTimer = setTimeout(look, lookMs)
  }

  // Elsewhere, the inbox holds at most what was copied from another engine.
  const isRepeated = db.dialect.newEvents.table === 'event_inbox'
  let lookTimer = setTimeout(look, 0)

  return {
    note: (companyId) => {
      waiting.add(companyId)
      schedule(gatherMs)
    },
    counts: () => ({ numbered: count, waiting: waiting.size + underWay.size }),
    stop: async () => {
      isStopped = true
      clearTimeout(lookTimer)
      if (timer) clearTimeout(timer)
      await Promise.all(underWay.values())
    },
  }
}
