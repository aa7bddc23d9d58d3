import type { Database } from '../database.ts'
import { hasTable } from '../has-table.ts'
import { keyword } from '../sql.ts'

/** The table that stands in a database for as long as a copy into it is not complete. Its presence is all that it says. */
export const unfinishedTable = 'unfinished_copy'

/** Whether rows are still missing that a copy was to bring, so that nobody should be served from it. */
export const isUnfinishedCopy = (db: Pick<Database, 'dialect' | 'read'>): Promise<boolean> =>
  hasTable(db, unfinishedTable)

export async function beginCopy(db: Database): Promise<void> {
  await db.transact([keyword('create table unfinished_copy (source integer primary key)')])
}

export async function finishCopy(db: Database): Promise<void> {
  await db.transact([keyword('drop table unfinished_copy')])
}
