import { SQLiteError, Database as SqliteEngine, type Statement } from 'bun:sqlite'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine, Migration, Row, Rows } from '../database.ts'
import { render, type Sql } from '../sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { defineFunctions } from './sqlite-functions.ts'
import { explainSqlite } from './sqlite-problems.ts'

interface Job {
  work(): unknown
  /** More than one statement, or a check: what was written before a failure has to be undone. */
  readonly isMarked: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
  /** What became of it, if the commit succeeds. */
  outcome: { readonly result: unknown } | { readonly error: unknown } | null
}

/** Statements that stay prepared. More shapes than this at once are rare, and only cost a new parse. */
const preparedMax = 500
const preparedLengthMax = 4000

/** How long another process may keep the file locked before a write is refused. */
const lockedMaxMs = 5000
const lockedPauseMs = 25

export function openSqlite(path: string): Engine {
  const engine = openEngine(path)
  const clock = defineFunctions(engine)
  const prepared = new Map<string, Statement>()
  let waiting: Job[] = []
  let isClosed = false
  let lockedSince: number | null = null
  const done = { commits: 0, writes: 0 }

  function run(statement: Sql): Rows {
    const text = render(statement, sqliteDialect.placeholder)
    clock.start()
    // Values are bound by position; the driver's type wants a tuple.
    const values = statement.values as string[]
    return (text.length > preparedLengthMax ? runOnce(text, values) : prepare(text).values(...values)) as Row[]
  }

  function runOnce(text: string, values: readonly string[]): unknown[][] {
    using statement = engine.prepare(text)
    return statement.values(...values)
  }

  function prepare(text: string): Statement {
    const known = prepared.get(text)
    if (known) return known
    const statement = engine.prepare(text)
    prepared.set(text, statement)
    if (prepared.size > preparedMax) {
      const [oldest, unused] = prepared.entries().next().value ?? []
      unused?.finalize()
      if (oldest !== undefined) prepared.delete(oldest)
    }
    return statement
  }

  /** All writes that came in together share one commit, which is the slow part; each succeeds or fails by itself. */
  function commitWaiting(): void {
    if (waiting.length === 0 || !begin()) return
    const jobs = waiting
    waiting = []
    try {
      for (const job of jobs) attempt(job)
      prepare('commit').run()
      done.commits += 1
      done.writes += jobs.length
      for (const job of jobs) tell(job)
    } catch (error) {
      for (const job of jobs) job.reject(error)
      // Where even that fails, it is done before the next transaction, which fails with it.
      try {
        undo()
      } catch {}
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

  /** One statement alone is undone by the engine itself where it fails, and needs no mark. */
  function enqueue<Result>(work: () => Result, isMarked: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      // A request whose client has gone may come this far after everything has ended.
      if (isClosed) return reject(new Error('The database is closed'))
      if (waiting.length === 0) setImmediate(commitWaiting)
      waiting.push({ work, isMarked, resolve, reject, outcome: null })
    })
  }

  return {
    dialect: sqliteDialect,
    location: path,
    read: run,
    transact: (statements, check) =>
      enqueue(
        () => {
          const results = statements.map(run)
          check?.(results)
          return results
        },
        statements.length > 1 || check !== undefined,
      ),
    transactInSteps: (work) =>
      enqueue(() => {
        for (let step = work.next(); !step.done; step = work.next(step.value.map(run)));
      }, true),
    migrate: async (step) => whileLocked(() => migrateEngine(engine, step)),
    explain: explainSqlite,
    groupCommits: () => done,
    close: async () => {
      if (waiting.length > 0) commitWaiting()
      isClosed = true
      for (const statement of prepared.values()) statement.finalize()
      engine.close()
    },
  }
}

function tell({ outcome, resolve, reject }: Job): void {
  if (outcome === null) return
  if ('error' in outcome) reject(outcome.error)
  else resolve(outcome.result)
}

function openEngine(path: string): SqliteEngine {
  closeToOthers(path)
  const engine = new SqliteEngine(path, { create: true, strict: true })
  // The engine would sleep until a lock is gone, and the whole service with it.
  engine.run('pragma busy_timeout = 10')
  whileLocked(() => engine.run('pragma journal_mode = wal'))
  engine.run('pragma synchronous = full')
  engine.run('pragma foreign_keys = on')
  return engine
}

/** Whoever can read the files can read every company's rows, so only their owner may, and from the first byte on. */
function closeToOthers(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // The engine would open what it may not write all the same, and refuse every write from then on; this does not.
  closeSync(openSync(path, 'a', 0o600))
  // The engine gives the other two the mode of the first, when it makes them.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, 0o600)
    } catch (error) {
      // Not made yet, or taken away by another process that has just closed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** At the start there is nobody to be kept waiting: instances that start together on a new file take turns. */
function whileLocked<Result>(work: () => Result): Result {
  const endsAt = performance.now() + lockedMaxMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error
      Bun.sleepSync(10)
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true

function migrateEngine(engine: SqliteEngine, { number, name, script }: Migration): boolean {
  return engine
    .transaction(() => {
      engine.run('create table if not exists migration (number integer primary key, name text not null) strict')
      if (engine.query('select 1 from migration where number = ?').get(number)) return false
      engine.run(script)
      engine.query('insert into migration (number, name) values (?, ?)').run(number, name)
      return true
    })
    .immediate()
}
