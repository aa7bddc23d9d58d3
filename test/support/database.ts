import { readConfig } from '../../src/config/config.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import type { Place, TestEngine } from './engines.ts'
import { untilConnected } from './until-connected.ts'

/** Makes the tables, as the first start of the service does. Commands refuse a database without them. */
export async function createTables(DATABASE_URL: string): Promise<void> {
  const db = openDatabase(readConfig({ DATABASE_URL }, false))
  try {
    await untilConnected(() => migrate(db))
  } finally {
    await db.close()
  }
}

/** A new database for what makes tables that are missing, and finds them there where that is quicker. */
export const newDatabase = ({ makeTables, makePlace }: TestEngine): Promise<Place> => (makeTables ?? makePlace)()
