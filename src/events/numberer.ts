import { askAll } from '../store/ask-all.ts'
import type { Database, Rows } from '../store/database.ts'
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
  /** Called when events of companies have got their numbers. */
  numbered(companyIds: readonly string[]): void
  report(error: unknown): void
}

/** Events that come within this time are numbered together. */
const gatherMs = 5
/** After another instance was faster. It has most likely numbered our events, too. */
const overtakenMs = 25
/** Transactions at the same time on each node, companies in each, and the pause after one, so that more is done by the next. */
const apart = { atOnceMax: 4, companiesMax: 1, restMs: 0 }
const together = { atOnceMax: 1, companiesMax: 32, restMs: 20 }
/** How often to look for events that nobody has noted here: of the command line, and of instances that were killed. */
const lookMs = 1000
/** The pause after a look that took long, as it does where very many events wait: so many times as long. */
const betweenLooks = 10

export function createNumberer(db: Database, { numbered, report }: NumbererParts): Numberer {
  const { atOnceMax, companiesMax, restMs } = db.dialect.newEvents.number ? together : apart
  const waiting = new Set<string>()
  /** By company. */
  const underWay = new Map<string, Promise<void>>()
  /** By node. */
  const running = new Map<string, number>()
  const owing = new Set<string>()
  const looks = new Set<Promise<void>>()
  let looksAgainAt = 0
  let restsUntil = 0
  let count = 0
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | null = null

  function schedule(ms: number): void {
    if (isStopped || waiting.size === 0) return
    timer ??= setTimeout(startWaiting, Math.max(ms, restsUntil - performance.now()))
  }

  function startWaiting(): void {
    timer = null
    if (performance.now() < restsUntil) {
      schedule(0)
      return
    }
    // A node that is silent must not keep the companies of others waiting.
    const byNode = Map.groupBy(
      [...waiting].filter((companyId) => !underWay.has(companyId)),
      db.nodeOf,
    )
    for (const [node, companyIds] of byNode)
      while (companyIds.length > 0 && countOf(node) < atOnceMax) start(node, companyIds.splice(0, companiesMax))
  }

  const countOf = (node: string): number => running.get(node) ?? 0

  function start(node: string, companyIds: readonly string[]): void {
    running.set(node, countOf(node) + 1)
    const work = numberSome(node, companyIds)
    for (const companyId of companyIds) {
      waiting.delete(companyId)
      underWay.set(companyId, work)
    }
  }

  async function numberSome(node: string, companyIds: readonly string[]): Promise<void> {
    let pauseMs = gatherMs
    try {
      const done = await numberEvents(db, companyIds)
      const found = done.filter((one) => one.count > 0)
      for (const { companyId, hasMore } of done) if (hasMore) waiting.add(companyId)
      for (const one of found) count += one.count
      if (found.length > 0) numbered(found.map(({ companyId }) => companyId))
      else pauseMs = overtakenMs * (0.5 + Math.random())
    } catch (error) {
      // The next look finds the events again.
      report(error)
    } finally {
      running.set(node, countOf(node) - 1)
      if (waiting.size < companiesMax) restsUntil = performance.now() + restMs
      for (const companyId of companyIds) underWay.delete(companyId)
      schedule(pauseMs)
    }
  }

  function look(): void {
    if (performance.now() >= looksAgainAt) ask()
    if (isRepeated && !isStopped) lookTimer = setTimeout(look, lookMs)
  }

  /** Younger events are most likely being numbered by the instance that wrote them. */
  function ask(): void {
    const askedAt = performance.now()
    const found = (rows: Rows): void => {
      const answeredAt = performance.now()
      looksAgainAt = answeredAt + betweenLooks * (answeredAt - askedAt)
      for (const [companyId] of rows) waiting.add(String(companyId))
      schedule(0)
    }
    const asked = askAll(db, unnumberedCompanies(new Date(Date.now() - lookMs)), { found, report, owing })
    looks.add(asked)
    void asked.then(() => looks.delete(asked))
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
      await Promise.all([...underWay.values(), ...looks])
    },
  }
}
