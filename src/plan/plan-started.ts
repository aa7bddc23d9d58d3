import { memoize } from '../caches/memoize.ts'
import { type Column, columnsOf, type Resource, typeOf } from '../resources/define.ts'
import { isGuarded, mayStartWith, transitionFailure } from '../resources/transitions.ts'
import type { InsertPlan, Started } from './plan.ts'

/** Rows with a state that no new row has. */
export function planStarted(resource: Resource, rows: InsertPlan['rows']): readonly Started[] {
  const guarded = guardedColumns(resource)
  if (guarded.length === 0) return noneStarted
  const key = columnsOf(resource).indexOf(resource.primaryKey)
  return rows.flatMap((row) => {
    const [at, column] = guarded.find(([at, column]) => !mayStartWith(column, row[at] ?? null)) ?? []
    if (at === undefined || !column) return []
    const value = row[at] ?? null
    const json: unknown = value === null ? null : JSON.parse(typeOf(column).toJson(value))
    return [{ key: row[key] ?? '', refusal: transitionFailure(resource, column.name, null, json) }]
  })
}

const noneStarted: readonly Started[] = []

/** Each with its position among all. */
const guardedColumns = memoize((resource: Resource): readonly [at: number, column: Column][] =>
  [...columnsOf(resource).entries()].filter(([, column]) => isGuarded(column)),
)
