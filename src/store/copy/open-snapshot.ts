import { filePath, isPostgres, type StoreSettings } from '../open.ts'
import { openPostgresSnapshot } from '../postgres/postgres-snapshot.ts'
import { openSqliteSnapshot } from '../sqlite/sqlite-snapshot.ts'
import type { Snapshot } from './snapshot.ts'

export async function openSnapshot(settings: StoreSettings): Promise<Snapshot> {
  const { databaseUrl } = settings
  if (isPostgres(databaseUrl)) return openPostgresSnapshot({ url: databaseUrl, ...settings })
  return openSqliteSnapshot(filePath(databaseUrl))
}
