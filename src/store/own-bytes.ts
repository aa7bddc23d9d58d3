/** What the own fields of a company's rows take: of the longest rows, longest first, and of any other row at most. */
export interface OwnBytes {
  readonly longest: readonly number[]
  readonly others: number
}

/** Longer rows have an index: see `schema.ts`. */
export const shortBytes = 300

export const shortRows: OwnBytes = { longest: [], others: shortBytes }

/** What so many rows take together at most; of each, only what is beyond the first bytes of it. */
export const bytesOfRows = ({ longest, others }: OwnBytes, rows: number, beyond = 0): number =>
  longest
    .slice(0, rows)
    .reduce(
      (sum, bytes) => sum + Math.max(0, bytes - beyond),
      Math.max(0, rows - longest.length) * Math.max(0, others - beyond),
    )

/** How many rows take no more than that, whichever they are: one at least. */
export function rowsWithin(own: OwnBytes, bytesMax: number, rowsMax: number): number {
  let rows = 1
  while (rows < rowsMax && bytesOfRows(own, rows + 1) <= bytesMax) rows += 1
  return rows
}

/** The same as `bytesOfRows` where each of them may be the longest one. */
export const bytesOfLongest = ({ longest: [first], others }: OwnBytes, rows = 1, beyond = 0): number =>
  rows * Math.max(0, (first ?? others) - beyond)
