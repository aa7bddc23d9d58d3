import { addedLatency } from './latency.ts'

/** `ok`: scoped and done. `refused`: any answer from 400 on, or that tells of an error. `not_scoped`: a valid key without its secret. */
export type Outcome = 'ok' | 'refused' | 'not_scoped'

/** One request by a credential, and its outcome. */
export interface Use {
  readonly companyId: string
  readonly credentialId: string
  /** The secret that was sent; empty if none matched. */
  readonly secretId: string
  readonly outcome: Outcome
  readonly status: number
  readonly code: string | null
  readonly method: string
  readonly at: number
  readonly ms: number
  /** Called only now and then, because to find out an address takes longer than all the counting. */
  from(): Origin
}

interface Origin {
  readonly address: string | null
  readonly userAgent: string | null
}

type LastUse = Omit<Use, 'from'> & Origin

/** A request with an invalid key. Which credential was meant is looked up when the counts are written. */
export type Stray = Omit<LastUse, 'companyId' | 'credentialId' | 'secretId'>

/** The requests of one hour with one secret that are not yet written. */
export interface Tally {
  readonly hour: number
  readonly requests: Record<Outcome, number>
  readonly latency: number[]
  last: LastUse
}

/** The stored time of the last use may be this much too old. */
const lastUseMs = 1000

export const lastOf = ({ from, ...use }: Use): LastUse => ({ ...use, ...from() })

export const isNews = (last: LastUse, { at, status, code }: Use): boolean =>
  at >= last.at && (at >= last.at + lastUseMs || status !== last.status || code !== last.code)

/** Counts that could not be written, together with those since then. */
export function merged(older: Tally, newer: Tally | undefined): Tally {
  if (!newer) return older
  const sum = (outcome: Outcome) => older.requests[outcome] + newer.requests[outcome]
  return {
    hour: older.hour,
    requests: { ok: sum('ok'), refused: sum('refused'), not_scoped: sum('not_scoped') },
    latency: addedLatency(older.latency, newer.latency),
    last: newer.last.at >= older.last.at ? newer.last : older.last,
  }
}
