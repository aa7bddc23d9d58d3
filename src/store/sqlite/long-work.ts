import { open } from 'node:fs/promises'
import type { Right, Rows, Steps } from '../database.ts'
import { writtenBytesMax } from '../limits.ts'
import { render, type Sql } from '../sql.ts'
import type { Rendered } from './engine-message.ts'
import { createEnginePool, type EnginePool, type EngineProcess } from './engine-pool.ts'
import type { GroupCommit } from './group-commit.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { lockedMaxMs } from './sqlite-locks.ts'
import { EngineProblem, explainCommit, TooSlow } from './sqlite-problems.ts'

/** Runs long statements in child processes, because they would block the thread that serves requests. */
export interface LongWork {
  read(statement: Sql, bytesMax: number): Promise<Rows>
  /** `choose` runs before the file is locked; `work` must not take long. */
  write(work: Steps, choose: readonly Sql[], right?: Right): Promise<void>
  /** Copies the write-ahead log into the file as far as nobody reads the rest, and restarts it if nobody reads any of it. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

/** All other writes wait meanwhile. Enough for as many rows as a body may have, and shorter than `lockedMaxMs`, so that none of them fails. */
const writeMsMax = lockedMaxMs / 2

/** A log that has become very large. What a process has copied counts only when it has copied all. */
const checkpointMsMax = 300_000
/** The pages of the log that are copied while all writes wait. */
const heldPagesMax = 1000
/** How long writes wait then for reads that keep the log from being restarted. */
const restartMsMax = 100

export function createLongWork(path: string, timeoutMs: number, commits: GroupCommit): LongWork {
  const readers = createEnginePool({ path, isWriter: false, timeoutMs })
  const writers = createEnginePool({ path, isWriter: true, timeoutMs })
  const close = async (): Promise<void> => {
    process.off('exit', close)
    await Promise.all([readers.close(), writers.close()])
  }
  // The service may have to end before they have. Nobody would end them later.
  process.once('exit', close)
  return {
    read: (statement, bytesMax) =>
      using(readers, async (engine) => {
        const [rows = []] = await engine.ask({ kind: 'read', statement: rendered(statement), bytesMax })
        return rows
      }),
    write: (work, choose, right) =>
      using(writers, async (engine) => {
        // Others wait while the file is locked, so a process that has only begun to start must not lock it.
        await engine.started
        await runAll(engine, choose).catch((error) => {
          throw explainUnwritten(error, false)
        })
        const release = await commits.hold()
        try {
          await right?.()
          await writeWith(engine, work, right)
        } catch (error) {
          await syncLog(path)
          throw error
        } finally {
          release()
        }
      }),
    checkpoint: () =>
      using(writers, async (engine) => {
        await engine.started
        // Most of it while others write. Only while nobody does can all be copied, without which the log cannot be restarted.
        if ((await checkpointWith(engine, 'passive')) > heldPagesMax) return
        const resume = commits.pause()
        try {
          await checkpointWith(engine, 'truncate')
        } finally {
          resume()
        }
      }),
    close,
  }
}

/** Copies of the log what nobody reads. Returns how many pages are left. */
async function checkpointWith(engine: EngineProcess, mode: 'passive' | 'truncate'): Promise<number> {
  const timeout = (ms: number) => `pragma busy_timeout = ${ms}`
  const texts = [timeout(restartMsMax), `pragma wal_checkpoint(${mode})`, timeout(lockedMaxMs)]
  const statements = texts.map((text) => ({ text, values: [] }))
  const request = { kind: 'run', statements, bytesMax: writtenBytesMax } as const
  const [, [[isBusy, pages, copied] = []] = []] = await engine.ask(request, checkpointMsMax)
  return isBusy === 0 ? Number(pages) - Number(copied) : Number.POSITIVE_INFINITY
}

async function using<Result>(pool: EnginePool, work: (engine: EngineProcess) => Promise<Result>): Promise<Result> {
  const engine = pool.acquire()
  try {
    return await work(engine)
  } finally {
    pool.release(engine)
  }
}

/**
 * A write that was given up may have left many megabytes in the write-ahead log, which the next commit would have to sync,
 * in the thread that serves requests. That commit reports what goes wrong here.
 */
async function syncLog(path: string): Promise<void> {
  const log = await open(`${path}-wal`).catch(() => null)
  await log?.datasync().catch(() => {})
  await log?.close()
}

/** One transaction. If the process ends before it is told to commit, nothing was written. */
async function writeWith(engine: EngineProcess, work: Steps, right?: Right): Promise<void> {
  let isCommitting = false
  let isLate = false
  const lateTimer = setTimeout(() => {
    isLate = true
    engine.kill()
  }, writeMsMax)
  try {
    await engine.ask({ kind: 'begin' })
    for (let step = work.next(); !step.done; step = work.next(await runAll(engine, step.value)));
    // Choosing and writing the rows may have taken seconds, so the right is checked again.
    await right?.()
    if (isLate) throw new TooSlow()
    isCommitting = true
    // To end it now would leave nobody to say whether it was written.
    clearTimeout(lateTimer)
    await engine.ask({ kind: 'commit' })
  } catch (error) {
    // What it has not committed ends with the process. One that can still roll back is kept.
    if (isCommitting) engine.kill()
    else await engine.ask({ kind: 'rollback' }).catch(engine.kill)
    throw isCommitting ? explainCommit(error) : explainUnwritten(error, isLate)
  } finally {
    clearTimeout(lateTimer)
  }
}

/** Nothing was written. A process that has ended was killed by us because it was too slow, or by someone else. */
function explainUnwritten(error: unknown, isLate: boolean): unknown {
  if (!(error instanceof EngineProblem && error.problem === 'interrupted')) return error
  return isLate ? new TooSlow() : new EngineProblem('away', error.message)
}

const runAll = async (engine: EngineProcess, statements: readonly Sql[]): Promise<readonly Rows[]> =>
  statements.length === 0
    ? []
    : engine.ask({ kind: 'run', statements: statements.map(rendered), bytesMax: writtenBytesMax })

const rendered = (statement: Sql): Rendered => ({
  text: render(statement, sqliteDialect.placeholder),
  values: statement.values,
})
