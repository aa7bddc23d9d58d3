import { memoize } from '../../caches/memoize.ts'
import type { InsertPlan, WritePlan } from '../../plan/plan.ts'
import { countOf, type Operand, type Param } from '../../request/operand.ts'
import type { Column } from '../../resources/define.ts'
import { fieldsText } from '../row-text.ts'

const none: readonly never[] = []

/** The values of a query, and behind them those of the row that is written. Of many rows the keys: the rest is part of the statement. */
export function valuesOf(plan: WritePlan): readonly (Operand | null)[] {
  if (plan.kind === 'delete') return plan.values
  const [sentBack = none] = plan.sentBack?.rows ?? none
  if (plan.kind === 'update') return [...plan.values, ...plan.changes.map(({ value }) => value), ...sentBack]
  const [row, other] = storedOf(plan).rows
  return row && !other ? [...plan.values, ...row, ...sentBack] : [...plan.values, keysOf(plan)]
}

/** New rows by the columns of their table. A company's own fields stand in one of these. */
export const storedOf = (plan: InsertPlan): Pick<InsertPlan, 'columns' | 'rows'> =>
  plan.resource.own ? withFields(plan) : plan

const withFields = memoize(({ resource, columns, rows }: InsertPlan) => {
  const builtIn = columns.length - (resource.own?.columns.length ?? 0)
  const version = String(resource.own?.version ?? 0)
  return {
    columns: [...columns.slice(0, builtIn), ...storedColumns],
    rows: rows.map((row) => [...row.slice(0, builtIn), fieldsText(row, resource), version]),
  }
})

const storedColumns: readonly Column[] = [
  { name: 'fields', type: 'json', description: '', nullable: true },
  { name: 'fields_version', type: 'integer', description: '' },
]

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
