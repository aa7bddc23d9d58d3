import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import { inspectFile, inspectPostgres, inspectSqlite } from '../store/inspect.ts'
import { filePath, isPostgres, openDatabase } from '../store/open.ts'
import { judgeAll, type NamedFinding, problem, warning } from './check.ts'
import { postgresChecks } from './postgres-checks.ts'
import { inspectSettings, settingsChecks } from './settings-checks.ts'
import { fileChecks, sqliteChecks } from './sqlite-checks.ts'

/** Looks at everything that could void a promise, and changes nothing of the data. `isFull` reads the whole file. */
export async function examine(config: Config, isFull: boolean): Promise<NamedFinding[]> {
  const settings = judgeAll(settingsChecks, await inspectSettings(config))
  return [
    ...settings,
    ...(await (isPostgres(config.databaseUrl) ? examineServer(config) : examineFile(config, isFull))),
  ]
}

function examineServer(config: Config): Promise<NamedFinding[]> {
  const mend = 'Check that it runs, and that DATABASE_URL has the right host, user, password and database'
  return withOpen(config, mend, async (db) => judgeAll(postgresChecks, { ...(await inspectPostgres(db)), config }))
}

async function examineFile(config: Config, isFull: boolean): Promise<NamedFinding[]> {
  const facts = inspectFile(filePath(config.databaseUrl))
  if (!facts)
    return [{ name: 'database', ...warning(`there is no file ${config.databaseUrl} yet`, 'The first start makes it') }]
  const mend = 'Stop the service, and put the latest backup in its place with restore FILE --replace'
  const engine = await withOpen(config, mend, async (db) => judgeAll(sqliteChecks, await inspectSqlite(db, isFull)))
  return [...judgeAll(fileChecks, facts), ...engine]
}

async function withOpen(
  config: Config,
  mend: string,
  look: (db: Database) => Promise<NamedFinding[]>,
): Promise<NamedFinding[]> {
  let db: Database | null = null
  try {
    db = openDatabase(config)
    return await look(db)
  } catch (error) {
    return [{ name: 'database', ...problem(`cannot be read: ${reasonOf(error)}`, mend) }]
  } finally {
    await db?.close().catch(() => {})
  }
}

/** What the engine said, not what a client of the API would be told. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
