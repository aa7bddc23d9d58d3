import type { Database } from '../database.ts'
import { hasTable } from '../has-table.ts'
import { type SchemaFacts, schemaFacts } from '../schema-facts.ts'
import { sql } from '../sql.ts'

export interface PostgresFacts extends SchemaFacts {
  /** As `show` gives them; times in milliseconds. */
  readonly settings: ReadonlyMap<string, string>
  readonly isSuperuser: boolean
  readonly isStandby: boolean
  readonly isEncrypted: boolean
  /** Where the tables are or will be; null: no schema of search_path exists. */
  readonly schema: string | null
  readonly mayCreateTables: boolean
  /** Of the role or the database, where one is set. */
  readonly connectionLimit: number | null
  readonly uncheckedConstraints: number
  /** How far its clock is ahead of ours. */
  readonly aheadMs: number
}

/** Needs no rights beyond connecting. */
export async function inspectPostgres(db: Database): Promise<PostgresFacts> {
  const settings = await db.read(sql`select name, setting from pg_settings`)
  const askedAt = Date.now()
  const [row = []] = await db.read(sql`
    select (select rolsuper::text from pg_roles where rolname = current_user), pg_is_in_recovery()::text,
      (select ssl::text from pg_stat_ssl where pid = pg_backend_pid()),
      current_schema()::text, has_schema_privilege(current_schema(), 'create')::text,
      (select least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) from pg_roles, pg_database
        where rolname = current_user and datname = current_database()),
      (select count(*)::int from pg_constraint
        where not convalidated and connamespace = quote_ident(current_schema())::regnamespace),
      (extract(epoch from clock_timestamp()) * 1000)::float8`)
  const [
    isSuperuser,
    isStandby,
    isEncrypted,
    schema,
    mayCreateTables,
    connectionLimit,
    uncheckedConstraints,
    serverMs,
  ] = row
  return {
    ...(await schemaFacts(db, await hasTable(db, 'migration'))),
    settings: new Map(settings.map(([name, setting]) => [String(name), String(setting)])),
    isSuperuser: isSuperuser === 'true',
    isStandby: isStandby === 'true',
    isEncrypted: isEncrypted === 'true',
    schema: schema == null ? null : String(schema),
    mayCreateTables: mayCreateTables === 'true',
    connectionLimit: connectionLimit == null ? null : Number(connectionLimit),
    uncheckedConstraints: Number(uncheckedConstraints),
    // The server read its clock at some time between the request and now.
    aheadMs: Number(serverMs) - (askedAt + Date.now()) / 2,
  }
}
