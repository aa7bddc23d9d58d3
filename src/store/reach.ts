import type { Condition, Embed, RowsPlan } from '../plan/plan.ts'
import { operandsOf } from '../plan/plan-condition.ts'
import { embedsOf, isGrouped } from '../plan/selection.ts'
import type { Operand } from '../request/operand.ts'
import type { Resource } from '../resources/define.ts'
import { equalsAny } from '../types/operators.ts'
import { type IndexUse, indexUse } from './compile/index-use.ts'

/** How the rows of a plan are found: the maximum number of rows if it filters by primary keys; otherwise, whether an index gives filter and order. */
export type Reach = number | 'index' | 'scan'

export const innerEmbeds = ({ selection }: RowsPlan): Embed[] => embedsOf(selection).filter(({ inner }) => inner)

/** What is spread is looked up anew for each of its columns. */
export const eachColumn = (plan: RowsPlan): readonly RowsPlan[] =>
  plan.selection.map((one) => ({
    ...plan,
    selection: [one, ...innerEmbeds(plan).filter((embed) => embed !== one)],
  }))

/** Whether any row matches, so that the search ends at the first one. */
export const isFree = (plan: RowsPlan): boolean => plan.where.length === 0 && innerEmbeds(plan).length === 0

export function reachOf(plan: RowsPlan, values: readonly Operand[]): Reach {
  const { where, order, resource, selection } = plan
  const lists = where.flatMap((one) => namedKeys(one, resource, values) ?? [])
  if (lists.length > 0) return Math.min(...lists)
  const index = indexUse(plan)
  const [first] = order
  const isOrdered = first?.via === null && (first.column === resource.primaryKey || index?.isOrdered === true)
  const isWhole = innerEmbeds(plan).every((embed) => !embed.relation.many && isFree(embed.plan))
  return isOrdered && isWhole && !isGrouped(selection) && isAlong(plan, index) ? 'index' : 'scan'
}

/** Whether one index range scan visits only matching rows, in their order: of a field, or of the table. */
function isAlong({ where, resource, order: [first] }: RowsPlan, index: IndexUse | null): boolean {
  if (!index) return isAlongIndex(where, resource)
  if (index.conditions.length < where.length) return false
  const isEqual = index.conditions.some((one) => one.kind === 'is' || one.operator === 'eq')
  return isEqual ? first?.column === resource.primaryKey || index.isOrdered : index.isOrdered
}

/** The number of rows that a condition on the primary key names; null for any other condition. */
function namedKeys(condition: Condition, { primaryKey }: Resource, values: readonly Operand[]): number | null {
  if (condition.kind !== 'comparison' || condition.column !== primaryKey || condition.negated) return null
  const { operator, quantifier } = condition
  if (equalsAny(operator, quantifier)) return operandsOf(condition, values).length
  return operator === 'eq' && quantifier === null ? 1 : null
}

/** Whether one index range scan visits only matching rows. The engines use one condition for each end of the range. */
function isAlongIndex(where: readonly Condition[], { primaryKey }: Resource): boolean {
  const ends = where.map((condition) => {
    if (condition.kind !== 'comparison' || condition.negated || condition.quantifier !== null) return null
    const { column, operator } = condition
    if (column.references !== undefined) return operator === 'eq' ? column.name : null
    if (column !== primaryKey) return null
    return operator === 'gt' || operator === 'gte' ? 'start' : operator === 'lt' || operator === 'lte' ? 'end' : null
  })
  return ends.every((end) => end !== null) && new Set(ends).size === ends.length
}
