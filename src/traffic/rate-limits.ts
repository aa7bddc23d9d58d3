import { ApiError, failure } from '../errors/index.ts'
import { createRateLimit, rateHeaders } from './rate-limit.ts'
import { narrower, type RatePolicy } from './rate-policy.ts'

export interface Rates {
  /** For each credential. */
  readonly rateLimit: RatePolicy | null
  /** For all requests together. */
  readonly rateLimitTotal: RatePolicy | null
  /** For requests without a valid key from one network. */
  readonly authFailureLimit: RatePolicy | null
}

/** The parts of a request that its limits need. */
interface Limited {
  network(): string
  /** The response headers that tell how many requests are left. */
  rate: Readonly<Record<string, string>> | null
}

/** The caller whose requests are counted: a credential and the secret it used. */
interface Counted {
  readonly credentialId: string
  readonly secretId: string | null
  readonly ratePolicy: RatePolicy | null
}

/** Each limit refuses the requests that exceed it. All counts are in memory. */
export interface RateLimits {
  /** Runs before authentication and before any database access. */
  limitArrival(): void
  /** The error to answer a failed authentication with. Only failed requests count, so valid keys are never refused here. */
  limitFailure(error: unknown, request: Limited): unknown
  /** Applies the stricter of the general and the credential's own policy, and sets the headers. */
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
      // 503 and not 429: no single caller has sent too much.
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
      // The key is not secret: someone who knows only the key must not use up the owner's allowance.
      const allowance = count(policy, `${credentialId} ${secretId ?? ''}`, performance.now())
      request.rate = rateHeaders(policy, allowance)
      if (!allowance.isAllowed) throw failure.rateLimited(allowance.resetS)
    },
  }
}
