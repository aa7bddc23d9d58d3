import type { Comparison } from '../plan/plan.ts'
import { operandsOf } from '../plan/plan-condition.ts'
import type { Operand } from '../request/operand.ts'
import type { OperatorName } from '../types/operators.ts'

/** The work to decide whether one row matches. */
export function comparisonWork(comparison: Comparison, values: readonly Operand[]): number {
  const { each, letter } = operatorWork[comparison.operator] ?? plainWork
  if (!isWeighed(comparison)) return each
  const operands = operandsOf(comparison, values)
  const letters = operands.reduce((length, operand) => length + operand.length, 0)
  return each * (comparison.quantifier === null ? 1 : operands.length) + letter * letters
}

/** Whether the work grows with the length or the number of the values. */
export const isWeighed = ({ operator, quantifier }: Comparison): boolean =>
  quantifier !== null || operator === 'in' || (operatorWork[operator] ?? plainWork).letter > 0

/** The work to compare one value, and the additional work for each character of the operand. */
interface OperatorWork {
  readonly each: number
  readonly letter: number
}

const plainWork: OperatorWork = { each: 1, letter: 0 }
const searchWork: OperatorWork = { each: 100, letter: 17 }
const listWork: OperatorWork = { each: 100, letter: 1 }
/** A regular expression may need milliseconds for one value, so in the thread that serves requests it compares one value at most. */
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
