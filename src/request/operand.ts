/** What a filter compares with: one value, or a list where it takes one. */
export type Operand = string | readonly string[]

/** The place of an operand among the values of a request. Number 0 is the company, which no query names. */
export interface Param {
  readonly param: number
  /** How many values there are, counted up to `countedMax` and one more: no statement depends on more than that. */
  readonly count: number
}

export const countedMax = 10

export const countOf = (operand: Operand): number =>
  typeof operand === 'string' ? 1 : Math.min(operand.length, countedMax + 1)

export const listOf = (operand: Operand): readonly string[] => (typeof operand === 'string' ? [operand] : operand)
