import type { Bare } from './bare.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export const openBare = (databaseUrl: string): Bare =>
  databaseUrl.startsWith('postgres') ? openPostgres(databaseUrl) : openSqlite(databaseUrl)
