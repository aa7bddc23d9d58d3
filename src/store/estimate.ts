import { memoize } from '../caches/memoize.ts'
import type { Condition, Embed, RowsPlan, Scoped, Selected } from '../plan/plan.ts'
import { comparisonsIn } from '../plan/plan-query.ts'
import { isGrouped } from '../plan/selection.ts'
import type { Operand } from '../request/operand.ts'
import type { Range } from '../request/parse-range.ts'
import { wholeRange } from '../request/parse-range.ts'
import type { Resource } from '../resources/define.ts'
import { comparisonWork, isWeighed } from './comparison-work.ts'
import { fieldBytes } from './field-bytes.ts'
import { fieldCost, lookUpWork, orderWork, sortingWork } from './field-work.ts'
import { listsWork } from './lists-work.ts'
import { eachColumn, innerEmbeds, isFree, type Reach, reachOf } from './reach.ts'
import {
  castWeights,
  isSorted,
  lookUpWeights,
  repeated,
  type SizeOf,
  seekWeights,
  showWeights,
  sortWeights,
  textWeights,
  visitWeights,
  type Weight,
  weightOf,
} from './row-weights.ts'

/** An upper bound for the cost of a read. */
export interface Estimate extends Cost {
  /** Rows that are visited, without those of embeds. */
  readonly rows: number
}

export interface Cost {
  /** In units of about 0.1 µs. Only precise enough to tell cheap from expensive. */
  readonly work: number
  /** Of the returned text. */
  readonly bytes: number
}

/** What the cost of a plan depends on. */
export interface Given {
  readonly sizeOf: SizeOf
  /** The values of the request; none if the cost of its plan does not depend on them. */
  readonly values: Operands
}

type Operands = readonly Operand[]

/** The cost of a range of a plan's rows, with everything embedded in them. */
export function estimate(plan: RowsPlan, range: Range, given: Given): Estimate {
  const { work, ...found } = rowsCost(plan, range, given)
  return { ...found, work: work + listsWork(plan, given.values) }
}

function rowsCost(plan: RowsPlan, range: Range, given: Given): Estimate {
  const profile = profilesWith(given.values)(plan)
  const visited = visitedRows(profile, range, given.sizeOf(plan.resource).rows)
  const shown = Math.min(visited, range.limit ?? Number.POSITIVE_INFINITY)
  const rows = { made: profile.isGrouped ? visited : shown, shown }
  const searched = sum(profile.searched.map((child) => rowsCost(child, wholeRange, given)))
  const own = {
    work:
      (profile.isSorted ? sortingWork(visited, range.offset + shown) : 0) +
      times(visited, profile.visitWork + searched.work) +
      times(rows.made, profile.showWork) +
      weightOf(profile.visitWeights, visited, given.sizeOf) +
      weightOf(profile.showWeights, rows.made, given.sizeOf),
    bytes: times(shown, profile.showBytes),
  }
  return { rows: visited, ...sum([own, ...profile.many.map((embed) => embedCost(embed, rows, given))]) }
}

/** All resources whose number of rows affects the estimate. */
export const resourcesOf = memoize((plan: RowsPlan): ReadonlySet<Resource> => {
  const { many, searched, ...own } = profilesWith(noValues)(plan)
  const inner = [...many.map((embed) => embed.plan), ...searched].flatMap((child) => [...resourcesOf(child)])
  const weighed = [...own.visitWeights, ...own.showWeights].map(({ resource }) => resource)
  return new Set([plan.resource, ...weighed, ...inner])
})

/** The values that the cost of a plan depends on: mostly none, so that plans with the same shape share one profile. */
export const weighedValues = ({ shared, values }: Scoped): Operands => (weighsValues(shared) ? values : noValues)

export const weighsValues = memoize((rows: RowsPlan): boolean => comparisonsIn(rows).some(isWeighed))

const noValues: Operands = []

/** How a plan's rows are found, and the cost of one. Independent of the company. */
interface Profile {
  readonly reach: Reach
  /** The values of every visited row are made, and then put together. */
  readonly isGrouped: boolean
  /** No index has the rows in their order. */
  readonly isSorted: boolean
  readonly visitWork: number
  readonly visitWeights: readonly Weight[]
  readonly showWork: number
  readonly showWeights: readonly Weight[]
  readonly showBytes: number
  /** To-many embeds in each row. */
  readonly many: readonly ManyEmbed[]
  /** To-many relations that are searched to decide whether a row matches. */
  readonly searched: readonly RowsPlan[]
}

interface ManyEmbed {
  readonly plan: RowsPlan
  /** No embedded row appears in more than one parent. */
  readonly isDistinct: boolean
}

const profilesWith = memoize((values: Operands) => memoize((plan: RowsPlan) => makeProfile(plan, values)))

function makeProfile(plan: RowsPlan, values: Operands): Profile {
  const { resource } = plan
  const reach = reachOf(plan, values)
  const parts = plan.selection.map((selected) => selectedProfile(selected, resource, values))
  const conditions = [
    ...plan.where.map((condition) => conditionProfile(condition, resource, values)),
    ...innerEmbeds(plan).map((embed) => searchProfile(embed, values)),
  ]
  return {
    reach,
    isGrouped: isGrouped(plan.selection),
    isSorted: reach !== 'index' && plan.order.some(isSorted(resource)),
    visitWork: visitWork + total(conditions, 'work') + orderWork(plan.order),
    visitWeights: [
      ...visitWeights(plan, reach),
      ...(reach === 'scan' ? sortWeights(plan) : []),
      ...conditions.flatMap((one) => one.weights),
    ],
    showWork: total(parts, 'work'),
    showWeights: [...showWeights(plan), ...parts.flatMap((part) => part.weights)],
    showBytes: 2 + total(parts, 'bytes'),
    many: parts.flatMap((part) => part.many),
    searched: [
      ...conditions.flatMap((one) => one.searched),
      ...plan.order.flatMap(({ via }) => (via?.plan.where.length ? [via.plan] : [])),
    ],
  }
}

const visitWork = 2
const isWork = 1

function visitedRows({ reach }: Profile, { limit, offset }: Range, size: number): number {
  if (typeof reach === 'number') return Math.min(reach, size)
  const wanted = limit === null ? Number.POSITIVE_INFINITY : limit + offset
  return reach === 'index' ? Math.min(wanted, size) : size
}

/** How many rows have their values made, and how many of them are returned. */
interface Parents {
  readonly made: number
  readonly shown: number
}

/** If the embedded rows are distinct, all parents together embed each of the company's rows at most once. */
function embedCost({ plan, isDistinct }: ManyEmbed, { made, shown }: Parents, given: Given): Cost {
  const one = rowsCost(plan, plan.range, given)
  const sought = weightOf(seekWeights(plan.resource), one.rows, given.sizeOf)
  const each = { work: times(made, one.work + lookUpWork + sought), bytes: times(shown, one.bytes) }
  if (!isDistinct) return each
  const all = rowsCost(plan, wholeRange, given)
  return {
    work: Math.min(
      each.work,
      all.work + times(made, lookUpWork) + weightOf(seekWeights(plan.resource), all.rows, given.sizeOf),
    ),
    bytes: Math.min(each.bytes, all.bytes + times(shown, 2)),
  }
}

interface Part extends Cost {
  readonly weights: readonly Weight[]
  readonly many: readonly ManyEmbed[]
}

function selectedProfile(selected: Selected, resource: Resource, values: Operands): Part {
  if (selected.kind === 'field') {
    const weights = [...lookUpWeights(resource, selected.column), ...castWeights(resource, selected)]
    return { work: fieldCost(selected), bytes: fieldBytes(selected), weights, many: [] }
  }
  const { plan, relation } = selected
  const key = selected.key.length + 8
  const times = selected.spread ? plan.selection.length : 1
  if (relation.many) {
    const plans = selected.spread ? eachColumn(plan) : [plan]
    return { work: lookUpWork, bytes: key, weights: [], many: plans.map((one) => ({ plan: one, isDistinct: true })) }
  }
  const { showWork, showBytes, visitWork: visit, many, ...own } = profilesWith(values)(plan)
  return {
    work: (lookUpWork + visit + showWork) * times,
    weights: repeated([...seekWeights(plan.resource), ...own.visitWeights, ...own.showWeights], times),
    bytes: key + showBytes,
    // Several rows may have the same parent, so its embeds are repeated.
    many: many.map((one) => ({ ...one, isDistinct: false })),
  }
}

interface ConditionProfile {
  readonly work: number
  readonly weights: readonly Weight[]
  readonly searched: readonly RowsPlan[]
}

function conditionProfile(condition: Condition, resource: Resource, values: Operands): ConditionProfile {
  switch (condition.kind) {
    case 'comparison': {
      const work = comparisonWork(condition, values)
      const { column } = condition
      return {
        work,
        weights: [...lookUpWeights(resource, column), ...textWeights(resource, column, work)],
        searched: [],
      }
    }
    case 'is':
      return { work: isWork, weights: lookUpWeights(resource, condition.column), searched: [] }
    case 'related':
      return searchProfile(condition.embed, values)
    default: {
      const parts = condition.conditions.map((one) => conditionProfile(one, resource, values))
      return {
        work: 1 + total(parts, 'work'),
        weights: parts.flatMap((part) => part.weights),
        searched: parts.flatMap((part) => part.searched),
      }
    }
  }
}

function searchProfile({ plan, relation }: Embed, values: Operands): ConditionProfile {
  if (relation.many) return { work: lookUpWork, weights: [], searched: isFree(plan) ? [] : [plan] }
  const { visitWork: visit, visitWeights: weights, searched } = profilesWith(values)(plan)
  return { work: lookUpWork + visit, weights: repeated([...seekWeights(plan.resource), ...weights]), searched }
}

/** 0 × Infinity is 0 here, not NaN. */
const times = (count: number, one: number): number => (count === 0 || one === 0 ? 0 : count * one)

const sum = (costs: readonly Cost[]): Cost => ({ work: total(costs, 'work'), bytes: total(costs, 'bytes') })

/** Of one property. */
const total = <Key extends string>(parts: readonly Readonly<Record<Key, number>>[], key: Key): number =>
  parts.reduce((all, part) => all + part[key], 0)
