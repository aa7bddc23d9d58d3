import { failure } from '../errors.ts'
import { createRateLimit } from './rate-limit.ts'
import type { RatePolicy } from './rate-policy.ts'

/** Keeps keys that are tried out from costing a look-up each. */
export interface Guard {
  /** Whether the key has been good. */
  knows(key: string): boolean
  /** Refuses a key that nobody knows, where too many such came from the same network lately. */
  check(network: () => string): void
  /** Whoever has a good key is not refused for what others behind the same address try. */
  passed(key: string): void
}

const goodMax = 100_000

export function createGuard(policy: RatePolicy | null): Guard {
  const count = createRateLimit()
  const good = new Set<string>()
  return {
    knows: (key) => good.has(key),
    check: (network) => {
      if (policy === null) return
      const { isAllowed, resetS } = count(policy, network(), Date.now())
      if (!isAllowed) throw failure.tooManyKeys(resetS)
    },
    passed: (key) => {
      if (good.has(key)) return
      if (good.size >= goodMax) good.clear()
      good.add(key)
    },
  }
}
