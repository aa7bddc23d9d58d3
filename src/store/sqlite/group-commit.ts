import type { Database as SqliteEngine, Statement } from 'bun:sqlite'
import type { GroupCommits } from '../database.ts'
import { isBusy, lockedMaxMs } from './sqlite-locks.ts'

/** Writes that share commits, which are the slow part; each succeeds or fails by itself. */
export interface GroupCommit {
  /** `isMarked`: more than one statement, or a check, so that what was written before a failure has to be undone. */
  enqueue<Result>(work: () => Result, isMarked: boolean): Promise<Result>
  /** While a process of ours writes, our own writes wait. `release` lets them go on. */
  hold(): Promise<() => void>
  counts(): GroupCommits
  close(): void
}

interface Job {
  work(): unknown
  readonly isMarked: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
  /** What became of it, if the commit succeeds. */
  outcome: { readonly result: unknown } | { readonly error: unknown } | null
}

const lockedPauseMs = 25
/** What has not begun by then goes into the next commit, after others have had their turn. */
const commitMsMax = 10

export function createGroupCommit(engine: SqliteEngine, prepare: (text: string) => Statement): GroupCommit {
  let waiting: Job[] = []
  let isClosed = false
  let lockedSince: number | null = null
  let holders: Promise<void> = Promise.resolve()
  let isHeld = false
  const done = { commits: 0, writes: 0 }

  function commitWaiting(): void {
    if (isHeld || waiting.length === 0 || !begin()) return
    const jobs: Job[] = []
    try {
      attemptWaiting(jobs)
      prepare('commit').run()
      done.commits += 1
      done.writes += jobs.length
      for (const job of jobs) settle(job)
    } catch (error) {
      for (const job of jobs) job.reject(error)
      // Where even that fails, it is done before the next transaction, which fails with it.
      try {
        undo()
      } catch {}
    }
    waiting = waiting.slice(jobs.length)
    if (waiting.length > 0) setImmediate(commitWaiting)
  }

  function attemptWaiting(jobs: Job[]): void {
    const endsAt = performance.now() + commitMsMax
    for (const job of waiting) {
      jobs.push(job)
      attempt(job)
      if (performance.now() > endsAt) return
    }
  }

  /** While another process writes, it is waited for, and requests that only read have their turn meanwhile. */
  function begin(): boolean {
    try {
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
    if (engine.inTransaction) prepare('rollback').run()
  }

  /** Runs one job, which is told of its outcome once everything is on disk. */
  function attempt(job: Job): void {
    if (job.isMarked) prepare('savepoint job').run()
    try {
      job.outcome = { result: job.work() }
      if (job.isMarked) prepare('release job').run()
    } catch (error) {
      // A full disk, for one, ends the transaction, and with it the work of all who share it.
      if (!engine.inTransaction) throw error
      if (job.isMarked) {
        prepare('rollback to job').run()
        prepare('release job').run()
      }
      job.outcome = { error }
    }
  }

  return {
    enqueue: (work, isMarked) =>
      new Promise((resolve, reject) => {
        // A request whose client has gone may come this far after everything has ended.
        if (isClosed) return reject(new Error('The database is closed'))
        if (waiting.length === 0) setImmediate(commitWaiting)
        waiting.push({ work, isMarked, resolve: resolve as Job['resolve'], reject, outcome: null })
      }),
    hold: () => {
      const released = Promise.withResolvers<void>()
      const mine = holders.then(() => {
        isHeld = true
        return () => {
          isHeld = false
          commitWaiting()
          released.resolve()
        }
      })
      holders = released.promise
      return mine
    },
    counts: () => done,
    close: () => {
      isHeld = false
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
