import type { SQL } from 'bun'
import { placing } from '../cluster/cluster.ts'
import type { Migration } from '../database.ts'
import { render } from '../sql.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { sqlState } from './postgres-problems.ts'

/** The row of the migration is also the lock: a second instance waits for the first one, and then has nothing to do. */
export async function migratePool(pool: SQL, { number, name, script }: Migration): Promise<boolean> {
  // A look first: of a cluster, only the coordinator is needed for that.
  if (await isDone(pool, number)) return false
  return pool.begin(async (client) => {
    await client.unsafe('set local statement_timeout = 0')
    const taken = await client.unsafe(
      'insert into migration (number, name) values ($1, $2) on conflict do nothing returning number',
      [number, name],
    )
    if (taken.length === 0) return false
    const isDistributed = await areDistributed(client)
    // Otherwise Citus refuses to change a distributed table and then one that it refers to.
    if (isDistributed) await client.unsafe("set local citus.multi_shard_modify_mode = 'sequential'")
    for (const part of partsOf(script, isDistributed)) await client.unsafe(part)
    return true
  })
}

/** Makes the table of migrations if there is none. */
async function isDone(pool: SQL, number: number): Promise<boolean> {
  try {
    // With a lock, because a server that is read-only refuses it: such a one must not be served.
    return (await pool.unsafe('select 1 from migration where number = $1 for update', [number])).length > 0
  } catch (error) {
    if (sqlState(error) !== '42P01') throw error
    await makeMigrationTable(pool)
    return false
  }
}

async function makeMigrationTable(pool: SQL): Promise<void> {
  try {
    await pool.unsafe('create table if not exists migration (number integer primary key, name text not null)')
  } catch (error) {
    // Instances that start at the same time may all find the table missing; then all but one fail with a duplicate.
    if (!['23505', '42P07', '42710'].includes(sqlState(error))) throw error
  }
}

/** Whether the tables are spread over the nodes of a cluster. */
async function areDistributed(client: Pick<SQL, 'unsafe'>): Promise<boolean> {
  const hasCitus = await client.unsafe("select 1 from pg_extension where extname = 'citus'")
  if (hasCitus.length === 0) return false
  return (await client.unsafe("select 1 from pg_dist_partition where logicalrelid = to_regclass('bid')")).length > 0
}

/**
 * `-- distribute: note` in a script → the statement that spreads the new table over the nodes. A foreign key to a
 * distributed table can be added only after that. Where nothing is distributed, the line stays a comment.
 */
export function partsOf(script: string, isDistributed: boolean): string[] {
  if (!isDistributed) return [script]
  return script.split(/^-- distribute: (\w+)\n/m).flatMap((part, at) =>
    // Every other part is a name.
    at % 2 === 1 ? [render(placing(part), postgresDialect.placeholder)] : statementsOf(part),
  )
}

/** One by one, because Citus sends the whole text to the nodes. A statement ends with its line, outside of `$$ … $$`. */
function statementsOf(script: string): string[] {
  const statements = script.match(/(?:\$\$.*?\$\$|.)+?(?:;[ ]*$|$(?!\n))/gms) ?? []
  return statements.filter((statement) => /^\s*[^\s-]/m.test(statement)).map((statement) => statement.trim())
}
