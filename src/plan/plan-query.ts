import { memoize } from '../caches/memoize.ts'
import { emptyLevel } from '../request/level.ts'
import type { Operand } from '../request/operand.ts'
import type { Query, QueryShape } from '../request/parse-query.ts'
import type { Resource } from '../resources/define.ts'
import { limitQuerySize } from './limit-query-size.ts'
import type { Comparison, Condition, RowsPlan, Values } from './plan.ts'
import { checkOperand } from './plan-condition.ts'
import { planRows } from './plan-read.ts'
import { preparePatterns } from './prepare-patterns.ts'
import { resolveLevels } from './resolve-levels.ts'

/** What is planned for all queries of one shape. It holds no value and no company. */
export interface PlannedQuery {
  readonly rows: RowsPlan
  /** One for each value. */
  readonly comparisons: readonly Comparison[]
  /** Those with a regular expression. */
  readonly patterns: readonly Comparison[]
}

/** All that does not depend on values is planned once for all who ask so. */
export function planQuery({ shape }: Query, resource: Resource, rowsMax: number | null): PlannedQuery {
  const known = plannedOf(shape)(resource)
  const planned = known.get(rowsMax) ?? planShape(shape, resource, rowsMax)
  known.set(rowsMax, planned)
  return planned
}

const plannedOf = memoize((_: QueryShape) => memoize((_: Resource) => new Map<number | null, PlannedQuery>()))

function planShape({ select, levels }: QueryShape, resource: Resource, rowsMax: number | null): PlannedQuery {
  const level = levels.get('') ?? emptyLevel
  const rows = planRows({ resource, select, level, levels: resolveLevels(levels, select), path: '', rowsMax })
  limitQuerySize(rows)
  const comparisons = comparisonsIn(rows).toSorted((one, other) => one.operand.param - other.operand.param)
  return { rows, comparisons, patterns: comparisons.filter(isPattern) }
}

export function comparisonsIn({ where, selection }: RowsPlan): Comparison[] {
  const embedded = selection.flatMap((selected) => (selected.kind === 'embed' ? comparisonsIn(selected.plan) : []))
  return [...where.flatMap(comparisonsOf), ...embedded]
}

function comparisonsOf(condition: Condition): Comparison[] {
  if (condition.kind === 'comparison') return [condition]
  // What a related row must meet stands where it is embedded.
  return condition.kind === 'and' || condition.kind === 'or' ? condition.conditions.flatMap(comparisonsOf) : []
}

const isPattern = ({ operator }: Comparison): boolean => operator === 'match' || operator === 'imatch'

/** The company, and behind it the values that were sent, each as its comparison takes it. */
export function checkValues({ comparisons, patterns }: PlannedQuery, sent: Query['values'], companyId: string): Values {
  const values: [string, ...Operand[]] = [companyId]
  for (const comparison of comparisons) {
    const { param } = comparison.operand
    values[param] = checkOperand(comparison, sent[param - 1] ?? [])
  }
  if (patterns.length > 0) preparePatterns(patterns, values)
  return values
}
