import type { Condition } from './parse-filter.ts'
import type { OrderTerm } from './parse-order.ts'
import { type Range, wholeRange } from './parse-range.ts'

/** What was asked of the resource itself, or of one embed in it. */
export interface Level {
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly range: Range
}

export const emptyLevel: Level = { conditions: [], order: [], range: wholeRange }
