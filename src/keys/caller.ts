import type { EventActor } from '../plan/plan.ts'
import type { RatePolicy } from '../traffic/rate-policy.ts'
import type { Access } from './narrowing.ts'
import type { Rights } from './rights.ts'

/** Who sends the request: a credential, and the company that its secret opened, if any. */
export interface Caller {
  readonly credentialId: string
  /** The company that the credential belongs to, for the log. Rows are read by `scope`. */
  readonly companyId: string
  /** The secret that opened the company. */
  readonly secretId: string | null
  readonly access: Access
  /** Null where nothing narrows it. */
  readonly rights: Rights | null
  readonly scope: Scope
  /** Of the company's own fields; 0 where it has none. */
  readonly fieldsVersion: number
  /** What its owners allow it to do. */
  readonly ratePolicy: RatePolicy | null
  /** As events name it; null where the company wants no events. */
  readonly actor: EventActor | null
  /** A secret came from a browser, where everyone can read it. */
  readonly isExposed: boolean
}

export type Scope =
  | { readonly companyId: string }
  | { readonly companyId: null; readonly reason: 'secret_missing' | 'secret_mismatch' }

/** What is known of a request that was refused with 401. Shown to the owners of the credential that was meant. */
export interface Sighting {
  /** A credential that is revoked or expired. */
  ended: { readonly credentialId: string; readonly companyId: string } | null
  /** The first characters of an invalid key: enough to find the credential that was meant, and too few to guess the rest. */
  keyStart: string | null
}
