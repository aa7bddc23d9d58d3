import type { Rows } from '../database.ts'
import { filePath, isPostgres, type StoreSettings } from '../open.ts'
import { openPostgresSnapshot } from '../postgres/postgres-snapshot.ts'
import type { Sql } from '../sql.ts'
import { openSqliteSnapshot } from '../sqlite/sqlite-snapshot.ts'
import type { EngineName } from './catalogue.ts'

/** A database as it was at one moment, to be read only, whatever others write meanwhile. */
export interface Snapshot {
  readonly engine: EngineName
  /** Where it is, for people to read: never with a password. */
  readonly location: string
  read(statement: Sql): Promise<Rows>
  /** The rows of a select in parts that fit into memory. `heaviest` tells the bytes of the largest row. */
  parts(select: Sql, heaviest: Sql): AsyncIterable<Rows>
  close(): Promise<void>
}

export async function openSnapshot(settings: StoreSettings): Promise<Snapshot> {
  const { databaseUrl } = settings
  if (isPostgres(databaseUrl)) return openPostgresSnapshot({ url: databaseUrl, ...settings })
  return openSqliteSnapshot(filePath(databaseUrl))
}
