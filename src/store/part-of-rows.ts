import type { Rows } from './database.ts'
import type { Dialect } from './dialect.ts'
import { identifier, join, type Sql, sql } from './sql.ts'

/** Rows that are deleted by one statement, and about how many bytes of them: other writes wait for it. */
export const partRowsMax = 50
export const partBytesMax = 1024 * 1024

/** How many bytes some columns of a row take, as they are stored. */
export const bytesOfColumns = ({ storedBytes }: Dialect, names: readonly string[]): Sql =>
  join(
    names.map((name) => sql`coalesce(${storedBytes(identifier(name))}, 0)`),
    ' + ',
  )

/** How many of the rows, which end with their bytes, belong to the next part. */
export function countOfPart(rows: Rows): number {
  let bytes = 0
  const last = rows.findIndex((row) => {
    bytes += Number(row.at(-1))
    return bytes >= partBytesMax
  })
  return last === -1 ? rows.length : last + 1
}
