import { typeOf } from '../resources/define.ts'
import type { SearchLanguage } from '../resources/text/languages.ts'
import { likeMatcher } from '../resources/text/like.ts'
import { matcherOf } from '../resources/text/pattern-matcher.ts'
import { searcherOf } from '../resources/text/search-text.ts'
import type { ColumnType } from '../types/column-type.ts'
import { equalsAny, type IsWord } from '../types/operators.ts'
import { listComparisons } from '../types/text-list.ts'
import type { ComparingOperator, Comparison, Condition, Values } from './plan.ts'
import { operandsOf } from './plan-condition.ts'

/** Stored values by the name of their column. */
export type KnownRow = Readonly<Record<string, string | null>>

/** Whether a row meets all conditions, as the engines would say of it. Their values are prepared once for all rows. */
export function filterOf(conditions: readonly Condition[], values: Values): (row: KnownRow) => boolean {
  const truths = conditions.map((condition) => truthOf(condition, values))
  return (row) => truths.every((truth) => truth(row) === true)
}

/** null: neither, as wherever there is no value. */
type Truth = boolean | null
type TruthOf<Given> = (given: Given) => Truth

function truthOf(condition: Condition, values: Values): TruthOf<KnownRow> {
  const decide = positiveTruthOf(condition, values)
  return condition.negated ? (row) => opposite(decide(row)) : decide
}

const opposite = (truth: Truth): Truth => (truth === null ? null : !truth)

function positiveTruthOf(condition: Condition, values: Values): TruthOf<KnownRow> {
  switch (condition.kind) {
    case 'comparison': {
      const { name } = condition.column
      const decide = comparisonTruth(condition, values)
      return (row) => decide(row[name] ?? null)
    }
    case 'is': {
      const { name } = condition.column
      const decide = isTruths[condition.word]
      return (row) => decide(row[name] ?? null)
    }
    case 'related':
      throw new Error('Whether a row has related rows cannot be told from the row alone')
    default:
      return joined(
        condition.conditions.map((one) => truthOf(one, values)),
        condition.kind === 'or',
      )
  }
}

/** One that is `decisive` decides about all. */
const joined =
  (parts: readonly TruthOf<KnownRow>[], decisive: boolean): TruthOf<KnownRow> =>
  (row) => {
    let truth: Truth = !decisive
    for (const part of parts) {
      const one = part(row)
      if (one === decisive) return decisive
      if (one === null) truth = null
    }
    return truth
  }

function comparisonTruth(comparison: Comparison, values: Values): TruthOf<string | null> {
  const { column, operator, quantifier, language } = comparison
  const operands = operandsOf(comparison, values)
  const [first = ''] = operands
  if (operator === 'isdistinct') return (value) => value !== first
  // Of no operands at all, it is known even of no value.
  if (operands.length === 0) return () => quantifier === 'all'
  if (operator === 'in' || equalsAny(operator, quantifier)) return ofValue((value) => operands.includes(value))
  const fitting = (quantifier === null ? [first] : operands).map((operand) =>
    comparisons[operator](operand, typeOf(column), language),
  )
  return ofValue(
    quantifier === 'any'
      ? (value) => fitting.some((fits) => fits(value))
      : (value) => fitting.every((fits) => fits(value)),
  )
}

const ofValue =
  (fits: (value: string) => boolean): TruthOf<string | null> =>
  (value) =>
    value === null ? null : fits(value)

const isTruths: Record<IsWord, (value: string | null) => boolean> = {
  null: (value) => value === null,
  not_null: (value) => value !== null,
  true: (value) => value === '1',
  false: (value) => value === '0',
  unknown: (value) => value === null,
}

/** Prepares an operand, and then says of values whether they fit. */
type Prepare = (operand: string, type: ColumnType, language: SearchLanguage) => (value: string) => boolean

const searched: Prepare = (operand, _, language) => searcherOf(operand, language)

const ofList =
  (compare: (value: string, operand: string) => boolean): Prepare =>
  (operand) =>
  (value) =>
    compare(value, operand)

/** `comparisonTruth` itself knows the others. A compiled pattern is large, so that `matcherOf` keeps some for all filters. */
const comparisons: Record<Exclude<ComparingOperator, 'in' | 'isdistinct'>, Prepare> = {
  eq: (operand) => (value) => value === operand,
  neq: (operand) => (value) => value !== operand,
  gt:
    (operand, { compare }) =>
    (value) =>
      compare(value, operand) > 0,
  gte:
    (operand, { compare }) =>
    (value) =>
      compare(value, operand) >= 0,
  lt:
    (operand, { compare }) =>
    (value) =>
      compare(value, operand) < 0,
  lte:
    (operand, { compare }) =>
    (value) =>
      compare(value, operand) <= 0,
  like: (operand) => likeMatcher('like', operand),
  ilike: (operand) => likeMatcher('ilike', operand),
  match: (operand) => (value) => matcherOf(operand, false)(value),
  imatch: (operand) => (value) => matcherOf(operand, true)(value),
  fts: searched,
  plfts: searched,
  phfts: searched,
  wfts: searched,
  cs: ofList(listComparisons.cs),
  cd: ofList(listComparisons.cd),
  ov: ofList(listComparisons.ov),
}
