/** How long two things took, one after the other in either order. */
export interface Pair {
  readonly a: number
  readonly b: number
}

export interface Verdict {
  /** The largest |t| at any of the cuts. */
  readonly t: number
  /** Of a against b, in nanoseconds. */
  readonly medianDifference: number
  readonly median: number
}

/** Beyond this, two things differ by more than chance; it is what tests for leaks of cryptographic code go by. */
export const tellable = 4.5

/** Slow ones say more of the machine than of the code, so the pairs are judged again without the slowest tenth, fifth, half. */
const cuts = [1, 0.9, 0.8, 0.5]

export function judge(pairs: readonly Pair[]): Verdict {
  const times = pairs.flatMap(({ a, b }) => [a, b]).sort((x, y) => x - y)
  const found = cuts.map((cut) => {
    const limit = times[Math.ceil(times.length * cut) - 1] ?? 0
    return tOf(pairs.filter(({ a, b }) => a <= limit && b <= limit).map(({ a, b }) => a - b))
  })
  const differences = pairs.map(({ a, b }) => a - b).sort((x, y) => x - y)
  return {
    t: Math.max(...found.map(Math.abs)),
    medianDifference: differences[differences.length >> 1] ?? 0,
    median: times[times.length >> 1] ?? 0,
  }
}

/** Student's t of paired differences: how far their mean lies from zero, in its own standard errors. */
function tOf(differences: readonly number[]): number {
  const { length } = differences
  if (length < 2) return 0
  const mean = differences.reduce((sum, one) => sum + one, 0) / length
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (length - 1)
  return variance === 0 ? 0 : mean / Math.sqrt(variance / length)
}
