/** How long requests took, counted in steps: step 0 is under a quarter of a millisecond, and each further step reaches twice as far. */
export type Latency = readonly number[]

const stepsMax = 16
const firstMs = 0.25

export const latencyColumns: readonly string[] = Array.from({ length: stepsMax }, (_, step) => `step_${step}`)

export const noLatency = (): number[] => Array(stepsMax).fill(0)

/** 0.1 → 0, 0.3 → 1, 0.6 → 2, 1 → 3, and everything from four seconds on → 15 */
export const stepOf = (ms: number): number => Math.min(stepsMax - 1, 32 - Math.clz32(ms / firstMs))

export const addedLatency = (one: Latency, other: Latency): number[] =>
  one.map((count, step) => count + (other[step] ?? 0))

/** `percentile(counts, 0.95)`: the time in milliseconds that this share of the requests did not exceed, by interpolation; null for no requests. */
export function percentile(counts: Latency, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rest = share * total
  for (const [step, count] of counts.entries()) {
    if (rest <= count && count > 0) {
      const from = step === 0 ? 0 : firstMs * 2 ** (step - 1)
      return rounded(from + (firstMs * 2 ** step - from) * (rest / count))
    }
    rest -= count
  }
  return rounded(firstMs * 2 ** (stepsMax - 1))
}

const rounded = (ms: number): number => Number(ms.toPrecision(3))
