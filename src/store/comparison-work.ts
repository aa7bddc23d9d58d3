import type { Comparison } from '../plan/plan.ts'
import { operandsOf } from '../plan/plan-condition.ts'
import type { Operand } from '../request/operand.ts'
import { operatorOf } from '../types/operators.ts'

/** The work to decide whether one row matches. */
export function comparisonWork(comparison: Comparison, values: readonly Operand[]): number {
  const { each, letter } = operatorOf(comparison.operator).work
  if (!isWeighed(comparison)) return each
  const operands = operandsOf(comparison, values)
  const letters = operands.reduce((length, operand) => length + operand.length, 0)
  return each * (comparison.quantifier === null ? 1 : operands.length) + letter * letters
}

/** Whether the work grows with the length or the number of the values. */
export const isWeighed = ({ operator, quantifier }: Comparison): boolean =>
  quantifier !== null || operator === 'in' || operatorOf(operator).work.letter > 0
