import type { Database as SqliteEngine, Statement } from 'bun:sqlite'
import type { GroupCommits, Right } from '../database.ts'
import type { GatheredEvents } from './gathered-events.ts'
import { isBusy, lockedMaxMs } from './sqlite-locks.ts'
import { explainCommit } from './sqlite-problems.ts'

/** Writes share commits, because a commit is the slow part. Each write succeeds or fails on its own. */
export interface GroupCommit {
  /** Where it has to wait for long, `right` is asked again. */
  enqueue<Result>(work: () => Result, kind: WorkKind, right?: Right): Promise<Result>
  /**
   * Pauses commits while one of our engine processes writes. The result resumes them, and the next one has to wait for as
   * long as the writes that came meanwhile have waited; after a long one, at least until other processes have had their turn.
   */
  hold(): Promise<() => void>
  /** Pauses commits at once, for a moment in which nothing may be written. The result resumes them. */
  pause(): () => void
  counts(): GroupCommits
  close(): void
}

export interface WorkKind {
  /** It has several statements or a check, so a failure may have to undo a part of its work. */
  readonly needsSavepoint: boolean
  /** It neither sees nor changes events that wait to be written. */
  readonly leavesEvents: boolean
}

/** What else uses the same connection. */
interface Neighbours {
  /** Before anything is written. */
  endReads(): void
  afterCommit(): void
}

interface Job extends WorkKind {
  readonly since: number
  readonly right: Right | undefined
  work(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
  /** Reported to the caller after the commit. */
  outcome: { readonly result: unknown } | { readonly error: unknown } | null
}

const lockedPauseMs = 25
/** Between two writes elsewhere that take so long or longer, another process seldom finds the file free. */
const longMs = 250
/** The pause after one of them: longer than another process takes to look at the file again. */
const turnMs = 3 * lockedPauseMs
/** A write that has waited for longer may have lost its right. */
const rightMsMax = 100
/** After this time, the rest of the queue waits for the next commit, so that other requests can run in between. */
const commitMsMax = 10

export function createGroupCommit(
  engine: SqliteEngine,
  prepare: (text: string) => Statement,
  events: GatheredEvents,
  { endReads, afterCommit }: Neighbours,
): GroupCommit {
  let waiting: Job[] = []
  let isClosed = false
  let lockedSince: number | null = null
  let holders: Promise<void> = Promise.resolve()
  /** By how many they are paused. */
  let pauses = 0
  let restUntil = 0
  const done = { commits: 0, writes: 0 }

  function commitWaiting(): void {
    if (pauses > 0) return
    sendBackLate()
    if (waiting.length === 0 || !begin()) return
    const jobs: Job[] = []
    try {
      attemptWaiting(jobs)
      events.write()
      commit()
      done.commits += 1
      done.writes += jobs.length
      for (const job of jobs) settle(job)
      afterCommit()
    } catch (error) {
      for (const job of jobs) job.reject(error)
      // If the rollback fails, `begin` tries it again before the next transaction.
      try {
        undo()
      } catch {}
    }
    waiting = waiting.slice(jobs.length)
    if (waiting.length > 0) setImmediate(commitWaiting)
  }

  /** Those whose right may have ended come again when it is confirmed. */
  function sendBackLate(): void {
    const lateSince = performance.now() - rightMsMax
    if ((waiting[0]?.since ?? Number.POSITIVE_INFINITY) > lateSince) return
    const isLate = ({ since, right }: Job) => right !== undefined && since <= lateSince
    const late = waiting.filter(isLate)
    waiting = waiting.filter((job) => !isLate(job))
    for (const job of late) void confirm(job)
  }

  async function confirm(job: Job): Promise<void> {
    try {
      await job.right?.()
      add({ ...job, since: performance.now() })
    } catch (error) {
      job.reject(error)
      // Whoever comes next may wait for the file as long as anybody.
      if (waiting.length === 0) lockedSince = null
    }
  }

  function add(job: Job): void {
    // A request whose client has disconnected may still come here after the service has stopped.
    if (isClosed) throw new Error('The database is closed')
    if (waiting.length === 0) setImmediate(commitWaiting)
    waiting.push(job)
  }

  function commit(): void {
    try {
      prepare('commit').run()
    } catch (error) {
      throw explainCommit(error)
    }
  }

  function attemptWaiting(jobs: Job[]): void {
    const endsAt = performance.now() + commitMsMax
    for (const job of waiting) {
      jobs.push(job)
      attempt(job)
      if (performance.now() > endsAt) return
    }
  }

  /** Starts the transaction. While another process holds the lock, tries again later, so that reads are not blocked. */
  function begin(): boolean {
    try {
      endReads()
      undo()
      prepare('begin immediate').run()
      lockedSince = null
      return true
    } catch (error) {
      lockedSince ??= performance.now()
      if (isBusy(error) && performance.now() - lockedSince < lockedMaxMs) {
        setTimeout(commitWaiting, lockedPauseMs)
        return false
      }
      lockedSince = null
      for (const job of waiting.splice(0)) job.reject(error)
      return false
    }
  }

  function undo(): void {
    events.cut(0)
    if (engine.inTransaction) prepare('rollback').run()
  }

  /** Runs one job. Its caller gets the outcome after the commit. */
  function attempt(job: Job): void {
    if (!job.leavesEvents) events.write()
    const gathered = events.size
    if (job.needsSavepoint) prepare('savepoint job').run()
    try {
      job.outcome = { result: job.work() }
      if (job.needsSavepoint) prepare('release job').run()
    } catch (error) {
      // Some errors, such as a full disk, roll back the whole transaction, with the work of all other jobs in it.
      if (!engine.inTransaction) throw error
      events.cut(gathered)
      if (job.needsSavepoint) {
        prepare('rollback to job').run()
        prepare('release job').run()
      }
      job.outcome = { error }
    }
  }

  function pause(): () => void {
    pauses += 1
    return () => {
      pauses -= 1
      // Whoever waited for what was done meanwhile sees it.
      endReads()
      commitWaiting()
    }
  }

  return {
    enqueue: (work, kind, right) =>
      new Promise((resolve, reject) =>
        add({
          ...kind,
          since: performance.now(),
          right,
          work,
          resolve: resolve as Job['resolve'],
          reject,
          outcome: null,
        }),
      ),
    hold: () => {
      const released = Promise.withResolvers<void>()
      const mine = holders.then(async () => {
        const restMs = restUntil - performance.now()
        if (restMs > 0) await Bun.sleep(restMs)
        const resume = pause()
        const heldSince = performance.now()
        return () => {
          const now = performance.now()
          const kept = now - Math.max(heldSince, waiting[0]?.since ?? now)
          restUntil = now + Math.max(kept, now - heldSince < longMs ? 0 : turnMs)
          resume()
          released.resolve()
        }
      })
      holders = released.promise
      return mine
    },
    pause,
    counts: () => done,
    close: () => {
      pauses = 0
      if (waiting.length > 0) commitWaiting()
      isClosed = true
    },
  }
}

function settle({ outcome, resolve, reject }: Job): void {
  if (outcome === null) return
  if ('error' in outcome) reject(outcome.error)
  else resolve(outcome.result)
}
