import { migrations } from '../../migrations/index.ts'
import type { Engine } from './database.ts'

/** Brings the schema up to date. Safe when several instances start together. */
export async function migrate(db: Engine): Promise<void> {
  for (const { number, name, ...scripts } of migrations) {
    await db.migrate({ number, name, script: scripts[db.dialect.name] })
  }
}
