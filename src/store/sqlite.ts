import { SQLiteError, Database as SqliteEngine, type Statement } from 'bun:sqlite'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Engine, type Migration, oneStep, type Problem, type Row, type Rows, type Steps } from './database.ts'
import { render, type Sql } from './sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { defineFunctions, TooSlow } from './sqlite-functions.ts'

interface Job {
  readonly work: Steps
  /** More than one statement, or a check: what was written before a failure has to be undone. */
  readonly isMarked: boolean
  resolve(): void
  reject(error: unknown): void
}

/** Statements that stay prepared. More shapes than this at once are rare, and only cost a new parse. */
const preparedMax = 500

export function openSqlite(path: string): Engine {
  const engine = openEngine(path)
  const clock = defineFunctions(engine)
  const prepared = new Map<string, Statement>()
  let waiting: Job[] = []
  let isClosed = false

  function run(statement: Sql): Rows {
    const text = render(statement, sqliteDialect.placeholder)
    clock.start()
    // Values are bound by position; the driver's type wants a tuple.
    return prepare(text).values(...(statement.values as string[])) as Row[]
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
    const jobs = waiting
    waiting = []
    if (jobs.length === 0) return
    try {
      prepare('begin immediate').run()
      const answers = jobs.map(attempt)
      prepare('commit').run()
      for (const answer of answers) answer()
    } catch (error) {
      if (engine.inTransaction) prepare('rollback').run()
      for (const job of jobs) job.reject(error)
    }
  }

  /** Runs one job; the answer it returns is given once everything is on disk. */
  function attempt({ work, isMarked, resolve, reject }: Job): () => void {
    if (isMarked) prepare('savepoint job').run()
    try {
      for (let step = work.next(); !step.done; step = work.next(step.value.map(run)));
      if (isMarked) prepare('release job').run()
      return resolve
    } catch (error) {
      if (isMarked) {
        prepare('rollback to job').run()
        prepare('release job').run()
      }
      return () => reject(error)
    }
  }

  /** One statement alone is undone by the engine itself where it fails, and needs no mark. */
  function enqueue(work: Steps, isMarked: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      // A request whose client has gone may come this far after everything has ended.
      if (isClosed) return reject(new Error('The database is closed'))
      if (waiting.length === 0) setImmediate(commitWaiting)
      waiting.push({ work, isMarked, resolve, reject })
    })
  }

  return {
    dialect: sqliteDialect,
    location: path,
    read: async (statement) => run(statement),
    transact: async (statements, check) => {
      let found: readonly Rows[] = []
      const look = (results: readonly Rows[]) => {
        found = results
        check?.(results)
      }
      await enqueue(oneStep(statements, look), statements.length > 1 || check !== undefined)
      return found
    },
    transactInSteps: (work) => enqueue(work, true),
    migrate: async (step) => migrateEngine(engine, step),
    explain,
    close: async () => {
      if (waiting.length > 0) commitWaiting()
      isClosed = true
      for (const statement of prepared.values()) statement.finalize()
      engine.close()
    },
  }
}

function openEngine(path: string): SqliteEngine {
  closeToOthers(path)
  const engine = new SqliteEngine(path, { create: true, strict: true })
  engine.run('pragma busy_timeout = 5000')
  whileLocked(() => engine.run('pragma journal_mode = wal'))
  engine.run('pragma synchronous = full')
  engine.run('pragma foreign_keys = on')
  return engine
}

/** Whoever can read the files can read every company's rows, so only their owner may, and from the first byte on. */
function closeToOthers(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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

/** The engine waits for locks by itself, but not for this one, which instances that start together on a new file all want. */
function whileLocked(work: () => void): void {
  const endsAt = performance.now() + 5000
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const isLocked = error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')
      if (!isLocked || performance.now() > endsAt) throw error
      Bun.sleepSync(10)
    }
  }
}

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

const problems: Readonly<Record<string, Problem>> = {
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_BUSY: 'away',
  SQLITE_FULL: 'away',
  SQLITE_IOERR: 'away',
  SQLITE_READONLY: 'away',
}

function explain(error: unknown): Problem | null {
  if (error instanceof TooSlow) return 'slow'
  if (!(error instanceof SQLiteError)) return null
  // The parser's limits have no code of their own.
  if (/too (?:many|large|complex|big)/i.test(error.message)) return 'too complex'
  return problems[error.code ?? ''] ?? null
}
