import type { Dialect } from '../dialect.ts'
import { keyword, type Sql, sql } from '../sql.ts'

/** Not `like`, which takes forty times as long where a long text is almost there. */
const position: Record<Dialect['name'], Sql> = { sqlite: keyword('instr'), postgres: keyword('strpos') }

/** Whether a column has a text in it, in any case. What was typed means itself. */
export const contains = ({ name }: Dialect, column: Sql, text: string): Sql =>
  sql`${position[name]}(lower(${column}), ${text.toLowerCase()}) > 0`
