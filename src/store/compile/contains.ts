import { type Sql, sql } from '../sql.ts'

/** Whether a column has a text in it, in any case. What was typed means itself. */
export const contains = (column: Sql, text: string): Sql =>
  sql`lower(${column}) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
