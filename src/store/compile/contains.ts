import type { Dialect } from '../dialect.ts'
import { type Sql, sql } from '../sql.ts'

/**
 * Whether a column has a text in it, in any case. What was typed means itself. Not by `like`, which takes forty times as long where
 * a long text is almost there.
 */
export const contains = ({ position }: Dialect, column: Sql, text: string): Sql =>
  sql`${position}(lower(${column}), ${text.toLowerCase()}) > 0`
