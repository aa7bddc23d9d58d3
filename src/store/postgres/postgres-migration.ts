import type { SQL } from 'bun'
import type { Migration } from '../database.ts'
import { sqlState } from './postgres-problems.ts'

/** The row of the migration is also the lock: a second instance waits for the first one, and then has nothing to do. */
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
    // Instances that start at the same time may all find the table missing; then all but one fail with a duplicate.
    if (!['23505', '42P07', '42710'].includes(sqlState(error))) throw error
  }
}
