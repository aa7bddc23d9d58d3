import { failure } from '../errors.ts'
import type { RatePolicy } from '../rate-policy.ts'
import { createRateLimit } from './rate-limit.ts'

/** Keeps keys that are tried out from costing a look-up each. */
export interface Guard {
  /** Refuses a key that nobody knows to be good, where too many such came from the same network lately. */
  check(key: string | null, network: () => string): void
  /** Whoever has a good key is not refused for what others behind the same address try. */
  passed(key: string | null): void
}

const goodMax = 100_000

export function createGuard(policy: RatePolicy | null): Guard {
  if (policy === null) return { check: () => {}, passed: () => {} }
  const count = createRateLimit()
  const good = new Set<string>()
  return {
    check: (key, network) => {
      if (key !== null && good.has(key)) return
      const { isAllowed, resetS } = count(policy, network(), Date.now())
      if (!isAllowed) throw failure.tooManyKeys(resetS)
    },
    passed: (key) => {
      if (key === null || good.has(key)) return
      if (good.size >= goodMax) good.clear()
      good.add(key)
    },
  }
}
