import type { Config } from '../config/config.ts'
import { listCompanies } from '../people/companies.ts'
import { isUnfinishedCopy } from '../store/copy/unfinished-copy.ts'
import type { Database } from '../store/database.ts'
import { engineError } from '../store/engine-error.ts'
import type { StoreSettings } from '../store/engine-kind.ts'
import { hasTable } from '../store/has-table.ts'
import { migrate } from '../store/migrate.ts'
import { engineOf, openDatabase } from '../store/open.ts'
import { CommandError } from './command.ts'

/** Opens the database and migrates its schema, or explains why it cannot be used. */
export async function openReady(config: Config, mayBeNew = true): Promise<Database> {
  const db = await openMigrated(config, mayBeNew)
  const obstacle = await obstacleTo(db, config)
  if (obstacle === null) return db
  await db.close()
  throw new CommandError(obstacle)
}

async function obstacleTo(db: Database, { databaseUrl }: Config): Promise<string | null> {
  if (await isUnfinishedCopy(db))
    return `A copy into ${db.location} was begun and not finished, so that data is missing. Run "copy --to … --resume" again, or empty the database.`
  return engineOf(databaseUrl).obstacleTo(db, databaseUrl)
}

/** The same for the target of a copy, which may be unfinished. */
export async function openMigrated(config: StoreSettings, mayBeNew = true): Promise<Database> {
  let db: Database | null = null
  try {
    db = openDatabase(config)
    if (!mayBeNew && !(await hasTable(db, 'migration'))) throw new CommandError(noTables(db))
    await migrate(db)
    return db
  } catch (error) {
    await db?.close().catch(() => {})
    throw error instanceof CommandError ? error : new CommandError(whyNotOpen(config, db, engineError(error)))
  }
}

const noTables = ({ location }: Database): string =>
  `${location} has no tables of the Project API. Set DATABASE_URL to the database that the service uses, or start the service on this one to create them.`

function whyNotOpen({ databaseUrl }: StoreSettings, db: Database | null, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  const { what, remedyFor } = engineOf(databaseUrl).openingFailed
  return `${what(db?.location ?? null, databaseUrl)}: ${reason}. ${remedyFor(error)}.`
}

type Work<Result> = (db: Database) => Promise<Result>

/** For commands. They never create a database: a missing one most likely means a wrong DATABASE_URL. */
export async function withDatabase<Result>(config: Config, work: Work<Result>): Promise<Result> {
  engineOf(config.databaseUrl).requireDatabase(config.databaseUrl)
  return use(await openReady(config, false), work)
}

/** For commands that prepare a database before its first start. */
export async function withNewDatabase<Result>(config: Config, work: Work<Result>): Promise<Result> {
  return use(await openReady(config), work)
}

async function use<Result>(db: Database, work: Work<Result>): Promise<Result> {
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export async function findCompany(db: Database, idOrName: string) {
  const companies = await listCompanies(db)
  const found = companies.filter(({ id, name }) => id === idOrName || name === idOrName)
  const [company, another] = found
  if (another)
    throw new CommandError(
      `Several companies are called "${idOrName}". Use the id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  if (!company)
    throw new CommandError(`There is no company "${idOrName}". "company list" shows them, "company create" makes one.`)
  return company
}
