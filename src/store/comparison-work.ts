import type { Comparison } from '../plan/plan.ts'
import { operandsOf } from '../plan/plan-condition.ts'
import type { Operand } from '../request/operand.ts'
import { operatorOf } from '../types/operators.ts'

/** The work to decide whether one row matches. */
export function comparisonWork(comparison: Comparison, values: readonly Operand[]): number {
  const { operator, quantifier } = comparison
  const { each, letter } = operatorOf(operator).work
  if (!isWeighed(comparison)) return each
  const operands = operandsOf(comparison, values)
  if (operator === 'in') return each * seekWork(operands)
  const letters = lettersOf(operands)
  return (quantifier === null ? each : listWork + each * operands.length) + letter * letters
}

/** To begin with a list takes longer than to compare with one value. */
const listWork = 2

/** So many of the values are looked at, and a long one is copied for that. */
const seekWork = (operands: readonly string[]): number => {
  const longest = operands.reduce((most, { length }) => Math.max(most, length), 0)
  return Math.log2(1 + operands.length) * (1 + longest * soughtLetterWork)
}

const soughtLetterWork = 0.001

/** The work to make the list of a comparison, once for all rows. */
export function listingWork(comparison: Comparison, values: readonly Operand[]): number {
  if (comparison.quantifier === null && comparison.operator !== 'in') return 0
  const operands = operandsOf(comparison, values)
  return operands.length * listedWork + lettersOf(operands) * listedLetterWork
}

const listedWork = 8
const listedLetterWork = 0.1

const lettersOf = (operands: readonly string[]): number => operands.reduce((sum, { length }) => sum + length, 0)

/** Whether the work grows with the length or the number of the values. */
export const isWeighed = ({ operator, quantifier }: Comparison): boolean =>
  quantifier !== null || operator === 'in' || operatorOf(operator).work.letter > 0
