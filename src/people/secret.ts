import { randomBytes } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'

/** The key that signs cookies: as configured, or generated once and stored in the database for all instances. */
export async function findSecret(db: Database, given: string | null): Promise<string> {
  if (given !== null) return given
  const made = randomBytes(32).toString('base64url')
  return (await readSecret(db)) ?? (await makeSecret(db, made)) ?? made
}

async function makeSecret(db: Database, made: string): Promise<string | null> {
  await db.transact([
    sql`insert into setting (name, value) values ('auth_secret', ${made}) on conflict (name) do nothing`,
  ])
  // Another instance may have stored one first.
  return readSecret(db)
}

async function readSecret(db: Database): Promise<string | null> {
  const [row] = await db.read(sql`select value from setting where name = 'auth_secret'`)
  return row ? String(row[0]) : null
}
