import { failure } from '../errors/index.ts'
import type { Condition as Asked, Filter } from '../request/parse-filter.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import { parsePattern } from '../resources/pattern.ts'
import { parseSearch } from '../resources/search.ts'
import { type OperatorName, operatorOf } from '../types/operators.ts'
import { markOf } from './mark.ts'
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
  const { negated, quantifier } = filter
  const column = findColumn(resource, filter.column)
  const { name, operators, postgres } = typeOf(column)
  const operator = operators.find((one) => one === filter.operator)
  if (!operator || (quantifier !== null && postgres.listOf === null))
    throw failure.operatorUnfit(name, operatorOf(filter.operator).symbol)
  return { kind: 'comparison', column, negated, operator, quantifier, operands: planOperands(column, filter) }
}

function planOperands(column: Column, filter: Filter): string[] {
  const { operand } = filter
  if (typeof operand === 'object' && 'place' in operand) return [markOf(operand)]
  const operands = typeof operand === 'string' ? [operand] : operand
  return operands.map((one) => planOperand(column, filter.operator, one, filter.language))
}

/** No text that is stored is a tenth as long. */
const operandMax = 4000

export function planOperand(
  column: Column,
  operator: OperatorName,
  operand: string,
  language: string | null = null,
): string {
  if (operand.length > operandMax) throw failure.tooMuch('characters to compare with', operandMax, 'Shorten the value.')
  switch (operator) {
    case 'is':
      if (!typeOf(column).isWords.some((word) => word === operand))
        throw failure.isNotBoolean(operand, typeOf(column).name)
      return operand
    case 'fts':
    case 'plfts':
    case 'phfts':
    case 'wfts':
      if (language !== null && language !== 'simple') throw failure.languageUnknown(language)
      if (/[\p{L}\p{N}]{256}/u.test(operand)) throw failure.tooMuch('letters in one word', 255, 'Shorten it.')
      return parseSearch(operator, operand)
    case 'match':
    case 'imatch':
      return parsePattern(operand)
    case 'like':
    case 'ilike':
      if (/(?<!\\)(?:\\\\)*\\$/.test(operand)) throw failure.likeEndsInEscape()
      return operand
    default:
      return typeOf(column).parseOperand(operand)
  }
}

/** Whether a condition is met by one row at most: the one with this key. */
export const isByKey = (condition: Condition | undefined, { primaryKey }: Resource): condition is Comparison =>
  condition?.kind === 'comparison' &&
  condition.column === primaryKey &&
  condition.operator === 'eq' &&
  condition.quantifier === null &&
  !condition.negated
