import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface StoreSettings {
  readonly databaseUrl: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
}

/** `postgres://…` is a server; anything else is the path of a file, with or without `sqlite:` before it. */
export function openDatabase(settings: StoreSettings): Database {
  if (isPostgres(settings.databaseUrl)) return openPostgres({ url: settings.databaseUrl, ...settings })
  return openSqlite(settings.databaseUrl.replace(/^sqlite:(\/\/)?/, ''))
}

export const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url)
