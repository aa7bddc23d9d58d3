import { memoize } from '../caches/memoize.ts'
import type { Condition, Embed, Field, Order, RowsPlan, Scoped, Selected } from '../plan/plan.ts'
import { comparisonsIn } from '../plan/plan-query.ts'
import { isGrouped } from '../plan/selection.ts'
import type { Operand } from '../request/operand.ts'
import type { Range } from '../request/parse-range.ts'
import { wholeRange } from '../request/parse-range.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { comparisonWork, isWeighed } from './comparison-work.ts'
import { innerEmbeds, isFree, type Reach, reachOf } from './reach.ts'

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

/** The number of the company's rows of a resource. */
export type SizeOf = (resource: Resource) => number

/** What the cost of a plan depends on. */
export interface Given {
  readonly sizeOf: SizeOf
  /** The values of the request; none if the cost of its plan does not depend on them. */
  readonly values: Operands
}

type Operands = readonly Operand[]

/** The cost of a range of a plan's rows, with everything embedded in them. */
export function estimate(plan: RowsPlan, range: Range, given: Given): Estimate {
  const profile = profilesWith(given.values)(plan)
  const visited = visitedRows(profile, range, given.sizeOf(plan.resource))
  const shown = Math.min(visited, range.limit ?? Number.POSITIVE_INFINITY)
  const rows = { made: profile.isGrouped ? visited : shown, shown }
  const searched = sum(profile.searched.map((child) => estimate(child, wholeRange, given)))
  const own = {
    work: times(visited, profile.visitWork + searched.work) + times(rows.made, profile.showWork),
    bytes: times(shown, profile.showBytes),
  }
  return { rows: visited, ...sum([own, ...profile.many.map((embed) => embedCost(embed, rows, given))]) }
}

/** All resources whose number of rows affects the estimate. */
export const resourcesOf = memoize((plan: RowsPlan): ReadonlySet<Resource> => {
  const { many, searched } = profilesWith(noValues)(plan)
  const inner = [...many.map((embed) => embed.plan), ...searched].flatMap((child) => [...resourcesOf(child)])
  return new Set([plan.resource, ...inner])
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
  readonly visitWork: number
  readonly showWork: number
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
  const parts = plan.selection.map((selected) => selectedProfile(selected, values))
  const conditions = [
    ...plan.where.map((condition) => conditionProfile(condition, values)),
    ...innerEmbeds(plan).map((embed) => searchProfile(embed, values)),
  ]
  return {
    reach: reachOf(plan, values),
    isGrouped: isGrouped(plan.selection),
    visitWork: visitWork + conditions.reduce((work, one) => work + one.work, orderWork(plan.order)),
    showWork: parts.reduce((work, part) => work + part.work, 0),
    showBytes: 2 + parts.reduce((bytes, part) => bytes + part.bytes, 0),
    many: parts.flatMap((part) => part.many),
    searched: [
      ...conditions.flatMap((one) => one.searched),
      ...plan.order.flatMap(({ via }) => (via?.plan.where.length ? [via.plan] : [])),
    ],
  }
}

const visitWork = 2
const fieldWork = 2
const lookUpWork = 15
const isWork = 1
/** In SQLite, most casts call a function of ours for every value. To read a time from a text takes longest. */
const castWork = 100

/** A company's own field has to be found in JSON. */
const columnWork = (column: Column | null): number => (column?.field ? ownFieldWork : 0)
const ownFieldWork = 10

const fieldCost = (field: Field): number =>
  fieldWork + columnWork(field.column) + valueCastWork(field) + (field.aggregateCast === null ? 0 : castWork)

/** A time in UTC is cast by a plain expression. */
const valueCastWork = ({ column, cast, zone }: Pick<Field, 'column' | 'cast' | 'zone'>): number =>
  cast === null ? 0 : column && typeOf(column).isMoment && zone === null ? fieldWork : castWork

/** Every visited row is sorted, also by what it finds in an embed. */
const orderWork = (order: readonly Order[]): number =>
  order.reduce(
    (work, term) => work + columnWork(term.column) + (term.via === null ? 0 : lookUpWork + valueCastWork(term)),
    0,
  )

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
  const one = estimate(plan, plan.range, given)
  const each = { work: times(made, one.work + lookUpWork), bytes: times(shown, one.bytes) }
  if (!isDistinct) return each
  const all = estimate(plan, wholeRange, given)
  return {
    work: Math.min(each.work, all.work + times(made, lookUpWork)),
    bytes: Math.min(each.bytes, all.bytes + times(shown, 2)),
  }
}

interface Part extends Cost {
  readonly many: readonly ManyEmbed[]
}

function selectedProfile(selected: Selected, values: Operands): Part {
  if (selected.kind === 'field') return { work: fieldCost(selected), bytes: fieldBytes(selected), many: [] }
  const { plan, relation } = selected
  const key = selected.key.length + 8
  if (relation.many) return { work: lookUpWork, bytes: key, many: [{ plan, isDistinct: true }] }
  const { showWork, showBytes, visitWork: visit, many } = profilesWith(values)(plan)
  return {
    work: (lookUpWork + visit + showWork) * (selected.spread ? plan.selection.length : 1),
    bytes: key + showBytes,
    // Several rows may have the same parent, so its embeds are repeated.
    many: many.map((one) => ({ ...one, isDistinct: false })),
  }
}

/** One character in JSON: `\u0000`. */
const characterBytesMax = 6
const countBytesMax = 16

/** A cast can make the text of a value longer: `1e99::numeric` has a hundred digits, and an average some more. */
const castBytes = 128
/** An average has more digits than its values. */
const aggregateBytes = 32

function fieldBytes({ key, column, cast, aggregate, aggregateCast }: Field): number {
  const value = column ? typeOf(column).jsonBytesMax(column) : countBytesMax
  const added = (cast ?? aggregateCast) !== null ? castBytes : aggregate !== null ? aggregateBytes : 0
  return key.length * characterBytesMax + value + added + 4
}

interface ConditionProfile {
  readonly work: number
  readonly searched: readonly RowsPlan[]
}

function conditionProfile(condition: Condition, values: Operands): ConditionProfile {
  switch (condition.kind) {
    case 'comparison':
      return { work: columnWork(condition.column) + comparisonWork(condition, values), searched: [] }
    case 'is':
      return { work: columnWork(condition.column) + isWork, searched: [] }
    case 'related':
      return searchProfile(condition.embed, values)
    default: {
      const parts = condition.conditions.map((one) => conditionProfile(one, values))
      return {
        work: parts.reduce((work, part) => work + part.work, 1),
        searched: parts.flatMap((part) => part.searched),
      }
    }
  }
}

function searchProfile({ plan, relation }: Embed, values: Operands): ConditionProfile {
  if (relation.many) return { work: lookUpWork, searched: isFree(plan) ? [] : [plan] }
  const { visitWork: visit, searched } = profilesWith(values)(plan)
  return { work: lookUpWork + visit, searched }
}

/** 0 × Infinity is 0 here, not NaN. */
const times = (count: number, one: number): number => (count === 0 || one === 0 ? 0 : count * one)

const sum = (costs: readonly Cost[]): Cost =>
  costs.reduce((all, one) => ({ work: all.work + one.work, bytes: all.bytes + one.bytes }), { work: 0, bytes: 0 })
