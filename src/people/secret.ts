import { randomBytes } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'

/** What signs the cookies: as given, or made once and kept in the database, for every instance and after every restart. */
export async function findSecret(db: Database, given: string | null): Promise<string> {
  if (given !== null) return given
  const made = randomBytes(32).toString('base64url')
  return (await readSecret(db)) ?? (await makeSecret(db, made)) ?? made
}

async function makeSecret(db: Database, made: string): Promise<string | null> {
  await db.transact([
    sql`insert into setting (name, value) values ('auth_secret', ${made}) on conflict (name) do nothing`,
  ])
  // Another instance may have been first.
  return readSecret(db)
}

async function readSecret(db: Database): Promise<string | null> {
  const [row] = await db.read(sql`select value from setting where name = 'auth_secret'`)
  return row ? String(row[0]) : null
}
