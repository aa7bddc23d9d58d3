import { failure } from '../errors.ts'
import type { Database, Engine, Problem, Statements } from './database.ts'
import { openPostgres } from './postgres.ts'
import { shareEngine, shareServer } from './share.ts'
import { openSqlite } from './sqlite.ts'

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
    const engine = openSqlite(filePath(databaseUrl))
    return shareEngine({ ...engine, ...withFailures(engine, engine) }, queueMax)
  }
  const server = openPostgres({ url: databaseUrl, ...settings })
  const shared = withFailures(server.shared, server)
  return shareServer({ ...server, ...withFailures(server, server), shared }, { connectionsMax, queueMax })
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
function withFailures(asked: Statements, { explain }: Engine): Statements {
  const refuse = (error: unknown): never => {
    const problem = explain(error)
    throw (problem && failures[problem]?.(error)) ?? error
  }
  return {
    read: (statement) => asked.read(statement).catch(refuse),
    transact: (statements, check) => asked.transact(statements, check).catch(refuse),
    transactInSteps: (work) => asked.transactInSteps(work).catch(refuse),
  }
}
