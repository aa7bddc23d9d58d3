import type { SQL } from 'bun'
import type { Migration } from '../database.ts'
import { sqlState } from './postgres-problems.ts'

/** The row of a migration is its lock: who inserts it second waits for the first, and then has nothing to do. */
export async function migratePool(pool: SQL, { number, name, script }: Migration): Promise<boolean> {
  await makeMigrationTable(pool)
  return pool.begin(async (client) => {
    await client.unsafe('set local statement_timeout = 0')
    const taken = await client.unsafe(
      'insert into migration (number, name) values ($1, $2) on conflict do nothing returning number',
      [number, name],
    )
    if (taken.length === 0) return false
    await client.unsafe(script)
    return true
  })
}

async function makeMigrationTable(pool: SQL): Promise<void> {
  try {
    await pool.unsafe('create table if not exists migration (number integer primary key, name text not null)')
  } catch (error) {
    // Instances that make it at once can all find it missing; then all but one meet the other's entry in the catalogue.
    if (!['23505', '42P07', '42710'].includes(sqlState(error))) throw error
  }
}
