import type { Comparison } from '../plan/plan.ts'
import { operandsOf } from '../plan/plan-condition.ts'
import type { Operand } from '../request/operand.ts'
import type { OperatorName } from '../types/operators.ts'

/** What it takes to decide about one row. */
export function comparisonWork(comparison: Comparison, values: readonly Operand[]): number {
  const { each, letter } = operatorWork[comparison.operator] ?? plainWork
  if (!isWeighed(comparison)) return each
  const operands = operandsOf(comparison, values)
  const letters = operands.reduce((length, operand) => length + operand.length, 0)
  return each * (comparison.quantifier === null ? 1 : operands.length) + letter * letters
}

/** Whether there is more to do for a longer value, or for more of them. */
export const isWeighed = ({ operator, quantifier }: Comparison): boolean =>
  quantifier !== null || operator === 'in' || (operatorWork[operator] ?? plainWork).letter > 0

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
