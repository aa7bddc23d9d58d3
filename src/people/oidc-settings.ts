/** A provider of identities, by OpenID Connect. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What its button says. */
  readonly name: string
}

export const oidcProvider = 'oidc'
