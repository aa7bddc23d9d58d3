import type { InsertPlan, SentBack, UpdatePlan } from '../../plan/plan.ts'
import type { Column } from '../../resources/define.ts'
import type { Dialect } from '../dialect.ts'
import { identifier, join, type Piece, parameter, sql } from '../sql.ts'
import { rootFrame } from './compile.ts'
import { columnOf, matching } from './compile-condition.ts'
import { amongChosen, compilePresent, type WriteForm } from './compile-write.ts'
import { keysOf, storedOf } from './write-values.ts'

/** How many rows there are, and how many of them have what was sent back for each of the columns. Nobody changes them before the write. */
export function compileSentBack(
  plan: InsertPlan | UpdatePlan,
  sentBack: SentBack,
  dialect: Dialect,
  form: WriteForm,
): Piece {
  const frame = rootFrame(plan, dialect)
  const rows =
    plan.kind === 'insert'
      ? compilePresent(plan, dialect)
      : sql`${matching(plan, [], frame)}${amongChosen(plan, frame, form)}`
  const names = sentBack.columns.map((_, at) => identifier(`same_${at}`))
  const marks = sentBack.columns.map(
    (column, at) => sql`case when ${isSame(plan, sentBack, column, dialect)} then 1 else 0 end as ${names[at] ?? null}`,
  )
  const sums = names.map((name) => sql`sum(${name})`)
  return sql`select count(*), ${join(sums, ', ')} from (select ${join(marks, ', ')} from ${rows}${dialect.forUpdate}) as found`
}

/** One row has its values as parameters, so that the statement can be kept. Those of many are a part of it. */
function isSame(plan: InsertPlan | UpdatePlan, { columns, rows }: SentBack, column: Column, dialect: Dialect): Piece {
  const at = columns.indexOf(column)
  if (plan.kind === 'update' || rows.length === 1) {
    const written = plan.kind === 'update' ? plan.changes.length : storedOf(plan).columns.length
    const value = dialect.valueOf(column, sql`${parameter(plan.values.length + written + at)}`)
    return sql`${columnOf(rootFrame(plan, dialect), column)} = ${value}`
  }
  const { primaryKey } = plan.resource
  const keys = keysOf(plan)
  const pairs = rows.map((row, index) => [keys[index] ?? null, row[at] ?? null])
  const own = sql`(company_id, ${identifier(primaryKey.name)}, ${identifier(column.name)})`
  const found = dialect.rows([primaryKey, column], pairs).map((some) => sql`${own} in (${some})`)
  return sql`(${join(found, ' or ')})`
}
