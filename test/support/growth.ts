/** What any call may take, however short its work is. */
const constantMs = 20
const triesMax = 8

/**
 * Whether the second piece of work, which has twice as much to do, takes at most three times as long as the first.
 * A busy machine may be slow once: of several tries the fastest counts.
 */
export function growsInLine(half: () => void, whole: () => void): boolean {
  let [halfMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let tries = 0; tries < triesMax; tries += 1) {
    wholeMs = Math.min(wholeMs, timeOf(whole))
    if (wholeMs <= constantMs) return true
    halfMs = Math.min(halfMs, timeOf(half))
    if (tries > 2 && wholeMs <= 3 * halfMs + constantMs) return true
  }
  return wholeMs <= 3 * halfMs + constantMs
}

function timeOf(run: () => void): number {
  const startedAt = performance.now()
  run()
  return performance.now() - startedAt
}
