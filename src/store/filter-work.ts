import type { Narrowed, Values } from '../plan/plan.ts'
import { wholeRange } from '../request/parse-range.ts'
import { estimate } from './estimate.ts'
import { workMax } from './limits.ts'
import type { Size } from './row-weights.ts'

/** One row, whose own fields have the longest texts that they can have. */
const longRow: Size = { rows: 1, own: { longest: [], others: 4000 } }

/** Whether a filter takes too long to be asked of one row after another in the thread that serves requests. */
export function isLongFilter({ resource, where }: Narrowed, values: Values): boolean {
  const plan = { resource, where, selection: [], order: [], range: wholeRange }
  return estimate(plan, wholeRange, { sizeOf: () => longRow, values }).work > workMax
}
