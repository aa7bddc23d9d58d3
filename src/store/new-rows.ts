import { memoize } from '../caches/memoize.ts'
import type { Field, InsertPlan, Selected } from '../plan/plan.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import type { Rows } from './database.ts'

/** Whether everything that is shown of new rows stands in their plan, so that no engine has to tell it. */
export const areKnown = ({ conflict, order, returning }: InsertPlan): boolean =>
  conflict === null && order.length === 0 && returning.every(isStored)

const isStored = (selected: Selected): selected is Field & { readonly column: Column } =>
  selected.kind === 'field' && selected.column !== null && selected.cast === null && selected.aggregate === null

/** The rows of a plan in the form in which an engine would return them: the text of each, and its key. */
export function newRows({ resource, columns, rows, returning }: InsertPlan): Rows {
  const key = columns.indexOf(resource.primaryKey)
  if (returning.length === 0) return rows.map((row) => ['', row[key] ?? ''])
  const members = membersOf(returning)
  return rows.map((row) => {
    let text = ''
    for (const { start, toJson, column } of members) {
      const value = row[columns.indexOf(column)] ?? null
      text += start + (value === null ? 'null' : toJson(value))
    }
    return [`${text}}`, row[key] ?? '']
  })
}

/** Each row whole, by its key. */
export function wholeRows(plan: InsertPlan): {
  readonly plan: InsertPlan
  readonly textOf: ReadonlyMap<unknown, unknown>
} {
  const whole = { ...plan, order: [], returning: everyField(plan.resource) }
  return { plan: whole, textOf: new Map(newRows(whole).map(([text, key]) => [key, text])) }
}

const everyField = memoize(({ columns }: Resource): readonly Field[] =>
  [...columns.values()].map((column) => ({
    kind: 'field',
    key: column.name,
    column,
    cast: null,
    aggregate: null,
    aggregateCast: null,
    zone: null,
  })),
)

/** What stands before each value, and how it is spelled. */
const membersOf = memoize((returning: readonly Selected[]) =>
  returning.filter(isStored).map(({ key, column }, at) => ({
    start: `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    toJson: typeOf(column).toJson,
    column,
  })),
)
