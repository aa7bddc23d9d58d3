import type { Dialect } from '../database.ts'
import { sql } from '../sql.ts'
import { allWithin, postgresDialect } from './postgres-dialect.ts'

/** PostgreSQL's, but for what Citus refuses: a write may return columns only, so their JSON is made around it. */
export const citusDialect: Dialect = {
  ...postgresDialect,
  showing: (write, { table, columns, shown }, bytesMax) => {
    const rows = sql`select ${shown} from written as ${table}`
    return sql`with written as (${write} returning ${columns}) ${bytesMax === null ? rows : allWithin(rows, bytesMax)}`
  },
}
