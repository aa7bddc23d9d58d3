import type { Config } from '../config.ts'
import { type Company, listCompanies } from '../people/companies.ts'
import { citusVersion } from '../store/cluster/cluster.ts'
import { isUnfinishedCopy } from '../store/copy/unfinished-copy.ts'
import type { Database, Problem } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { explainOpening, filePath, isPostgres, openDatabase, type StoreSettings } from '../store/open.ts'
import { isDistributed } from '../store/postgres/postgres-connection.ts'
import { requireFile } from '../store/sqlite/sqlite-file.ts'
import { CommandError } from './command.ts'

/** Opens the database and brings its schema up to date, or says what stands in the way. */
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
  // Otherwise it would be sent what Citus refuses.
  if (isPostgres(databaseUrl) && !isDistributed(databaseUrl) && (await citusVersion(db)))
    return `PostgreSQL at ${db.location} has the extension Citus. Add ?citus=true to DATABASE_URL.`
  return null
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

/** What to do about it, where the reason alone does not tell. */
const remedies: Readonly<Record<'postgres' | 'sqlite', Partial<Record<Problem, string>> & { readonly other: string }>> =
  {
    sqlite: {
      damaged:
        'It is damaged, or no database at all. Restore the latest backup with "restore FILE --replace", or set DATABASE_URL to another path',
      away: 'Another program may keep it locked: then end that one. Otherwise give this user the right to write its directory, or set DATABASE_URL to another path',
      full: 'Make room on its disk',
      other: 'Give this user the right to write the file and its directory, or set DATABASE_URL to another path',
    },
    postgres: {
      'read-only': 'It takes no changes. Set DATABASE_URL to the primary, or end its read-only mode',
      full: 'Make room on its disk',
      damaged: 'Restore its latest backup',
      other: 'Check that it runs, and that DATABASE_URL has the right host, user, password and database',
    },
  }

function whyNotOpen({ databaseUrl }: StoreSettings, db: Database | null, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  const engine = isPostgres(databaseUrl) ? 'postgres' : 'sqlite'
  const problem = explainOpening(databaseUrl, error)
  const remedy = reason.includes('unsupported startup parameter')
    ? 'PgBouncer seems to stand before it: add ?pgbouncer=true to the address'
    : ((problem && remedies[engine][problem]) ?? remedies[engine].other)
  const what =
    engine === 'sqlite'
      ? `The database file ${db?.location ?? databaseUrl} cannot be opened`
      : // The address as it was given holds the password.
        `PostgreSQL${db ? ` at ${db.location}` : ''} cannot be used`
  return `${what}: ${reason}. ${remedy}.`
}

/** For commands about what is there already: where nothing is, they most likely look in the wrong place. */
export async function withDatabase<Result>(config: Config, work: (db: Database) => Promise<Result>): Promise<Result> {
  if (!isPostgres(config.databaseUrl)) requireFile(filePath(config.databaseUrl))
  return withNewDatabase(config, work)
}

/** For commands with which a database may begin. */
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
