import type { Exchange } from '../exchange.ts'

/** A request that has been answered. Of what it says, only what is the same for every company may be shown. */
export interface Ended {
  readonly http: Pick<Request, 'method' | 'headers'>
  readonly exchange: Exchange
  readonly status: number
  /** One of `errors.ts`, where it failed. */
  readonly code: string | null
  readonly ms: number
}

/** Clients can send any word; series and spans must not be as many. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
export const knownMethod = (method: string): string => (methods.has(method) ? method : '_OTHER')
