import type { InsertPlan, WritePlan } from '../../plan/plan.ts'
import { countOf, type Operand, type Param } from '../../request/operand.ts'

const none: readonly never[] = []

/** The values of a query, and behind them those of the row that is written. Of many rows the keys: the rest is part of the statement. */
export function valuesOf(plan: WritePlan): readonly (Operand | null)[] {
  if (plan.kind === 'delete') return plan.values
  const [sentBack = none] = plan.sentBack?.rows ?? none
  if (plan.kind === 'update') return [...plan.values, ...plan.changes.map(({ value }) => value), ...sentBack]
  const [row, other] = plan.rows
  return row && !other ? [...plan.values, ...row, ...sentBack] : [...plan.values, keysOf(plan)]
}

export function keysOf({ resource, columns, rows }: InsertPlan): readonly string[] {
  const key = columns.indexOf(resource.primaryKey)
  return rows.map((row) => row[key] ?? '')
}

/** The keys, where `valuesOf` puts them. */
export function keysIn(plan: InsertPlan): Param {
  const { values, resource, columns, rows } = plan
  if (rows.length === 1) return { param: values.length + columns.indexOf(resource.primaryKey), count: 1 }
  return { param: values.length, count: countOf(keysOf(plan)) }
}
