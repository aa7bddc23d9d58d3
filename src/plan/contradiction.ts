import { listOf } from '../request/operand.ts'
import { type Column, typeOf } from '../resources/define.ts'
import type { Condition, Scoped } from './plan.ts'

/** `id=eq.1&id=eq.2` → true: no row can match, because a column would have to equal two different values. */
export function isContradiction({ where, values }: Pick<Scoped, 'where' | 'values'>): boolean {
  const wanted = new Map<Column, string>()
  for (const condition of where.flatMap(requirements)) {
    if (isNeverNull(condition)) return true
    const value = wantedValue(condition, values)
    if (value === null || condition.kind !== 'comparison') continue
    const { column } = condition
    const before = wanted.get(column) ?? value
    if (typeOf(column).compare(before, value) !== 0) return true
    wanted.set(column, value)
  }
  return false
}

/** The conditions that all have to hold. */
const requirements = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' && !condition.negated ? condition.conditions.flatMap(requirements) : [condition]

const isNeverNull = (condition: Condition): boolean =>
  condition.kind === 'is' && condition.word === 'null' && !condition.negated && !condition.column.nullable

/** The only value that the column may have, or null where it may have several. */
function wantedValue(condition: Condition, values: Scoped['values']): string | null {
  if (condition.kind !== 'comparison' || condition.negated || condition.quantifier !== null) return null
  if (condition.operator !== 'eq' && condition.operator !== 'in') return null
  const [one, ...others] = listOf(values[condition.operand.param] ?? [])
  return one !== undefined && others.length === 0 ? one : null
}
