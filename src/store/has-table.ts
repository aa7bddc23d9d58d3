import type { Database } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

const questions: Record<Dialect['name'], (name: string) => Sql> = {
  sqlite: (name) => sql`select 1 from sqlite_schema where name = ${name}`,
  postgres: (name) => sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`,
}

/** Whether the database has a table, whatever its schema is otherwise. On a server: in the schema where tables are created. */
export const hasTable = async (db: Pick<Database, 'dialect' | 'read'>, name: string): Promise<boolean> =>
  (await db.read(questions[db.dialect.name](name))).length > 0
