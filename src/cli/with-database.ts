import type { Config } from '../config/config.ts'
import { type Company, listCompanies } from '../people/companies.ts'
import { isUnfinishedCopy } from '../store/copy/unfinished-copy.ts'
import type { Database } from '../store/database.ts'
import type { StoreSettings } from '../store/engine-kind.ts'
import { migrate } from '../store/migrate.ts'
import { engineOf, openDatabase } from '../store/open.ts'
import { CommandError } from './command.ts'

/** Opens the database and migrates its schema, or explains why it cannot be used. */
export async function openReady(config: Config): Promise<Database> {
  const db = await openMigrated(config)
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
export async function openMigrated(config: StoreSettings): Promise<Database> {
  let db: Database | null = null
  try {
    db = openDatabase(config)
    await migrate(db)
    return db
  } catch (error) {
    await db?.close().catch(() => {})
    throw new CommandError(whyNotOpen(config, db, error))
  }
}

function whyNotOpen({ databaseUrl }: StoreSettings, db: Database | null, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  const { explain, what, remedies } = engineOf(databaseUrl).openingFailed
  const problem = explain(error)
  const remedy = reason.includes('unsupported startup parameter')
    ? 'This seems to be PgBouncer: add ?pgbouncer=true to the address'
    : ((problem && remedies[problem]) ?? remedies.other)
  return `${what(db?.location ?? null, databaseUrl)}: ${reason}. ${remedy}.`
}

/** For commands that need existing data. A missing database most likely means a wrong DATABASE_URL. */
export async function withDatabase<Result>(config: Config, work: (db: Database) => Promise<Result>): Promise<Result> {
  engineOf(config.databaseUrl).requireDatabase(config.databaseUrl)
  return withNewDatabase(config, work)
}

/** For commands that may create the database. */
export async function withNewDatabase<Result>(
  config: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openReady(config)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export async function findCompany(db: Database, idOrName: string): Promise<Company> {
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
