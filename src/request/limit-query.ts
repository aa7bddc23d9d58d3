import { failure } from '../errors/index.ts'
import { equalsAny, operatorOf } from '../types/operators.ts'
import type { Level } from './level.ts'
import { listOf, type Operand } from './operand.ts'
import { type Condition, conditionsMax, type Filter } from './parse-filter.ts'
import { orderTermsMax } from './parse-order.ts'

/** How much of everything a query holds, on all levels together. */
interface Amounts {
  conditions: number
  orderTerms: number
  listValues: number
  patterns: number
  likeCharacters: number
  searches: number
  searchCharacters: number
}

/**
 * Patterns: PostgreSQL keeps 32 compiled ones in a connection; with more, each would be compiled again for each row.
 * Characters of `like`: one takes up to half a microsecond for each row.
 */
const limits: Readonly<Record<keyof Amounts, readonly [most: number, name: string, hint: string]>> = {
  conditions: [conditionsMax, 'conditions', 'Each value of any(…) and all(…) counts. Use in.(…) for a list of values.'],
  orderTerms: [orderTermsMax, 'order terms', 'Leave out what is named twice.'],
  listValues: [10_000, 'values in lists', 'Split them over several requests.'],
  patterns: [20, 'regular expressions', 'Join some of them with |, or send fewer.'],
  likeCharacters: [500, 'characters in patterns of like and ilike', 'Shorten them, or send fewer.'],
  searches: [20, 'full-text searches', 'Join some of them with | or &, or send fewer.'],
  searchCharacters: [500, 'characters in full-text searches', 'Shorten them, or send fewer.'],
}

const none: Readonly<Amounts> = {
  conditions: 0,
  orderTerms: 0,
  listValues: 0,
  patterns: 0,
  likeCharacters: 0,
  searches: 0,
  searchCharacters: 0,
}

/** Refuses what no person asks for, before names and values are looked at. */
export function limitQuery(levels: ReadonlyMap<string, Level>, values: readonly Operand[]): void {
  const amounts = { ...none }
  for (const { conditions, order } of levels.values()) {
    amounts.orderTerms += order.length
    addConditions(amounts, conditions, values)
  }
  for (const [name, [most, what, hint]] of Object.entries(limits)) {
    if (amounts[name as keyof Amounts] > most) throw failure.tooMuch(what, most, hint)
  }
}

function addConditions(amounts: Amounts, conditions: readonly Condition[], values: readonly Operand[]): void {
  for (const condition of conditions) {
    if (condition.kind === 'filter') addFilter(amounts, condition, operandsOf(condition, values))
    else addConditions(amounts, condition.conditions, values)
  }
}

/** Parameters are numbered from 1. */
const operandsOf = ({ operand }: Filter, values: readonly Operand[]): readonly string[] =>
  listOf(typeof operand === 'string' ? operand : (values[operand.param - 1] ?? []))

function addFilter(amounts: Amounts, { operator, quantifier }: Filter, values: readonly string[]): void {
  // A list of values to be equal to is looked up as a whole; any other is gone through for each row.
  const isLookedUp = equalsAny(operator, quantifier)
  amounts.conditions += isLookedUp ? 1 : Math.max(1, values.length)
  if (isLookedUp) amounts.listValues += values.length
  if (operator === 'match' || operator === 'imatch') amounts.patterns += values.length
  if (operator === 'like' || operator === 'ilike') amounts.likeCharacters += lengthOf(values)
  if (operatorOf(operator).takes !== 'search') return
  amounts.searches += 1
  amounts.searchCharacters += lengthOf(values)
}

const lengthOf = (values: readonly string[]): number => values.reduce((sum, { length }) => sum + length, 0)
