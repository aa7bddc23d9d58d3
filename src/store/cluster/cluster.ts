import { ApiError } from '../../errors/index.ts'
import type { Database, Rows, Steps } from '../database.ts'
import { identifier, integer, join, keyword, Sql, sql, textLiteral } from '../sql.ts'
import { distributedTables, referenceTables } from './layout.ts'

/** The tables of a company lie beside this one. */
const [anchor] = distributedTables

/** What keeps a database from being distributed, in the words of who can mend it; null where nothing does. */
export async function obstacleOf(db: Database): Promise<string | null> {
  if (!(await citusVersion(db)))
    return 'Citus is not installed in this database. Install it on every node (https://docs.citusdata.com, "Installation"), set shared_preload_libraries = \'citus\', restart PostgreSQL, and run: create extension citus'
  const [coordinator] = await db.read(sql`select 1 from pg_dist_node where groupid = 0`)
  if (coordinator) return null
  return "The cluster does not know its coordinator. Run there: select citus_set_coordinator_host('HOST', 5432)"
}

export async function citusVersion(db: Pick<Database, 'read'>): Promise<string | null> {
  const [row] = await db.read(sql`select extversion from pg_extension where extname = 'citus'`)
  return row ? String(row[0]) : null
}

/** The tables that are not yet where the layout wants them. */
export async function listUndistributed(db: Database): Promise<string[]> {
  const rows = await db.read(sql`
    select logicalrelid::regclass::text from pg_dist_partition where partmethod = 'h' or (partmethod = 'n' and repmodel = 't')`)
  const placed = new Set(rows.flat())
  return [...Object.keys(referenceTables), ...distributedTables].filter((table) => !placed.has(table))
}

/** Puts tables where the layout wants them, all or none, and takes along what they hold. */
export async function distribute(db: Database, tables: readonly string[], shards: number): Promise<void> {
  await untilLocked(() => db.transactInSteps(distributing(tables, shards)))
  // The rows are on the nodes now, and still in the table that they came from.
  for (const table of tables)
    await untilLocked(() =>
      db.transact([sql`select truncate_local_data_after_distributing_table(${textLiteral(table)})`]),
    )
  const [[name] = []] = await db.read(sql`select current_database()`)
  // Citus passes it on to the nodes.
  await db.transact(nodeSettings.map((setting) => sql`alter database ${identifier(String(name))} set ${setting}`))
}

const attemptsMax = 20

/** A service that writes at the same time takes its locks in another order. Then PostgreSQL lets one of the two fail. */
async function untilLocked(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = attemptsMax; ; left -= 1) {
    try {
      await attempt()
      return
    } catch (error) {
      if (!(error instanceof ApiError && error.code === '40P01') || left === 0) throw error
    }
  }
}

/** For the connections between the nodes, which know nothing of those that we set for ours. */
const nodeSettings = [
  // What a transaction sets for itself, such as how long it waits for a lock, has to hold on the nodes, too.
  keyword("citus.propagate_set_commands = 'local'"),
  keyword('random_page_cost = 1'),
  keyword('enable_seqscan = off'),
  keyword('max_parallel_workers_per_gather = 0'),
  keyword('jit = off'),
]

/** A foreign key can neither lead from a table that is still local to a distributed one nor be moved along: so it is made anew. */
function* distributing(tables: readonly string[], shards: number): Steps {
  // Foreign keys between the two kinds of tables ask for one node after the other.
  const [, , keys = []] = yield [
    // Before anything is moved, because only now may it fail.
    sql`lock table ${join(tables.map(names), ', ')} in access exclusive mode`,
    keyword("set local citus.multi_shard_modify_mode = 'sequential'"),
    foreignKeysOf(tables),
  ]
  yield keys.map(([table, key]) => sql`alter table ${names(table)} drop constraint ${names(key)}`)
  yield tables.map((table) => placing(table, shards))
  yield keys.map(
    ([table, key, definition]) =>
      sql`alter table ${names(table)} add constraint ${names(key)} ${new Sql([String(definition)], [])}`,
  )
}

const names = (name: Rows[number][number] | undefined): Sql => identifier(String(name))

const foreignKeysOf = (tables: readonly string[]): Sql => {
  const wanted = join(tables.map(textLiteral), ', ')
  return sql`
    select t.relname::text, f.conname::text, pg_get_constraintdef(f.oid) from pg_constraint f
    join pg_class t on t.oid = f.conrelid join pg_class o on o.oid = f.confrelid
    where f.contype = 'f' and t.relnamespace = current_schema()::regnamespace
      and (t.relname::text in (${wanted}) or o.relname::text in (${wanted}))
    order by 1, 2`
}

/** The statement that puts a table where the layout wants it. */
export function placing(table: string, shards = 0): Sql {
  if (table in referenceTables) return sql`select create_reference_table(${textLiteral(table)})`
  const group =
    table === anchor
      ? sql`colocate_with => 'none', shard_count => ${integer(shards)}`
      : sql`colocate_with => ${textLiteral(anchor)}`
  return sql`select create_distributed_table(${textLiteral(table)}, 'company_id', ${group})`
}

/** Gives a company a shard of its own, in every table; the number of the new shard of projects. */
export async function isolate(db: Database, companyId: string): Promise<string> {
  await db.transact([
    // Whoever interrupts the command wants it to end on the server, too.
    keyword("set local client_connection_check_interval = '1s'"),
    // Writes wait for less than a second. Without blocking them, the split can hang for ever (Citus issue 6790).
    sql`select isolate_tenant_to_new_shard(${textLiteral(anchor)}, ${companyId}::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`,
  ])
  const [[shard] = []] = await db.read(
    sql`select get_shard_id_for_distribution_column('project', ${companyId}::uuid)::text`,
  )
  return String(shard)
}
