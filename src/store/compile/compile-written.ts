import type { InsertPlan } from '../../plan/plan.ts'
import type { Column } from '../../resources/define.ts'
import type { Dialect } from '../dialect.ts'
import { identifier, keyword, type Piece, sql } from '../sql.ts'
import { compilePresent, compileShown } from './compile-write.ts'

/** The rows that an insert has written, as it returns them: those that have its ids and its time. */
export function compileWritten(plan: InsertPlan, dialect: Dialect): Piece {
  const time = plan.conflict?.action === 'merge' ? changedAt : createdAt
  return sql`select ${compileShown(plan, dialect)} from ${compilePresent(plan, dialect)} and ${bears(plan, time, keyword('='))}`
}

/** Those of the rows that were not changed since, by any writer. */
export const compileUnchanged = (plan: InsertPlan, dialect: Dialect): Piece =>
  sql`${compileWritten(plan, dialect)} and ${bears(plan, changedAt, keyword('='))}`

/** Those rows that another writer has created, for `from`. */
export const compileOfOthers = (plan: InsertPlan, dialect: Dialect): Piece =>
  sql`${compilePresent(plan, dialect)} and ${bears(plan, createdAt, keyword('<>'))}`

/** How many of the rows are new. */
export const compileCreatedCount = (plan: InsertPlan, dialect: Dialect): Piece =>
  sql`select count(*) from ${compilePresent(plan, dialect)} and ${bears(plan, createdAt, keyword('='))}`

/** How many of the rows were changed after the plan was made. */
export const compileOvertaken = (plan: InsertPlan, dialect: Dialect): Piece =>
  sql`select count(*) from ${compilePresent(plan, dialect)} and ${bears(plan, changedAt, keyword('>'))}`

const createdAt = ({ generated, onUpdate }: Column): boolean => generated === 'now' && onUpdate === undefined
const changedAt = ({ onUpdate }: Column): boolean => onUpdate === 'now'

function bears({ columns, rows, resource }: InsertPlan, isTime: (column: Column) => boolean, operator: Piece): Piece {
  const at = columns.findIndex(isTime)
  const name = columns[at]?.name
  if (name === undefined) throw new Error(`${resource.name} does not tell when its rows were written`)
  return sql`${identifier(resource.name as string, name)} ${operator} ${rows[0]?.[at] ?? ''}`
}
