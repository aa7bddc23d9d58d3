import type { Database, Dialect } from './database.ts'
import { type Sql, sql } from './sql.ts'

const questions: Record<Dialect['name'], (name: string) => Sql> = {
  sqlite: (name) => sql`select 1 from sqlite_schema where name = ${name}`,
  postgres: (name) => sql`select 1 where to_regclass(${name}) is not null`,
}

/** Whether the database has a table, whatever its schema is otherwise. */
export const hasTable = async (db: Pick<Database, 'dialect' | 'read'>, name: string): Promise<boolean> =>
  (await db.read(questions[db.dialect.name](name))).length > 0
