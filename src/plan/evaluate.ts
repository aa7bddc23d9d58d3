import { typeOf } from '../resources/define.ts'
import type { SearchLanguage } from '../resources/text/languages.ts'
import { likeMatcher } from '../resources/text/like.ts'
import { matcherOf } from '../resources/text/pattern-matcher.ts'
import { searcherOf } from '../resources/text/search-text.ts'
import type { ColumnType } from '../types/column-type.ts'
import type { IsWord } from '../types/operators.ts'
import { listComparisons } from '../types/text-list.ts'
import type { ComparingOperator, Comparison, Condition, Values } from './plan.ts'
import { operandsOf } from './plan-condition.ts'

/** Stored values by the name of their column. */
export type KnownRow = Readonly<Record<string, string | null>>

/** Whether a row meets all conditions, as the engines would say of it. */
export const meetsAll = (conditions: readonly Condition[], values: Values, row: KnownRow): boolean =>
  conditions.every((condition) => truthOf(condition, values, row) === true)

/** null: neither, as wherever there is no value. */
type Truth = boolean | null

function truthOf(condition: Condition, values: Values, row: KnownRow): Truth {
  switch (condition.kind) {
    case 'comparison':
      return negated(condition, comparisonTruth(condition, values, row[condition.column.name] ?? null))
    case 'is':
      return negated(condition, isTruths[condition.word](row[condition.column.name] ?? null))
    case 'related':
      throw new Error('Whether a row has related rows cannot be told from the row alone')
    default: {
      const truths = condition.conditions.map((one) => truthOf(one, values, row))
      const decisive = condition.kind === 'or'
      return negated(condition, truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive)
    }
  }
}

const negated = ({ negated: isNegated }: Condition, truth: Truth): Truth =>
  isNegated && truth !== null ? !truth : truth

function comparisonTruth(comparison: Comparison, values: Values, value: string | null): Truth {
  const { column, operator, quantifier, language } = comparison
  const operands = operandsOf(comparison, values)
  const [first = ''] = operands
  if (operator === 'isdistinct') return value !== first
  // Of no operands at all, it is known even of no value.
  if (operands.length === 0) return quantifier === 'all'
  if (value === null) return null
  if (operator === 'in') return operands.includes(value)
  const compare = comparisons[operator]
  const fits = (operand: string): boolean => compare(value, operand, typeOf(column), language)
  return quantifier === null ? fits(first) : quantifier === 'any' ? operands.some(fits) : operands.every(fits)
}

const isTruths: Record<IsWord, (value: string | null) => boolean> = {
  null: (value) => value === null,
  not_null: (value) => value !== null,
  true: (value) => value === '1',
  false: (value) => value === '0',
  unknown: (value) => value === null,
}

type Compare = (value: string, operand: string, type: ColumnType, language: SearchLanguage) => boolean

const searched: Compare = (value, operand, _, language) => searcherOf(operand, language)(value)

/** `comparisonTruth` itself knows the others. */
const comparisons: Record<Exclude<ComparingOperator, 'in' | 'isdistinct'>, Compare> = {
  eq: (value, operand) => value === operand,
  neq: (value, operand) => value !== operand,
  gt: (value, operand, { compare }) => compare(value, operand) > 0,
  gte: (value, operand, { compare }) => compare(value, operand) >= 0,
  lt: (value, operand, { compare }) => compare(value, operand) < 0,
  lte: (value, operand, { compare }) => compare(value, operand) <= 0,
  like: (value, operand) => likeMatcher('like', operand)(value),
  ilike: (value, operand) => likeMatcher('ilike', operand)(value),
  match: (value, operand) => matcherOf(operand, false)(value),
  imatch: (value, operand) => matcherOf(operand, true)(value),
  fts: searched,
  plfts: searched,
  phfts: searched,
  wfts: searched,
  ...listComparisons,
}
