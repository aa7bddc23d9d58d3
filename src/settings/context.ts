import { failure } from '../errors.ts'
import type { Actor } from '../people/audit.ts'
import type { Mail } from '../people/mail.ts'
import type { Role } from '../people/members.ts'
import type { People } from '../people/people.ts'
import type { BodyLimits } from '../request/parse-body.ts'
import type { Answer } from '../response/answer.ts'
import type { Database } from '../store/database.ts'
import type { RatePolicy } from '../traffic/rate-policy.ts'

/** One request of a signed-in person. Its company comes from the session, never from the request. */
export interface SettingsContext {
  readonly db: Database
  readonly http: Request
  /** The `:id` parts of the path. */
  readonly params: Readonly<Record<string, string>>
  /** Empty texts on a public route. */
  readonly person: { readonly id: string; readonly name: string; readonly email: string }
  readonly sessionId: string
  readonly company: { readonly id: string; readonly name: string; readonly role: Role } | null
  readonly from: { readonly address: string; readonly userAgent: string; readonly requestId: string }
  readonly site: Site
  readonly people: People
  /** The body: a JSON object of at most 64 KiB. */
  json(): Promise<Record<string, unknown>>
}

/** What the pages and handlers need to know of the installation. */
export interface Site {
  readonly baseUrl: string
  readonly version: string
  readonly signup: 'invite' | 'open'
  readonly mail: Mail | null
  readonly limits: BodyLimits & { readonly rowsMax: number | null }
}

export interface SettingsRoute {
  readonly method: string
  readonly path: string
  readonly role: 'public' | 'person' | Role
  /** How often the people of one company may do it. */
  readonly limit?: RatePolicy
  readonly handle: (context: SettingsContext) => Promise<Answer>
}

/** A JSON answer. What a person sees of a company is no cache's business. */
export function ok(json: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(json),
  }
}

export const done: Answer = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }

/** The session's company. Every role but `public` and `person` implies that there is one. */
export function companyOf({ company }: SettingsContext): NonNullable<SettingsContext['company']> {
  if (!company) throw failure.forbidden('Make a company first, or ask to be invited to one.')
  return company
}

/** Who asks, for the audit log. */
export function actorOf({ person, from }: SettingsContext): Actor {
  return { actorId: person.id, actor: person.email, ...from }
}
