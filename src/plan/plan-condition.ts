import { failure } from '../errors/index.ts'
import { listOf, type Operand } from '../request/operand.ts'
import type { Condition as Asked, Filter } from '../request/parse-filter.ts'
import { type Resource, typeOf } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import { languageNames, type SearchLanguage } from '../resources/text/languages.ts'
import { parsePattern } from '../resources/text/pattern.ts'
import { spellSearch } from '../resources/text/search.ts'
import { operatorOf } from '../types/operators.ts'
import type { Comparison, Condition, Embed } from './plan.ts'

export function planConditions(resource: Resource, asked: readonly Asked[], embeds: readonly Embed[]): Condition[] {
  return asked.map((condition) => {
    if (condition.kind !== 'filter') {
      return { ...condition, conditions: planConditions(resource, condition.conditions, embeds) }
    }
    return planNullFilter(condition, embeds) ?? planComparison(resource, condition)
  })
}

/** `bid=is.null`: asks whether anything is embedded, not what a column holds. */
function planNullFilter(filter: Filter, embeds: readonly Embed[]): Condition | null {
  const embed = embeds.find(({ key }) => key === filter.column)
  if (!embed || filter.operator !== 'is' || (filter.operand !== 'null' && filter.operand !== 'not_null')) return null
  return { kind: 'related', negated: (filter.operand === 'null') !== filter.negated, embed }
}

function planComparison(resource: Resource, filter: Filter): Condition {
  const { negated, quantifier, operand } = filter
  const column = findColumn(resource, filter.column)
  const { name, operators, isWords, isNeverQuantified } = typeOf(column)
  const operator = operators.find((one) => one === filter.operator)
  if (!operator || (quantifier !== null && isNeverQuantified))
    throw failure.operatorUnfit(name, operatorOf(filter.operator).symbol)
  const language = filter.language === null ? 'simple' : findLanguage(filter.language)
  if (operator !== 'is' && typeof operand === 'object')
    return { kind: 'comparison', column, negated, operator, quantifier, language, operand }
  const word = isWords.find((one) => one === operand)
  if (!word) throw failure.isNotBoolean(String(operand), name)
  return { kind: 'is', column, negated, word }
}

function findLanguage(name: string): SearchLanguage {
  const language = languageNames.find((known) => known === name.toLowerCase())
  if (!language) throw failure.languageUnknown(name, languageNames.join(', '))
  return language
}

/** The operand of a comparison in its canonical spelling. */
export const checkOperand = (comparison: Comparison, operand: Operand, timezone: string | undefined): Operand =>
  typeof operand === 'string'
    ? checkValue(comparison, operand, timezone)
    : decisive(
        comparison,
        operand.map((one) => checkValue(comparison, one, timezone)),
      )

/** What is less than any of a list is less than the greatest of it. So that value alone decides, however long the list is. */
function decisive({ column, operator, quantifier }: Comparison, list: readonly string[]): readonly string[] {
  if (quantifier === null || list.length === 0) return list
  // No value equals two.
  if (operator === 'eq') return quantifier === 'all' ? [...new Set(list)].slice(0, 2) : list
  const direction = directions[operator]
  if (direction === undefined) return list
  const sign = quantifier === 'any' ? direction : -direction
  const { compare } = typeOf(column)
  return [list.reduce((best, one) => (compare(one, best) * sign > 0 ? one : best))]
}

/** Whether the greatest or the least of a list decides whether any of it fits. For all of it, it is the other one. */
const directions: Readonly<Partial<Record<Comparison['operator'], 1 | -1>>> = { lt: 1, lte: 1, gt: -1, gte: -1 }

/** What a comparison is about in one request: a value, or all of a list. */
export const operandsOf = ({ operand }: Comparison, values: readonly Operand[]): readonly string[] =>
  listOf(values[operand.param] ?? [])

/** No text that is stored is a tenth as long. */
const operandMax = 4000

function checkValue({ column, operator }: Comparison, value: string, timezone: string | undefined): string {
  if (value.length > operandMax) throw failure.tooMuch('characters to compare with', operandMax, 'Shorten the value.')
  switch (operator) {
    case 'fts':
    case 'plfts':
    case 'phfts':
    case 'wfts':
      if (/[\p{L}\p{N}]{256}/u.test(value)) throw failure.tooMuch('letters in one word', 255, 'Shorten it.')
      return spellSearch(operator, value)
    case 'match':
    case 'imatch':
      return parsePattern(value)
    case 'like':
    case 'ilike':
      if (/(?<!\\)(?:\\\\)*\\$/.test(value)) throw failure.likeEndsInEscape()
      return value
    default:
      return typeOf(column).parseOperand(value, timezone)
  }
}

/** Whether a condition names rows by their keys alone. */
export const namesKeys = (condition: Condition, { primaryKey }: Resource): boolean =>
  condition.kind === 'comparison' &&
  condition.column === primaryKey &&
  (condition.operator === 'eq' || condition.operator === 'in') &&
  !condition.negated

/** Whether a condition is met by one row at most: the one with this key. */
export const isByKey = (condition: Condition | undefined, { primaryKey }: Resource): condition is Comparison =>
  condition?.kind === 'comparison' &&
  condition.column === primaryKey &&
  condition.operator === 'eq' &&
  condition.quantifier === null &&
  !condition.negated
