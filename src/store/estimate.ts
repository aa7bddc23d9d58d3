import { memoize } from '../memoize.ts'
import type { Comparison, Condition, Embed, Field, RowsPlan, Selected } from '../plan/plan.ts'
import { isGrouped } from '../plan/plan-read.ts'
import type { Range } from '../request/parse-range.ts'
import { wholeRange } from '../request/parse-range.ts'
import { type Resource, typeOf } from '../resources/define.ts'
import type { OperatorName } from '../types/operators.ts'

/** What a read costs at the most. */
export interface Estimate extends Cost {
  /** Rows that are visited, but for those of embeds. */
  readonly rows: number
}

export interface Cost {
  /** In tenths of a microsecond, roughly: it is to tell what is small from what is not. */
  readonly work: number
  /** Of the text that is shown. */
  readonly bytes: number
}

/** How many rows the company has of a resource. */
export type SizeOf = (resource: Resource) => number

/** The cost of some rows of a plan, and of all that is embedded in them. */
export function estimate(plan: RowsPlan, range: Range, sizeOf: SizeOf): Estimate {
  const profile = profileOf(plan)
  const visited = visitedRows(profile, range, sizeOf(plan.resource))
  const shown = Math.min(visited, range.limit ?? Number.POSITIVE_INFINITY)
  const searched = sum(profile.searched.map((child) => estimate(child, wholeRange, sizeOf)))
  const own = {
    work: times(visited, profile.visitWork + searched.work) + times(shown, profile.showWork),
    bytes: times(shown, profile.showBytes),
  }
  return { rows: visited, ...sum([own, ...profile.many.map((embed) => embedCost(embed, shown, sizeOf))]) }
}

/** All resources of which it may matter how many rows there are. */
export const resourcesOf = memoize((plan: RowsPlan): ReadonlySet<Resource> => {
  const { many, searched } = profileOf(plan)
  const inner = [...many.map((embed) => embed.plan), ...searched].flatMap((child) => [...resourcesOf(child)])
  return new Set([plan.resource, ...inner])
})

/** How a plan's rows are found, and what one of them costs. Says nothing of values or of a company. */
interface Profile {
  /** The number of rows at the most, where the plan names them; or whether an index leads along them. */
  readonly reach: number | 'index' | 'scan'
  readonly visitWork: number
  readonly showWork: number
  readonly showBytes: number
  /** Many rows that are shown within each. */
  readonly many: readonly ManyEmbed[]
  /** Many rows that are searched to decide about each. */
  readonly searched: readonly RowsPlan[]
}

interface ManyEmbed {
  readonly plan: RowsPlan
  /** No two rows around it share what is embedded in them. */
  readonly isDistinct: boolean
}

const profileOf = memoize((plan: RowsPlan): Profile => {
  const parts = plan.selection.map(selectedProfile)
  const conditions = [...plan.where.map(conditionProfile), ...innerEmbeds(plan).map(searchProfile)]
  return {
    reach: reachOf(plan),
    visitWork: visitWork + conditions.reduce((work, one) => work + one.work, 0),
    showWork: parts.reduce((work, part) => work + part.work, 0),
    showBytes: 2 + parts.reduce((bytes, part) => bytes + part.bytes, 0),
    many: parts.flatMap((part) => part.many),
    searched: [
      ...conditions.flatMap((one) => one.searched),
      ...plan.order.flatMap(({ via }) => (via?.plan.where.length ? [via.plan] : [])),
    ],
  }
})

const visitWork = 2
const fieldWork = 2
const lookUpWork = 15

function visitedRows({ reach }: Profile, { limit, offset }: Range, size: number): number {
  if (typeof reach === 'number') return Math.min(reach, size)
  const wanted = limit === null ? Number.POSITIVE_INFINITY : limit + offset
  return reach === 'index' ? Math.min(wanted, size) : size
}

/** Of rows that share nothing, all together have no more embedded in them than there is. */
function embedCost({ plan, isDistinct }: ManyEmbed, parents: number, sizeOf: SizeOf): Cost {
  const one = estimate(plan, plan.range, sizeOf)
  const each = { work: times(parents, one.work + lookUpWork), bytes: times(parents, one.bytes) }
  if (!isDistinct) return each
  const all = estimate(plan, wholeRange, sizeOf)
  return {
    work: Math.min(each.work, all.work + times(parents, lookUpWork)),
    bytes: Math.min(each.bytes, all.bytes + times(parents, 2)),
  }
}

interface Part extends Cost {
  readonly many: readonly ManyEmbed[]
}

function selectedProfile(selected: Selected): Part {
  if (selected.kind === 'field') return { work: fieldWork, bytes: fieldBytes(selected), many: [] }
  const { plan, relation } = selected
  const key = selected.key.length + 8
  if (relation.many) return { work: lookUpWork, bytes: key, many: [{ plan, isDistinct: true }] }
  const { showWork, showBytes, visitWork: visit, many } = profileOf(plan)
  return {
    work: (lookUpWork + visit + showWork) * (selected.spread ? plan.selection.length : 1),
    bytes: key + showBytes,
    // Many rows may belong to one and the same.
    many: many.map((one) => ({ ...one, isDistinct: false })),
  }
}

/** What JSON makes of one character, at the most. */
const characterBytesMax = 6
/** A number of rows. */
const countBytesMax = 16

/** A cast changes the spelling of a value, and makes it hardly longer. */
const castBytes = 8

function fieldBytes({ key, column }: Field): number {
  const value = column ? typeOf(column).jsonBytesMax(column) + castBytes : countBytesMax
  return key.length * characterBytesMax + value + 4
}

interface ConditionProfile {
  readonly work: number
  readonly searched: readonly RowsPlan[]
}

function conditionProfile(condition: Condition): ConditionProfile {
  switch (condition.kind) {
    case 'comparison':
      return { work: comparisonWork(condition), searched: [] }
    case 'related':
      return searchProfile(condition.embed)
    default: {
      const parts = condition.conditions.map(conditionProfile)
      return {
        work: parts.reduce((work, part) => work + part.work, 1),
        searched: parts.flatMap((part) => part.searched),
      }
    }
  }
}

function searchProfile({ plan, relation }: Embed): ConditionProfile {
  if (relation.many) return { work: lookUpWork, searched: isFree(plan) ? [] : [plan] }
  const { visitWork: visit, searched } = profileOf(plan)
  return { work: lookUpWork + visit, searched }
}

const innerEmbeds = ({ selection }: RowsPlan): Embed[] =>
  selection.filter((selected) => selected.kind === 'embed').filter(({ inner }) => inner)

/** Whether any row will do, so that the first one is enough. */
const isFree = (plan: RowsPlan): boolean => plan.where.length === 0 && innerEmbeds(plan).length === 0

/** What it takes to compare one value, and how much more for each letter of the operand. */
interface OperatorWork {
  readonly each: number
  readonly letter: number
}

const plainWork: OperatorWork = { each: 1, letter: 0 }
const searchWork: OperatorWork = { each: 100, letter: 17 }
const listWork: OperatorWork = { each: 100, letter: 1 }
/** A regular expression may need milliseconds for one value, so that it meets no more than one where others would wait. */
const patternWork: OperatorWork = { each: 60_000, letter: 0 }

const operatorWork: Partial<Record<OperatorName, OperatorWork>> = {
  like: { each: 10, letter: 5 },
  ilike: { each: 30, letter: 5 },
  match: patternWork,
  imatch: patternWork,
  fts: searchWork,
  plfts: searchWork,
  phfts: searchWork,
  wfts: searchWork,
  cs: listWork,
  cd: listWork,
  ov: listWork,
}

function comparisonWork({ operator, operands, quantifier }: Comparison): number {
  const { each, letter } = operatorWork[operator] ?? plainWork
  const letters = letter === 0 ? 0 : operands.reduce((length, operand) => length + operand.length, 0)
  return each * (quantifier === null ? 1 : operands.length) + letter * letters
}

function reachOf(plan: RowsPlan): Profile['reach'] {
  const { where, order, resource, selection } = plan
  const lists = where.flatMap((one) => namedKeys(one, resource) ?? [])
  if (lists.length > 0) return Math.min(...lists)
  const isOrdered = order[0]?.column === resource.primaryKey && order[0].via === null
  const isWhole = innerEmbeds(plan).every((embed) => !embed.relation.many && isFree(embed.plan))
  return isOrdered && isWhole && !isGrouped(selection) && isAlongIndex(where, resource) ? 'index' : 'scan'
}

/** How many rows a condition on the primary key names, or null where it is none. */
function namedKeys(condition: Condition, { primaryKey }: Resource): number | null {
  if (condition.kind !== 'comparison' || condition.column !== primaryKey || condition.negated) return null
  const { operator, quantifier, operands } = condition
  if (operator === 'in' || (operator === 'eq' && quantifier === 'any')) return operands.length
  return operator === 'eq' && quantifier === null ? 1 : null
}

/** Whether no row is visited in vain: one part of an index, of which the engines take one condition for each end. */
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

/** Nothing of what is without end is nothing. */
const times = (count: number, one: number): number => (count === 0 || one === 0 ? 0 : count * one)

const sum = (costs: readonly Cost[]): Cost =>
  costs.reduce((all, one) => ({ work: all.work + one.work, bytes: all.bytes + one.bytes }), { work: 0, bytes: 0 })
