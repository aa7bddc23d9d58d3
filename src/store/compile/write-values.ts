import type { InsertPlan, WritePlan } from '../../plan/plan.ts'
import { countOf, type Operand, type Param } from '../../request/operand.ts'
import type { Column } from '../../resources/define.ts'
import { fieldsText, type RowValues } from '../row-text.ts'

const none: readonly never[] = []

/** The values of a query, and behind them those of the row that is written. Of many rows the keys: the rest is part of the statement. */
export function valuesOf(plan: WritePlan): readonly (Operand | null)[] {
  if (plan.kind === 'delete') return plan.values
  const [sentBack = none] = plan.sentBack?.rows ?? none
  if (plan.kind === 'update') return [...plan.values, ...plan.changes.map(({ value }) => value), ...sentBack]
  const [row, other] = plan.rows
  return row && !other ? [...plan.values, ...storedRow(plan, row), ...sentBack] : [...plan.values, keysOf(plan)]
}

/** New rows by the columns of their table. A company's own fields stand in one of these. */
export const storedOf = (plan: InsertPlan): Pick<InsertPlan, 'columns' | 'rows'> =>
  plan.resource.own
    ? {
        columns: [...plan.columns.slice(0, builtInCount(plan)), ...storedColumns],
        rows: plan.rows.map((row) => storedRow(plan, row)),
      }
    : plan

const builtInCount = ({ resource, columns }: InsertPlan): number => columns.length - (resource.own?.columns.length ?? 0)

function storedRow(plan: InsertPlan, row: RowValues): RowValues {
  const { resource } = plan
  if (!resource.own) return row
  const stored = row.slice(0, builtInCount(plan))
  stored.push(fieldsText(row, resource), String(resource.own.version))
  return stored
}

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
