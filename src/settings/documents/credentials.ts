import type { CredentialDocument } from '../../keys/credential.ts'
import type { Outcome } from '../../keys/tally.ts'

export type { Access } from '../../keys/credential.ts'
export type { Operation } from '../../keys/narrowing.ts'

type UsageOfDay = { readonly day: string } & Readonly<Record<Outcome, number>>

/** How far a chart of requests looks back. */
export type UsageSpan = '24h' | '7d' | '30d' | '90d'

/** The requests of one hour, or of one day in UTC. */
type UsageBar = {
  readonly at: string
  /** The time that half of the requests, and 95 of 100, did not exceed; null for no requests. */
  readonly p50_ms: number | null
  readonly p95_ms: number | null
} & Readonly<Record<Outcome, number>>

export interface Usage {
  readonly span: UsageSpan
  readonly step: 'hour' | 'day'
  readonly bars: readonly UsageBar[]
}

export interface UsageOfHour {
  readonly hour: string
  readonly secret_id: string
  readonly outcome: Outcome
  readonly requests: number
}

export interface Secret {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly requests_24h: number
}

export interface Credential extends CredentialDocument {
  readonly last_used: {
    readonly at: string
    readonly address: string | null
    readonly user_agent: string | null
  } | null
  readonly secrets: readonly Secret[]
  /** With all of its secrets, also those that have ended, and without one. */
  readonly requests_24h: number
  readonly usage: readonly UsageOfDay[]
}

export interface CredentialInDetail extends Credential {
  readonly usage_by_hour: readonly UsageOfHour[]
}

/** The one answer that carries a secret. It is shown, and then forgotten. */
export interface IssuedCredential extends Credential {
  readonly api_secret: string
}

export interface LastRequest {
  readonly at: string
  readonly credential_id: string | null
  readonly credential_name: string | null
  readonly outcome: Outcome
  readonly status: number
  readonly code: string | null
  readonly method: string
}

export interface Overview {
  readonly days: readonly UsageOfDay[]
  /** How many credentials had requests without their secret, and those with the most. */
  readonly not_scoped: {
    readonly credentials: number
    readonly most: readonly { readonly credential_id: string; readonly name: string; readonly requests: number }[]
  }
  readonly last_request: LastRequest | null
  readonly credentials: number
  /** How many there are of each resource. */
  readonly rows: Readonly<Record<string, number>>
}

/** A request of an application. */
export interface LoggedRequest {
  /** The X-Request-Id of its answer. */
  readonly id: string
  readonly at: string
  readonly credential_id: string
  readonly credential_name: string
  readonly method: string
  /** With its query. What is long ends in `…`. */
  readonly path: string
  readonly outcome: Outcome
  readonly status: number
  readonly ms: number
  readonly code: string | null
  /** null, too, where it could quote a body. */
  readonly message: string | null
  readonly hint: string | null
  readonly address: string | null
  readonly user_agent: string | null
  /** How many more of the same kind came in its minute and were not kept. */
  readonly left_out: number
}

export interface RequestsPage {
  readonly requests: readonly LoggedRequest[]
  readonly next: string | null
  /** false: the operator has switched the log off. */
  readonly is_on: boolean
}
