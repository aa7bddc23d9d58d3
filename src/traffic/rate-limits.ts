import { ApiError, failure } from '../errors/index.ts'
import { createRateLimit, rateHeaders } from './rate-limit.ts'
import { narrower, type RatePolicy } from './rate-policy.ts'

export interface Rates {
  /** What every credential may send. */
  readonly rateLimit: RatePolicy | null
  /** What all of them together may. */
  readonly rateLimitTotal: RatePolicy | null
  /** How many requests without a valid key are told so, from one network. */
  readonly authFailureLimit: RatePolicy | null
}

/** A request, as far as its limits are concerned. */
interface Limited {
  network(): string
  /** Headers that tell how many requests are left. */
  rate: Readonly<Record<string, string>> | null
}

/** Who is counted for: a credential by one of its secrets. */
interface Counted {
  readonly credentialId: string
  readonly secretId: string | null
  readonly ratePolicy: RatePolicy | null
}

/** Each of them refuses what is too much. All is counted in memory. */
export interface RateLimits {
  /** Before it is known who asks, and before the database is asked. */
  limitArrival(): void
  /** What to answer a request that failed to say who asks: a valid one is never refused for what others send. */
  limitFailure(error: unknown, request: Limited): unknown
  /** Tells the caller how much is left of what is allowed to all or to it alone. */
  limitCaller(caller: Counted, request: Limited): void
}

export function createRateLimits({ rateLimit, rateLimitTotal, authFailureLimit }: Rates): RateLimits {
  const countAll = createRateLimit()
  const countFailures = createRateLimit()
  const count = createRateLimit()
  return {
    limitArrival: () => {
      if (!rateLimitTotal) return
      const { isAllowed, resetS } = countAll(rateLimitTotal, '', performance.now())
      // 503 and not 429: nobody in particular has sent too much.
      if (!isAllowed) throw failure.overloaded(resetS)
    },
    limitFailure: (error, request) => {
      if (!authFailureLimit || !(error instanceof ApiError) || error.status !== 401) return error
      const { isAllowed, resetS } = countFailures(authFailureLimit, request.network(), performance.now())
      return isAllowed ? error : failure.tooManyKeys(resetS)
    },
    limitCaller: ({ credentialId, secretId, ratePolicy }, request) => {
      const policy = narrower(rateLimit, ratePolicy)
      if (policy === null) return
      // The key is no secret: whoever has it alone must not use up what its owner may send.
      const allowance = count(policy, `${credentialId} ${secretId ?? ''}`, performance.now())
      request.rate = rateHeaders(policy, allowance)
      if (!allowance.isAllowed) throw failure.rateLimited(allowance.resetS)
    },
  }
}
