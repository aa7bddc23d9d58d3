import { failure } from '../errors.ts'
import type { Database, Engine, LongStatements, Problem, Statements } from './database.ts'
import { explainPostgres, openPostgres, withoutPassword } from './postgres/postgres.ts'
import { shareEngine, shareServer } from './share.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { explainSqlite } from './sqlite/sqlite-problems.ts'

export interface StoreSettings {
  readonly databaseUrl: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
  readonly queueMax: number
}

/** `postgres://…` is a server; anything else is the path of a file, with or without `sqlite:` before it. */
export function openDatabase(settings: StoreSettings): Database {
  const { databaseUrl, connectionsMax, queueMax } = settings
  if (!isPostgres(databaseUrl)) {
    const engine = openSqlite(filePath(databaseUrl), settings.statementTimeoutMs)
    return shareEngine({ ...engine, ...withFailures(engine, engine), ...withLongFailures(engine) }, queueMax)
  }
  const server = openPostgres({ url: databaseUrl, ...settings })
  const shared = withFailures(server.shared, server)
  const rare = withFailures(server.rare, server)
  return shareServer({ ...server, ...withFailures(server, server), shared, rare }, { connectionsMax, queueMax })
}

/** `sqlite:data/x.db` → `data/x.db` */
export const filePath = (url: string): string => url.replace(/^sqlite:(\/\/)?/i, '')

/** What keeps a database from being opened. */
export const explainOpening = (url: string, error: unknown): Problem | null =>
  isPostgres(url) ? explainPostgres(error) : explainSqlite(error)

export const isPostgres = (url: string): boolean => /^postgres(ql)?:/i.test(url)

/** Where a database is, for people to read: never with a password. */
export const locationOf = (url: string): string => (isPostgres(url) ? withoutPassword(url) : filePath(url))

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
const failuresOfReads = { ...failures, interrupted: failure.databaseAway }
const failuresOfWrites = { ...failures, interrupted: failure.outcomeUnknown }

const refuse =
  ({ explain }: Engine, known: typeof failures) =>
  (error: unknown): never => {
    const problem = explain(error)
    throw (problem && known[problem]?.(error)) ?? error
  }

/** A database that is away or too slow fails alike for everyone who asks it, whatever they ask. */
function withFailures(asked: Statements, engine: Engine): Statements {
  const refuseRead = refuse(engine, failuresOfReads)
  const refuseWrite = refuse(engine, failuresOfWrites)
  return {
    read: (statement) => {
      try {
        const rows = asked.read(statement)
        return rows instanceof Promise ? rows.catch(refuseRead) : rows
      } catch (error) {
        return refuseRead(error)
      }
    },
    transact: (statements, check) => asked.transact(statements, check).catch(refuseWrite),
    transactInSteps: (work, right) => asked.transactInSteps(work, right).catch(refuseWrite),
  }
}

/** The same for what may take long. */
function withLongFailures(engine: Engine): LongStatements {
  const refuseRead = refuse(engine, failuresOfReads)
  return {
    readLong: async (statement) => Promise.resolve(engine.readLong(statement)).catch(refuseRead),
    readWithin: async (statement, bytesMax) =>
      Promise.resolve(engine.readWithin(statement, bytesMax)).catch(refuseRead),
    transactLong: (work, choose, right) =>
      engine.transactLong(work, choose, right).catch(refuse(engine, failuresOfWrites)),
  }
}
