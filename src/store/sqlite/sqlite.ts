import { Database as SqliteEngine } from 'bun:sqlite'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine, Migration, Rows, Statements, Steps } from '../database.ts'
import { GatheredEvent } from '../events/compile-events.ts'
import type { Sql } from '../sql.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createGatheredEvents } from './gathered-events.ts'
import { createGroupCommit, type WorkKind } from './group-commit.ts'
import { createLogIndex } from './log-index.ts'
import { createLongWork } from './long-work.ts'
import { createSharedReads } from './shared-reads.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { defineFunctions } from './sqlite-functions.ts'
import { whileLocked } from './sqlite-locks.ts'
import { explainSqlite } from './sqlite-problems.ts'
import { createStatementCache } from './statement-cache.ts'

/** For statements in engine processes. */
const timeoutMsDefault = 30_000

export function openSqlite(path: string, statementTimeoutMs = timeoutMsDefault): Engine {
  const engine = openEngine(path)
  const { run: runOne, prepare, close } = createStatementCache(engine, defineFunctions(engine))
  const events = createGatheredEvents(prepare)
  const log = createLogIndex(path)
  const reads = createSharedReads(engine, prepare, runOne, log)
  const commits = createGroupCommit(engine, prepare, events, {
    endReads: reads.end,
    afterCommit: () => checkpoints.afterCommit(),
  })
  const run: Run = (statement) => {
    if (!(statement instanceof GatheredEvent)) return runOne(statement)
    events.add(statement)
    return []
  }
  const longWork = createLongWork(path, statementTimeoutMs, commits)
  const copyLog = (): void => {
    try {
      prepare('pragma wal_checkpoint(passive)').values()
    } catch {
      // What was committed is in the log, and the next commit tries again.
    }
  }
  const { checkpoint: elsewhere } = longWork
  const checkpoints = createCheckpoints({ log, here: copyLog, elsewhere, readMsMax: statementTimeoutMs })
  const readWithin: Engine['readWithin'] = async (statement, bytesMax) => {
    await checkpoints.makeRoom()
    return longWork.read(statement, bytesMax).finally(checkpoints.afterLongWork)
  }

  const own: Statements = {
    read: reads.read,
    transact: (statements, check, right) =>
      commits.enqueue(() => runAll(run, statements, check), check ? steps : kindOf(statements), right),
    transactInSteps: (work, right) => commits.enqueue(() => runSteps(run, work), steps, right),
  }
  return {
    ...own,
    background: own,
    dialect: sqliteDialect,
    location: path,
    readLong: (statement) => readWithin(statement, Number.POSITIVE_INFINITY),
    readWithin,
    transactLong: (...work) => longWork.write(...work).finally(checkpoints.afterLongWork),
    migrate: async (step) => {
      reads.end()
      const isNew = whileLocked(() => migrateEngine(engine, step))
      if (isNew) copyLog()
      return isNew
    },
    explain: explainSqlite,
    freshen: reads.freshen,
    groupCommits: commits.counts,
    close: async () => {
      checkpoints.close()
      // SQLite copies and removes the log where the last connection is closed.
      await longWork.close()
      commits.close()
      reads.end()
      close()
      engine.close()
    },
  }
}

const steps: WorkKind = { needsSavepoint: true, leavesEvents: false }
// SQLite undoes a single failed statement itself, so it needs no savepoint.
const alone: WorkKind = { needsSavepoint: false, leavesEvents: false }
const newRow: WorkKind = { needsSavepoint: false, leavesEvents: true }

function kindOf([, second, third]: readonly Sql[]): WorkKind {
  if (second === undefined) return alone
  return second instanceof GatheredEvent && third === undefined ? newRow : steps
}

type Run = (statement: Sql) => Rows

function runAll(run: Run, statements: readonly Sql[], check?: (results: readonly Rows[]) => void): readonly Rows[] {
  const results = statements.map(run)
  check?.(results)
  return results
}

function runSteps(run: Run, work: Steps): void {
  for (let step = work.next(); !step.done; step = work.next(step.value.map(run)));
}

function openEngine(path: string): SqliteEngine {
  restrictToOwner(path)
  const engine = new SqliteEngine(path, { create: true, strict: true })
  // While SQLite waits for a lock, it blocks the whole service.
  engine.run('pragma busy_timeout = 10')
  whileLocked(() => engine.run('pragma journal_mode = wal'))
  engine.run('pragma synchronous = full')
  engine.run('pragma foreign_keys = on')
  // See `checkpoints.ts`.
  engine.run('pragma wal_autocheckpoint = 0')
  return engine
}

/** The files contain the rows of all companies, so only their owner may read them, from the first byte on. */
function restrictToOwner(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Fails if the file is not writable. SQLite would open it anyway, and then refuse every write.
  closeSync(openSync(path, 'a', 0o600))
  // SQLite creates the other two with the mode of the first.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, 0o600)
    } catch (error) {
      // Not created yet, or removed by another process that has just closed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
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
