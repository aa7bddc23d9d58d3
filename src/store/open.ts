import type { Database } from './database.ts'
import { engineNameOf } from './database-url.ts'
import type { EngineKind, StoreSettings } from './engine-kind.ts'
import { postgres } from './postgres/postgres-kind.ts'
import { sqlite } from './sqlite/sqlite-kind.ts'

const engines: Record<EngineKind['name'], EngineKind> = { sqlite, postgres }

export const engineOf = (url: string): EngineKind => engines[engineNameOf(url)]

export const openDatabase = (settings: StoreSettings): Database => engineOf(settings.databaseUrl).open(settings)
