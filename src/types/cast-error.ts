/** Why a value cannot be cast, in the words that the engines share. */
export type CastProblem = 'unreadable' | 'out of range' | 'no time'

/** A value cannot be cast. It is not told which one: errors never show what is stored. */
export class CastError extends Error {
  constructor(
    readonly problem: CastProblem,
    type: string,
  ) {
    super(`A value cannot be cast to ${type}`)
  }
}
