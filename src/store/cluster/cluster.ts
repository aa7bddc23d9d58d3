import type { Database, Rows, Steps } from '../database.ts'
import { identifier, integer, join, Sql, sql, textLiteral } from '../sql.ts'
import { distributedTables, referenceTables } from './layout.ts'

const [anchor, ...followers] = distributedTables

/** What keeps a database from being distributed, in the words of who can mend it; null where nothing does. */
export async function obstacleOf(db: Database): Promise<string | null> {
  if (!(await citusVersion(db)))
    return 'Citus is not installed in this database. Install it on every node (https://docs.citusdata.com, "Installation"), set shared_preload_libraries = \'citus\', restart PostgreSQL, and run: create extension citus'
  const [coordinator] = await db.read(sql`select 1 from pg_dist_node where groupid = 0`)
  if (coordinator) return null
  return "The cluster does not know its coordinator. Run there: select citus_set_coordinator_host('HOST', 5432)"
}

export async function citusVersion(db: Database): Promise<string | null> {
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
  const [[name] = []] = await db.read(sql`select current_database()`)
  await db.transactInSteps(distributing(tables, shards))
  // What a transaction sets for itself, such as how long it waits for a lock, has to hold on the nodes, too.
  await db.transact([sql`alter database ${identifier(String(name))} set citus.propagate_set_commands = 'local'`])
}

/** A foreign key can neither lead from a table that is still local to a distributed one nor be moved along: so it is made anew. */
function* distributing(tables: readonly string[], shards: number): Steps {
  // Foreign keys between the two kinds of tables ask for one node after the other.
  const [, keys = []] = yield [sql`set local citus.multi_shard_modify_mode = 'sequential'`, foreignKeysOf(tables)]
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

function placing(table: string, shards: number): Sql {
  if (table in referenceTables) return sql`select create_reference_table(${textLiteral(table)})`
  const group = followers.some((follower) => follower === table)
    ? sql`colocate_with => ${textLiteral(anchor)}`
    : sql`colocate_with => 'none', shard_count => ${integer(shards)}`
  return sql`select create_distributed_table(${textLiteral(table)}, 'company_id', ${group})`
}

/** Gives a company a shard of its own, in every table; the number of the new shard. */
export async function isolate(db: Database, companyId: string): Promise<string> {
  const [[[shard] = []] = []] = await db.transact([
    sql`select isolate_tenant_to_new_shard(${textLiteral(anchor)}, ${companyId}::uuid, 'CASCADE')::text`,
  ])
  return String(shard)
}
