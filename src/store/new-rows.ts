import { memoize } from '../caches/memoize.ts'
import type { Field, InsertPlan, Selected } from '../plan/plan.ts'
import { type Column, columnsOf, type Resource } from '../resources/define.ts'
import type { Rows } from './database.ts'
import { memberOf, objectText, type RowValues, rowText } from './row-text.ts'

/** Whether everything that is shown of new rows stands in their plan, so that no engine has to tell it. */
export const areKnown = ({ conflict, order, returning }: InsertPlan): boolean =>
  conflict === null && order.length === 0 && areStored(returning)

const areStored = memoize((returning: readonly Selected[]): boolean => returning.every(isStored))

const isStored = (selected: Selected): selected is Field & { readonly column: Column } =>
  selected.kind === 'field' && selected.column !== null && selected.cast === null && selected.aggregate === null

/** The rows of a plan in the form in which an engine would return them: the text of each, and its key. */
export function newRows({ resource, columns, rows, returning }: InsertPlan): Rows {
  const key = columns.indexOf(resource.primaryKey)
  const textOf = returning.length === 0 ? () => '' : shownText(returning, resource)
  return rows.map((row) => [textOf(row), row[key] ?? ''])
}

/** How a row is shown. */
const shownText = memoize((returning: readonly Selected[], resource: Resource): ((row: RowValues) => string) => {
  const fields = returning.filter(isStored)
  const columns = columnsOf(resource)
  const isWhole =
    fields.length === columns.length &&
    fields.every(({ key, column }, at) => column === columns[at] && key === column.name)
  if (isWhole) return (row) => rowText(row, resource)
  const members = fields.map(({ key, column }) => memberOf(resource, column, key))
  return (row) => objectText(row, members)
})

/** Each row whole, by its key. */
export function wholeRows(plan: InsertPlan): {
  readonly plan: InsertPlan
  readonly textOf: ReadonlyMap<unknown, unknown>
} {
  const whole = { ...plan, order: [], returning: everyField(plan.resource) }
  return { plan: whole, textOf: new Map(newRows(whole).map(([text, key]) => [key, text])) }
}

const everyField = memoize((resource: Resource): readonly Field[] =>
  columnsOf(resource).map((column) => ({
    kind: 'field',
    key: column.name,
    column,
    cast: null,
    aggregate: null,
    aggregateCast: null,
    zone: null,
  })),
)
