import { memoize } from '../caches/memoize.ts'
import { emptyLevel } from '../request/level.ts'
import { listOf, type Operand, type Param } from '../request/operand.ts'
import type { Query, QueryShape } from '../request/parse-query.ts'
import { type Resource, typeOf } from '../resources/define.ts'
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
  /** Where the time zone stands among the values, if the request names one. */
  readonly zone: Param | null
}

/** What a plan depends on, beside the query and the resource. */
export interface Circumstances {
  readonly rowsMax: number | null
  /** Whether the request names another time zone than that of the store. */
  readonly isZoned: boolean
}

/** All that does not depend on values is planned once for all who ask so. */
export function planQuery({ shape, values }: Query, resource: Resource, given: Circumstances): PlannedQuery {
  const known = (given.isZoned ? zonedOf : plannedOf)(shape)(resource)
  const planned = known.get(given.rowsMax)
  if (planned) return planned
  const made = planShape(shape, resource, given.rowsMax, zoneIn(values, given))
  known.set(given.rowsMax, made)
  return made
}

const createPlanned = () => memoize((_: QueryShape) => memoize((_: Resource) => new Map<number | null, PlannedQuery>()))
const plannedOf = createPlanned()
const zonedOf = createPlanned()

/** The time zone comes behind the company and the values that were sent: queries of one shape have equally many. */
const zoneIn = ({ length }: Query['values'], { isZoned }: Circumstances): Param | null =>
  isZoned ? { param: length + 1, count: 1 } : null

function planShape(
  { select, levels }: QueryShape,
  resource: Resource,
  rowsMax: number | null,
  zone: Param | null,
): PlannedQuery {
  const level = levels.get('') ?? emptyLevel
  const rows = planRows({ resource, select, level, levels: resolveLevels(levels, select), path: '', rowsMax, zone })
  limitQuerySize(rows)
  const comparisons = comparisonsIn(rows).toSorted((one, other) => one.operand.param - other.operand.param)
  return { rows, comparisons, patterns: comparisons.filter(isPattern), zone }
}

/** A new row meets no filter: those of a POST count for its embeds alone. */
export const forNewRows = (query: Query): Query =>
  query.shape.levels.get('')?.conditions.length ? { ...query, shape: withoutOwnFilters(query.shape) } : query

const withoutOwnFilters = memoize(
  (shape: QueryShape): QueryShape => ({
    ...shape,
    levels: new Map(shape.levels).set('', { ...emptyLevel, ...shape.levels.get(''), conditions: [] }),
  }),
)

export function comparisonsIn({ where, selection }: RowsPlan): Comparison[] {
  const embedded = selection.flatMap((selected) => (selected.kind === 'embed' ? comparisonsIn(selected.plan) : []))
  return [...where.flatMap(comparisonsOf), ...embedded]
}

function comparisonsOf(condition: Condition): Comparison[] {
  if (condition.kind === 'comparison') return [condition]
  // What a related row must meet stands where it is embedded.
  return condition.kind === 'and' || condition.kind === 'or' ? condition.conditions.flatMap(comparisonsOf) : []
}

/** A value that was sent and means another one whenever it is parsed, such as `now`; null where there is none. */
export const findRelative = (comparisons: readonly Comparison[], sent: Query['values']): string | null =>
  comparisons
    .flatMap(({ column, operand }) =>
      listOf(sent[operand.param - 1] ?? []).filter((value) => typeOf(column).isRelative?.(value)),
    )
    .at(0) ?? null

const isPattern = ({ operator }: Comparison): boolean => operator === 'match' || operator === 'imatch'

/** The company, and behind it the values that were sent, each as its comparison takes it. */
export function checkValues(
  { comparisons, patterns, zone }: PlannedQuery,
  sent: Query['values'],
  { companyId, timezone }: { readonly companyId: string; readonly timezone: string | undefined },
): Values {
  const values: [string, ...Operand[]] = [companyId]
  for (const comparison of comparisons) {
    const { param } = comparison.operand
    values[param] = checkOperand(comparison, sent[param - 1] ?? [], timezone)
  }
  if (zone !== null && timezone !== undefined) values[zone.param] = timezone
  if (patterns.length > 0) preparePatterns(patterns, values)
  return values
}
