/** Who asks: a credential, and the company that its secret opened, if it did. */
export interface Caller {
  readonly credentialId: string
  /** The company that the credential belongs to, for the log. Rows go by `scope`. */
  readonly companyId: string
  readonly access: 'read' | 'read-write'
  readonly scope: Scope
  /** A secret came from a browser, where everyone can read it. */
  readonly isExposed: boolean
}

export type Scope =
  | { readonly companyId: string }
  | { readonly companyId: null; readonly reason: 'secret_missing' | 'secret_mismatch' }
