import type { Narrowed, Values } from '../plan/plan.ts'
import { wholeRange } from '../request/parse-range.ts'
import { estimate } from './estimate.ts'

/** About 10 ms, in the unit of `Cost.work`. Nothing else is done in the thread meanwhile. */
const workMax = 100_000

/** Whether a filter takes too long to be asked of one row after another in the thread that serves requests. */
export const isLongFilter = ({ resource, where }: Narrowed, values: Values): boolean =>
  estimate({ resource, where, selection: [], order: [], range: wholeRange }, wholeRange, { sizeOf: () => 1, values })
    .work > workMax
