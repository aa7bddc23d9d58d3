import type { Exchange } from '../exchange.ts'

/** A finished request. Telemetry must not show ids or values of a company. */
export interface Ended {
  readonly http: Pick<Request, 'method' | 'headers'>
  readonly exchange: Exchange
  readonly status: number
  /** The error code of a failed request. */
  readonly code: string | null
  readonly ms: number
}

/** Clients can send any method, but the number of metric series must stay bounded. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
export const knownMethod = (method: string): string => (methods.has(method) ? method : '_OTHER')
