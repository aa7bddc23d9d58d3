import type { InsertPlan, UpdatePlan, WritePlan } from '../../plan/plan.ts'
import { type Column, columnsOf, type Resource } from '../../resources/define.ts'
import type { RowValues } from '../row-text.ts'
import type { ChangeKind } from './change-kinds.ts'

/** What a write does to one row. */
export interface Change {
  readonly kind: ChangeKind
  /** The row as it is afterwards, or was before it is deleted. */
  readonly row: RowValues
  /** The columns that have another value than before. */
  readonly changed: readonly Column[]
  /** The row as it was before an update; null where nobody can know any more. */
  readonly before: RowValues | null
}

export const created = ({ resource }: WritePlan, row: RowValues): Change => ({
  ...{ kind: 'created', row, before: null },
  changed: columnsOf(resource),
})

export const deleted = ({ resource }: WritePlan, row: RowValues): Change => ({
  ...{ kind: 'deleted', row, before: null },
  changed: columnsOf(resource),
})

export const updated = (plan: UpdatePlan, before: RowValues): Change =>
  changedTo(
    plan.resource,
    before,
    plan.changes.map(({ column, value }) => [column, value]),
  )

/** A row that was there already, and is merged with one that was sent. */
export const merged = ({ resource, columns, conflict }: InsertPlan, before: RowValues, sent: RowValues): Change =>
  changedTo(
    resource,
    before,
    conflict?.action === 'merge'
      ? conflict.changes.map((column) => [column, sent[columns.indexOf(column)] ?? null])
      : [],
  )

/** The same, where another writer was faster to create the row: what it was is not known. */
export const mergedUnseen = ({ conflict }: InsertPlan, row: RowValues): Change => ({
  ...{ kind: 'updated', row, before: null },
  changed: conflict?.action === 'merge' ? conflict.changes : [],
})

function changedTo(
  resource: Resource,
  before: RowValues,
  values: readonly (readonly [column: Column, value: string | null])[],
): Change {
  const columns = columnsOf(resource)
  const row = [...before]
  for (const [column, value] of values) row[columns.indexOf(column)] = value
  return { kind: 'updated', row, before, changed: columns.filter((_, at) => row[at] !== before[at]) }
}
