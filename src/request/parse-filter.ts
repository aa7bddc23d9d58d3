import { failure } from '../errors/index.ts'
import { nearest } from '../resources/nearest.ts'
import { type IsWord, isWords, type OperatorName, operatorNames, operatorOf } from '../types/operators.ts'
import { countOf, type Operand, type Param } from './operand.ts'
import { hintForParameter } from './other-dialects.ts'
import { Scanner } from './scanner.ts'

/** A condition on a column. It holds no value: these are kept apart, and are told by their number. */
export interface Filter {
  readonly kind: 'filter'
  readonly column: string
  readonly negated: boolean
  readonly operator: OperatorName
  readonly quantifier: 'any' | 'all' | null
  /** Of a full-text search. */
  readonly language: string | null
  readonly operand: Param | IsWord
}

export interface Logic {
  readonly kind: 'and' | 'or'
  readonly negated: boolean
  readonly conditions: readonly Condition[]
}

export type Condition = Filter | Logic

/** `not.in.(open,closed)` → negated, operator `in`, operand 1, and ['open', 'closed'] becomes the first of the values. */
export function parseFilter(column: string, text: string, values: Operand[]): Filter {
  const scan = new Scanner('filter', text)
  return parseComparison(scan, column, values, () => scan.rest())
}

export const conditionsMax = 500

/** `(id.eq.1,and(project_name.like.a*,created_at.gt.2026-01-01))` → the tree under an `and` or `or` parameter. */
export function parseLogic({ kind, negated }: Omit<Logic, 'conditions'>, text: string, values: Operand[]): Logic {
  const scan = new Scanner('logic tree', text)
  const conditions = parseConditions(scan, { conditionsLeft: conditionsMax, values })
  scan.end()
  return { kind, negated, conditions }
}

interface Tree {
  /** How many more conditions it may have. */
  conditionsLeft: number
  readonly values: Operand[]
}

function parseConditions(scan: Scanner, tree: Tree): Condition[] {
  scan.skipBlanks()
  scan.expect('(')
  const conditions = scan.nested(() => scan.list(() => parseCondition(scan, tree)))
  scan.expect(')', '"," or ")"')
  scan.skipBlanks()
  return conditions
}

const conditionExpected = 'field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)'

function parseCondition(scan: Scanner, tree: Tree): Condition {
  tree.conditionsLeft -= 1
  if (tree.conditionsLeft < 0) throw failure.tooMuch('conditions', conditionsMax, 'Use in.(…) for a list of values.')
  scan.skipBlanks()
  const opening = scan.take(/(?:not\.)?(?:and|or)(?=[ \t]*\()/y)
  if (opening !== null) {
    const conditions = parseConditions(scan, tree)
    return { kind: opening.endsWith('and') ? 'and' : 'or', negated: opening.startsWith('not'), conditions }
  }
  const column = scan.name(conditionExpected)
  scan.expect('.')
  const value = () => scan.takeQuotedBefore(valueEnd) ?? scan.take(/\{[^{}]*\}/y) ?? scan.take(/[^,)]*/y) ?? ''
  const filter = parseComparison(scan, column, tree.values, value)
  scan.skipBlanks()
  return filter
}

const valueEnd = /[,)]|$/y

/** The part behind the column's name; `value` says how far a plain value reaches. */
function parseComparison(scan: Scanner, column: string, values: Operand[], value: () => string): Filter {
  const negated = scan.accept('not.')
  const operator = parseOperator(scan, column)
  const { takes, quantified } = operatorOf(operator)
  const quantifier = quantified ? parseQuantifier(scan) : null
  const language = takes === 'search' && scan.accept('(') ? parseLanguage(scan) : null
  scan.expect('.')
  const operand =
    takes === 'word'
      ? parseWord(scan)
      : addOperand(takes === 'list' ? parseList(scan) : quantifier ? parseArray(scan) : value(), values)
  return { kind: 'filter', column, negated, operator, quantifier, language, operand }
}

export const addOperand = (operand: Operand, values: Operand[]): Param => ({
  param: values.push(operand),
  count: countOf(operand),
})

function parseOperator(scan: Scanner, column: string): OperatorName {
  const start = scan.take(/[a-z]+(?=[.(])/y)
  const operator = operatorNames.find((name) => name === start)
  if (operator) return operator
  if (start !== null) scan.back(start.length)
  const close = start === null ? null : nearest(start, operatorNames)
  const perhaps = close === null ? '' : `Perhaps you meant "${close}". `
  return scan.fail(
    '"not" or operator (eq, gt, ...)',
    hintForParameter(column) ?? `${perhaps}Write it as column=operator.value, with one of ${operatorNames.join(', ')}.`,
  )
}

function parseQuantifier(scan: Scanner): 'any' | 'all' | null {
  if (scan.accept('(any)')) return 'any'
  return scan.accept('(all)') ? 'all' : null
}

function parseLanguage(scan: Scanner): string {
  const language = scan.name('a text search configuration')
  scan.expect(')')
  return language
}

function parseWord(scan: Scanner): IsWord {
  const word = scan.take(/null|not_null|true|false|unknown/iy)?.toLowerCase()
  return isWords.find((known) => known === word) ?? scan.fail(`isVal: (${isWords.join(', ')})`)
}

/** `(a,"b,c", d)`. A quote that is not closed before a comma is part of the value: clients do not escape them. */
function parseList(scan: Scanner): string[] {
  scan.skipBlanks()
  scan.expect('(')
  scan.skipBlanks()
  if (scan.accept(')')) return []
  const items = scan.plainList(')') ?? scan.list(() => scan.takeQuotedBefore(/[,)]/y) ?? scan.take(/[^,)]*/y) ?? '')
  scan.expect(')', '"," or ")"')
  const last = items.length - 1
  return items.with(last, items[last]?.trimEnd() ?? '')
}

/** `{a,"b,c"}`: PostgreSQL's spelling of an array. */
function parseArray(scan: Scanner): string[] {
  scan.expect('{')
  if (scan.accept('}')) return []
  const items = scan.list(() => scan.quoted() ?? scan.take(/[^,{}"]*/y) ?? '')
  scan.expect('}', '"," or "}"')
  return items
}
