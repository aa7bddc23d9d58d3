import type { RatePolicy } from '../traffic/rate-policy.ts'

/** Who asks: a credential, and the company that its secret opened, if it did. */
export interface Caller {
  readonly credentialId: string
  /** The company that the credential belongs to, for the log. Rows go by `scope`. */
  readonly companyId: string
  /** Of the secret that opened the company. */
  readonly secretId: string | null
  readonly access: 'read' | 'read-write'
  readonly scope: Scope
  /** What its owners allow it. */
  readonly ratePolicy: RatePolicy | null
  /** A secret came from a browser, where everyone can read it. */
  readonly isExposed: boolean
}

export type Scope =
  | { readonly companyId: string }
  | { readonly companyId: null; readonly reason: 'secret_missing' | 'secret_mismatch' }

/** What is known of a request that was refused as nobody's: it tells the owner of a credential what went wrong with it. */
export interface Sighting {
  /** A credential that has ended. */
  ended: { readonly credentialId: string; readonly companyId: string } | null
  /** The first characters of a key that is none: enough to tell whose it was meant to be, and too little to guess the rest. */
  keyStart: string | null
}
