import { migrations } from '../../migrations/index.ts'
import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** How far the schema of a database is. */
export interface SchemaFacts {
  /** The last step that it has, and the last one that this program knows. */
  readonly done: number
  readonly known: number
}

export async function schemaFacts(db: Database, hasMigrations: boolean): Promise<SchemaFacts> {
  const [row] = hasMigrations ? await db.read(sql`select max(number) from migration`) : []
  return { done: Number(row?.[0] ?? 0), known: migrations.at(-1)?.number ?? 0 }
}
