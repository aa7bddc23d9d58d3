import type { Mail } from './mail.ts'

export interface PeopleSettings {
  readonly signup: 'invite' | 'open'
  /** Given by the operator, or else made and kept in the database. */
  readonly authSecret: string | null
  readonly mail: Mail | null
  /** Asked when first needed: the port may be known only once the server listens. */
  baseUrl(): string
  /** Told of a message that could not be sent. */
  failed(error: unknown): void
}

export const cookiePrefix = 'project-api'
