import type { Config } from '../config.ts'
import { type Company, listCompanies } from '../people/companies.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { isPostgres, openDatabase } from '../store/open.ts'
import { CommandError } from './command.ts'

/** Opens the database and brings its schema up to date, or says what stands in the way. */
export async function openReady(config: Config): Promise<Database> {
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

function whyNotOpen(config: Config, db: Database | null, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  if (!isPostgres(config.databaseUrl)) {
    return `The database file ${db?.location ?? config.databaseUrl} cannot be opened: ${reason}. Make its directory writable, or set DATABASE_URL to another path.`
  }
  // The address as it was given holds the password.
  return `PostgreSQL${db ? ` at ${db.location}` : ''} cannot be used: ${reason}. Check that it runs, and that DATABASE_URL has the right host, user, password and database.`
}

export async function withDatabase<Result>(config: Config, work: (db: Database) => Promise<Result>): Promise<Result> {
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
