/** `ok`: scoped and done. `refused`: any answer from 400 on. `not_scoped`: a valid key without its secret. */
export type Outcome = 'ok' | 'refused' | 'not_scoped'

/** One request by a credential, and what became of it. */
export interface Use {
  readonly companyId: string
  readonly credentialId: string
  /** Of the secret that came with it; empty where none fitted. */
  readonly secretId: string
  readonly outcome: Outcome
  readonly status: number
  readonly code: string | null
  readonly method: string
  readonly at: number
  /** Asked only now and then: to find out an address takes longer than all the counting. */
  from(): Origin
}

interface Origin {
  readonly address: string | null
  readonly userAgent: string | null
}

type LastUse = Omit<Use, 'from'> & Origin

/** A request with a key that is none; whose it was meant to be is found out when it is written. */
export type Stray = Omit<LastUse, 'companyId' | 'credentialId' | 'secretId'>

/** The requests of one hour by one secret that are not written yet. */
export interface Tally {
  readonly hour: number
  readonly requests: Record<Outcome, number>
  last: LastUse
}

/** A last use is as old as this at most. */
const lastUseMs = 1000

export const lastOf = ({ from, ...use }: Use): LastUse => ({ ...use, ...from() })

export const isNews = (last: LastUse, { at, status, code }: Use): boolean =>
  at >= last.at && (at >= last.at + lastUseMs || status !== last.status || code !== last.code)

/** What could not be written, and what came meanwhile. */
export function merged(older: Tally, newer: Tally | undefined): Tally {
  if (!newer) return older
  const sum = (outcome: Outcome) => older.requests[outcome] + newer.requests[outcome]
  return {
    hour: older.hour,
    requests: { ok: sum('ok'), refused: sum('refused'), not_scoped: sum('not_scoped') },
    last: newer.last.at >= older.last.at ? newer.last : older.last,
  }
}
