import { readConfig } from '../../src/config/config.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'

/** Makes the tables, as the first start of the service does. Commands refuse a database without them. */
export async function createTables(DATABASE_URL: string): Promise<void> {
  const db = openDatabase(readConfig({ DATABASE_URL }, false))
  try {
    await migrate(db)
  } finally {
    await db.close()
  }
}
