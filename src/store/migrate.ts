import { migrations } from '../../migrations/index.ts'
import type { Database } from './database.ts'

/** Brings the schema up to date. Safe when several instances start together. Tells whether the database was new. */
export async function migrate(db: Database): Promise<{ readonly isNew: boolean }> {
  let isNew = false
  for (const { number, name, ...scripts } of migrations) {
    const applied = await db.migrate({ number, name, script: scripts[db.dialect.name] })
    if (number === 1) isNew = applied
  }
  return { isNew }
}
