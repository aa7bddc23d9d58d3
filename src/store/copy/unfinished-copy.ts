import type { Database } from '../database.ts'
import { keyword, type Sql } from '../sql.ts'
import type { EngineName } from './catalogue.ts'

/** The table that stands in a database for as long as a copy into it is not complete. Its presence is all that it says. */
export const unfinishedTable = 'unfinished_copy'

const question: Record<EngineName, Sql> = {
  sqlite: keyword("select 1 from sqlite_schema where name = 'unfinished_copy'"),
  postgres: keyword("select 1 where to_regclass('unfinished_copy') is not null"),
}

/** Whether rows are still missing that a copy was to bring, so that nobody should be served from it. */
export const isUnfinishedCopy = async (db: Pick<Database, 'dialect' | 'read'>): Promise<boolean> =>
  (await db.read(question[db.dialect.name])).length > 0

export async function beginCopy(db: Database): Promise<void> {
  await db.transact([keyword('create table unfinished_copy (source integer primary key)')])
}

export async function finishCopy(db: Database): Promise<void> {
  await db.transact([keyword('drop table unfinished_copy')])
}
