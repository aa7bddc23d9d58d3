import type { Mail } from './mail.ts'
import type { OidcSettings } from './oidc-settings.ts'

export interface PeopleSettings {
  readonly signup: 'invite' | 'open'
  /** Set by the operator; otherwise generated and stored in the database. */
  readonly authSecret: string | null
  readonly mail: Mail | null
  readonly oidc: OidcSettings | null
  /** A function, because the port may be unknown until the server listens. */
  baseUrl(): string
  /** Called if a message could not be sent, or a sign-in not be recorded. */
  failed(error: unknown, what?: 'mail' | 'sign_in'): void
}

export const cookiePrefix = 'project-api'
