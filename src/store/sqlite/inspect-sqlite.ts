import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '../database.ts'
import { type SchemaFacts, schemaFacts } from '../schema-facts.ts'
import { keyword, sql } from '../sql.ts'
import { lastBackupName } from './sqlite-backup.ts'

export interface FileFacts {
  readonly bytes: number
  readonly freeBytes: number
  /** The permissions of the file with its `-wal` and `-shm`, and of their directory. */
  readonly modes: readonly number[]
  readonly folderMode: number
  readonly changedAt: Date
  /** The type of the file system, a number of linux/magic.h. */
  readonly fileSystem: number
}

/** Facts from the file system; null if there is no file. Call it before the file is opened, because that fixes permissions. */
export function inspectFile(path: string): FileFacts | null {
  if (!existsSync(path)) return null
  const folder = dirname(path)
  const files = ['', '-wal', '-shm'].map((side) => path + side).filter((file) => existsSync(file))
  const { bavail, bsize, type } = statfsSync(folder)
  return {
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    freeBytes: bavail * bsize,
    modes: files.map((file) => statSync(file).mode & 0o777),
    folderMode: statSync(folder).mode & 0o777,
    changedAt: new Date(Math.max(...files.map((file) => statSync(file).mtimeMs))),
    fileSystem: type,
  }
}

export interface SqliteFacts extends SchemaFacts {
  readonly journalMode: string
  readonly synchronous: number
  readonly hasForeignKeys: boolean
  /** The first error that the integrity check has found. */
  readonly damage: string | null
  readonly orphans: number
  readonly lastBackupAt: string | null
}

/** Facts from the engine, opened as the service opens it. `isFull` also compares every index with its table. */
export async function inspectSqlite(db: Database, isFull: boolean): Promise<SqliteFacts> {
  const one = async (statement: Parameters<Database['read']>[0]) => (await db.read(statement))[0]?.[0] ?? null
  const damage = await one(isFull ? keyword('pragma integrity_check(1)') : keyword('pragma quick_check(1)'))
  const tables = (await db.read(sql`select name from sqlite_schema where type = 'table'`)).flat()
  return {
    ...(await schemaFacts(db, tables.includes('migration'))),
    journalMode: String(await one(sql`pragma journal_mode`)),
    synchronous: Number(await one(sql`pragma synchronous`)),
    hasForeignKeys: (await one(sql`pragma foreign_keys`)) === 1,
    damage: damage === 'ok' ? null : String(damage),
    orphans: (await db.read(sql`pragma foreign_key_check`)).length,
    lastBackupAt: tables.includes('setting')
      ? ((await one(sql`select value from setting where name = ${lastBackupName}`)) as string | null)
      : null,
  }
}
