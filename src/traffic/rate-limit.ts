import { BoundedMap } from '../caches/bounded-map.ts'
import type { RatePolicy } from './rate-policy.ts'

/** The decision about one request. */
export interface Allowance {
  readonly isAllowed: boolean
  /** How many more requests are allowed now. */
  readonly remaining: number
  /** Seconds until the next request is allowed, or the window ends. */
  readonly resetS: number
}

interface Count {
  window: number
  current: number
  previous: number
}

/** Bounds the memory. More callers than this are rare; then all counts start over, in favour of the callers. */
const countsMax = 100_000

/** A sliding window counter in memory: the previous window counts in proportion to its overlap. One per process. */
export function createRateLimit(): (policy: RatePolicy, who: string, nowMs: number) => Allowance {
  const counts = new BoundedMap<Count>(countsMax)
  return ({ requests, seconds }, who, nowMs) => {
    const windowMs = seconds * 1000
    const window = Math.floor(nowMs / windowMs)
    const count = countOf(counts, who, window)
    const passed = (nowMs % windowMs) / windowMs
    const used = count.previous * (1 - passed) + count.current
    const isAllowed = used + 1 <= requests
    if (isAllowed) count.current += 1
    const remaining = Math.max(0, Math.floor(requests - used - (isAllowed ? 1 : 0)))
    const windows = isAllowed ? 1 - passed : windowsUntilRoom(count, requests - 1) - passed
    return { isAllowed, remaining, resetS: Math.max(1, Math.ceil(seconds * windows)) }
  }
}

/** How long after the start of this window, in windows, the weighted count falls to `room`. */
function windowsUntilRoom({ current, previous }: Count, room: number): number {
  return current <= room ? 1 - (room - current) / previous : 2 - room / current
}

function countOf(counts: Map<string, Count>, who: string, window: number): Count {
  const known = counts.get(who)
  if (known && known.window === window) return known
  const count = { window, current: 0, previous: known?.window === window - 1 ? known.current : 0 }
  counts.set(who, count)
  return count
}

/** The header fields of the IETF draft: the policy and what is left of it. */
export const rateHeaders = ({ requests, seconds }: RatePolicy, { remaining, resetS }: Allowance) => ({
  'RateLimit-Policy': `"default";q=${requests};w=${seconds}`,
  RateLimit: `"default";r=${remaining};t=${resetS}`,
})
