import { networkOf } from './client-address.ts'
import { failure } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Caller } from './keys/caller.ts'
import { createGuard } from './traffic/guard.ts'
import { createRateLimit, rateHeaders } from './traffic/rate-limit.ts'
import { narrower, type RatePolicy } from './traffic/rate-policy.ts'

export interface Rates {
  /** What every credential may send. */
  readonly rateLimit: RatePolicy | null
  /** What all of them together may. */
  readonly rateLimitTotal: RatePolicy | null
  /** How many unknown keys may come from one network. */
  readonly authFailureLimit: RatePolicy | null
}

/** Each of them refuses what is too much. All is counted in memory. */
export interface RateLimits {
  /** Before it is known who asks, and before the database is asked. Tells as whose the request may go on. */
  limitArrival(key: string | null, exchange: Exchange): string
  /** Tells the caller how much is left of what is allowed to all or to it alone. */
  limitCaller(key: string | null, caller: Caller, exchange: Exchange): void
}

export function createRateLimits({ rateLimit, rateLimitTotal, authFailureLimit }: Rates): RateLimits {
  const guard = createGuard(authFailureLimit)
  const countAll = createRateLimit()
  const count = createRateLimit()
  return {
    limitArrival: (key, exchange) => {
      if (rateLimitTotal) {
        const { isAllowed, resetS } = countAll(rateLimitTotal, '', Date.now())
        // 503 and not 429: nobody in particular has sent too much.
        if (!isAllowed) throw failure.overloaded(resetS)
      }
      if (key !== null && guard.knows(key)) return key
      guard.check(() => networkOf(exchange.address()))
      // All keys that nobody knows are one caller: otherwise each would be a new one, and have its turn before others.
      return ''
    },
    limitCaller: (key, { credentialId, secretId, ratePolicy }, exchange) => {
      if (key !== null) guard.passed(key)
      const policy = narrower(rateLimit, ratePolicy)
      if (policy === null) return
      // The key is no secret: whoever has it alone must not use up what its owner may send.
      const allowance = count(policy, `${credentialId} ${secretId ?? ''}`, Date.now())
      exchange.rate = rateHeaders(policy, allowance)
      if (!allowance.isAllowed) throw failure.rateLimited(allowance.resetS)
    },
  }
}
