import type { Database } from './database.ts'
import type { EngineKind, StoreSettings } from './engine-kind.ts'
import { postgres } from './postgres/postgres-kind.ts'
import { sqlite } from './sqlite/sqlite-kind.ts'

/** `postgres://…` is a server; anything else is the path of a file, with or without `sqlite:` before it. */
export const engineOf = (url: string): EngineKind => (/^postgres(ql)?:/i.test(url) ? postgres : sqlite)

export const openDatabase = (settings: StoreSettings): Database => engineOf(settings.databaseUrl).open(settings)
