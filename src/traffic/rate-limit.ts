import { BoundedMap } from '../bounded-map.ts'
import type { RatePolicy } from './rate-policy.ts'

/** What became of a request that was counted. */
export interface Allowance {
  readonly isAllowed: boolean
  /** How many more may come now. */
  readonly remaining: number
  /** After how many seconds at the latest there is room again. */
  readonly resetS: number
}

interface Count {
  window: number
  current: number
  previous: number
}

/** Counted apart: more than this many at once are rare, and forgetting them is kind. */
const countsMax = 100_000

/**
 * Counts in memory, by a window that slides: what came in the window before counts less the longer it is ago.
 * Each instance counts for itself.
 */
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

/** From the beginning of this window until what counts is no more than `room`. */
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

/** The fields of the IETF draft: the policy, and where the caller stands. */
export const rateHeaders = ({ requests, seconds }: RatePolicy, { remaining, resetS }: Allowance) => ({
  'RateLimit-Policy': `"default";q=${requests};w=${seconds}`,
  RateLimit: `"default";r=${remaining};t=${resetS}`,
})
