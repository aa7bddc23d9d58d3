import type { Dialect } from '../database.ts'
import { sql } from '../sql.ts'
import { allWithin, postgresDialect } from './postgres-dialect.ts'

/** PostgreSQL's dialect, but Citus allows only columns in `returning`, so the JSON is made in an outer select. */
export const citusDialect: Dialect = {
  ...postgresDialect,
  showing: (write, { table, columns, shown }, bytesMax) => {
    const rows = sql`select ${shown} from written as ${table}`
    return sql`with written as (${write} returning ${columns}) ${bytesMax === null ? rows : allWithin(rows, bytesMax)}`
  },
}
