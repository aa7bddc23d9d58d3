import { failure } from '../errors/index.ts'
import type { Engine, LongStatements, Problem, Rows, Statements } from './database.ts'
import type { Sql } from './sql.ts'

const failures: Partial<Record<Problem, (cause: unknown) => Error>> = {
  away: failure.databaseAway,
  'read-only': failure.databaseReadOnly,
  full: failure.databaseFull,
  damaged: failure.databaseDamaged,
  slow: failure.tooSlow,
  collision: failure.writesCollided,
  'too complex': failure.tooComplex,
  'too large': failure.tooLarge,
}
const failuresOfReads = { ...failures, interrupted: failure.databaseAway, silent: failure.databaseAway }
const failuresOfWrites = { ...failures, interrupted: failure.outcomeUnknown, silent: failure.outcomeUnknown }

/** Before a lost read, or a write that was undone, is tried again. Connections that were lost together may be noticed one after the other. */
const pausesMs = [5, 50]

const refuse =
  ({ explain }: Engine, known: typeof failures) =>
  (error: unknown): never => {
    const problem = explain(error)
    throw (problem && known[problem]?.(error)) ?? error
  }

/** A database that is away or too slow fails alike for everyone who asks it, whatever they ask. */
export function withFailures(asked: Statements, engine: Engine): Statements {
  const refuseRead = refuse(engine, failuresOfReads)
  const refuseWrite = refuse(engine, failuresOfWrites)
  /** A read changes nothing, so it can be repeated on another connection if its own was lost. */
  const readAgain = async (statement: Sql, lost: unknown): Promise<Rows> => {
    let error = lost
    for (const pauseMs of pausesMs) {
      if (engine.explain(error) !== 'interrupted') break
      await Bun.sleep(pauseMs)
      try {
        return await asked.read(statement)
      } catch (next) {
        error = next
      }
    }
    return refuseRead(error)
  }
  /** Two writes have waited for each other, and this one was undone: it can be repeated now that the other one goes on. */
  const transactAgain = async (attempt: () => Promise<readonly Rows[]>, undone: unknown): Promise<readonly Rows[]> => {
    let error = undone
    for (const pauseMs of pausesMs) {
      if (engine.explain(error) !== 'collision') break
      await Bun.sleep(pauseMs * Math.random())
      try {
        return await attempt()
      } catch (next) {
        error = next
      }
    }
    return refuseWrite(error)
  }
  return {
    read: (statement) => {
      try {
        const rows = asked.read(statement)
        return rows instanceof Promise ? rows.catch((error) => readAgain(statement, error)) : rows
      } catch (error) {
        return refuseRead(error)
      }
    },
    transact: (statements, check, right) => {
      const attempt = () => asked.transact(statements, check, right)
      return attempt().catch((error) => transactAgain(attempt, error))
    },
    transactInSteps: (work, right) => asked.transactInSteps(work, right).catch(refuseWrite),
  }
}

/** The same for what may take long. */
export function withLongFailures(engine: Engine): LongStatements {
  const refuseRead = refuse(engine, failuresOfReads)
  return {
    readLong: async (statement) => Promise.resolve(engine.readLong(statement)).catch(refuseRead),
    readWithin: async (statement, bytesMax) =>
      Promise.resolve(engine.readWithin(statement, bytesMax)).catch(refuseRead),
    transactLong: (work, choose, right) =>
      engine.transactLong(work, choose, right).catch(refuse(engine, failuresOfWrites)),
  }
}
