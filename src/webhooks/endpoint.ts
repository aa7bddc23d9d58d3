import type { Row } from '../store/database.ts'
import { keyword, type Sql } from '../store/sql.ts'
import type { Choice } from './choose-events.ts'
import type { Seal } from './seal.ts'

/** Names one endpoint. The company is part of it, so that nobody reaches an endpoint of another company. */
export interface EndpointRef {
  readonly companyId: string
  readonly id: string
}

export type DisabledReason = 'by_hand' | 'gone' | 'failing' | 'slow_filter'

/** Where a company wants its events to be sent. */
export interface Endpoint extends EndpointRef, Choice {
  readonly url: string
  /** Encrypted. */
  readonly secret: string
  readonly oldSecret: string | null
  readonly oldSecretEndsAt: string | null
  /** Deliveries were made of the events up to this one. */
  readonly queuedSequence: number
  /** Of the first attempt since the last success. */
  readonly failingSince: string | null
  readonly disabledAt: string | null
  readonly disabledReason: DisabledReason | null
  readonly createdAt: string
  readonly createdBy: string
}

export const endpointColumns: Sql = keyword(
  'company_id, id, url, types, filter, secret, old_secret, old_secret_ends_at, queued_sequence, failing_since, disabled_at, disabled_reason, created_at, created_by',
)

export function endpointOf(row: Row): Endpoint {
  const [companyId, id, url, types, filter, secret, oldSecret, oldSecretEndsAt, sequence, failingSince, ...more] = row
  const [disabledAt, disabledReason, createdAt, createdBy] = more
  const secrets = { secret, oldSecret, oldSecretEndsAt }
  const state = { queuedSequence: Number(sequence), failingSince, disabledAt, disabledReason, createdAt, createdBy }
  const chosen = { types: typeof types === 'string' ? JSON.parse(types) : null, filter }
  // The columns of the schema.
  return { companyId, id, url, ...chosen, ...secrets, ...state } as Endpoint
}

/** The secrets to sign with, the new one first; none if they were sealed with another key. */
export function secretsOf(seal: Seal, endpoint: Endpoint, now: Date): readonly string[] {
  const { secret, oldSecret, oldSecretEndsAt } = endpoint
  const isOldLive = oldSecretEndsAt !== null && Date.parse(oldSecretEndsAt) > now.getTime()
  const sealed = [secret, ...(isOldLive && oldSecret !== null ? [oldSecret] : [])]
  const [first = null, ...others] = sealed.map((one) => seal.open(one, sealedFor(endpoint)))
  return first === null ? [] : [first, ...others.filter((one) => one !== null)]
}

/** What a secret is sealed for. */
export const sealedFor = ({ companyId, id }: EndpointRef): string => `${companyId} ${id}`
