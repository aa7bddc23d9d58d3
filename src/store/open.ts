import { failure } from '../errors.ts'
import type { Database, Problem } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface StoreSettings {
  readonly databaseUrl: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
}

/** `postgres://…` is a server; anything else is the path of a file, with or without `sqlite:` before it. */
export function openDatabase(settings: StoreSettings): Database {
  const { databaseUrl } = settings
  if (isPostgres(databaseUrl)) return withFailures(openPostgres({ url: databaseUrl, ...settings }))
  return withFailures(openSqlite(filePath(databaseUrl)))
}

/** `sqlite:data/x.db` → `data/x.db` */
export const filePath = (url: string): string => url.replace(/^sqlite:(\/\/)?/i, '')

export const isPostgres = (url: string): boolean => /^postgres(ql)?:/i.test(url)

const failures: Partial<Record<Problem, (cause: unknown) => Error>> = {
  away: failure.databaseAway,
  slow: failure.tooSlow,
  collision: failure.writesCollided,
  'too complex': failure.tooComplex,
}

/** A database that is away or too slow fails alike for everyone who asks it, whatever they ask. */
function withFailures(db: Database): Database {
  const refuse = (error: unknown): never => {
    const problem = db.explain(error)
    throw (problem && failures[problem]?.(error)) ?? error
  }
  return {
    ...db,
    read: (statement) => db.read(statement).catch(refuse),
    transact: (statements, check) => db.transact(statements, check).catch(refuse),
    transactInSteps: (work) => db.transactInSteps(work).catch(refuse),
  }
}
