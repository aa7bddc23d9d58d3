import type { Column } from '../../resources/define.ts'
import type { Dialect } from '../dialect.ts'
import { company, join, type Piece, sql } from '../sql.ts'
import { allWithin, postgresDialect } from './postgres-dialect.ts'

/** PostgreSQL's dialect without what Citus refuses or is slow at. */
export const citusDialect: Dialect = {
  ...postgresDialect,
  // Without a subselect, Citus needs less than half the time to plan it: its "fast path" is for one table and one company.
  list: (entries, source) => sql`select ${postgresDialect.rowText(entries)} ${source}`,
  // In an upsert and in the conditions of a write, Citus takes immutable functions only, which `concat` and casts to dates are not.
  computesInWrites: false,
  // It plans each insert anew, which takes longer than to insert a row.
  gathersRows: true,
  // Citus allows only columns in `returning`, so the JSON is made in an outer select.
  showing: (write, { table, columns, shown }, bytesMax) => {
    const rows = sql`select ${shown} from written as ${table}`
    return sql`with written as (${write} returning ${columns}) ${bytesMax === null ? rows : allWithin(rows, bytesMax)}`
  },
  // The errors of an `insert … select` that passes its rows on to another node have no SQLSTATE.
  rows: (columns, rows, added) => {
    const each = rowsMax(columns)
    return Array.from({ length: Math.ceil(rows.length / each) }, (_, at) =>
      valuesOf(columns, rows.slice(at * each, (at + 1) * each), added),
    )
  },
  newEvents: { ...postgresDialect.newEvents, alone: 'behind', number: null },
}

/** The same for the node that has the rows: it inserts many in half the time, and tells what is wrong with one. */
export const citusNodeDialect: Dialect = { ...citusDialect, rows: postgresDialect.rows }

/** PostgreSQL's own limit of parameters in one statement. */
const parametersMax = 65_535

/** Rows in one statement. One of more rows takes more than twice as long for twice the rows. */
const rowsMax = (columns: readonly Column[]): number => Math.min(1000, Math.floor(parametersMax / (columns.length + 1)))

function valuesOf(
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
  added: Piece | undefined,
): Piece {
  const tuples = rows.map((row) => {
    const values = columns.map((column, at) => postgresDialect.valueOf(column, sql`${row[at] ?? null}`))
    return sql`(${join([sql`${company}::uuid`, ...values, ...(added ? [added] : [])], ', ')})`
  })
  return sql`values ${join(tuples, ', ')}`
}
