import { failure } from '../errors/index.ts'
import type { EventFeed } from '../events/event-feed.ts'
import type { Live } from '../events/live/create-live.ts'
import type { Exchange } from '../exchange.ts'
import type { Reports } from '../keys/report.ts'
import type { Actor } from '../people/audit.ts'
import type { Whose } from '../people/audit-everywhere.ts'
import type { Mail, Message } from '../people/mail.ts'
import type { People } from '../people/people.ts'
import type { CompanyNow, Need } from '../people/right.ts'
import type { Role } from '../people/roles.ts'
import type { SessionCompany, SignedIn } from '../people/sessions.ts'
import type { BodyLimits } from '../request/parse-body.ts'
import { resources } from '../resources/index.ts'
import type { Answer } from '../response/answer.ts'
import type { Rows, Scope } from '../rest/call.ts'
import type { Database } from '../store/database.ts'
import type { RatePolicy } from '../traffic/rate-policy.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** One request of a signed-in person. Its company is one that they are a member of: named by the path, or chosen by the session. */
export interface SettingsContext {
  /** Each change by it confirms the right to it in its own transaction. */
  readonly db: Database
  /** Without that: for what has to be undone, whatever has become of the right meanwhile. */
  readonly unguarded: Database
  readonly http: Request
  /** The `:id` parts of the path. */
  readonly params: Readonly<Record<string, string>>
  /** Empty texts on a public route. */
  readonly person: SignedIn
  readonly sessionId: string
  readonly company: SessionCompany | null
  readonly exchange: Exchange
  readonly from: { readonly address: string; readonly userAgent: string; readonly requestId: string }
  readonly site: Site
  readonly people: People
  /** The body: a JSON object, of at most 64 KiB unless more is expected. It may have taken long, so the right is confirmed once it is there. */
  json(bytesMax?: number): Promise<Record<string, unknown>>
  /** What the person must still have when the request takes effect; null where nobody has to be signed in. */
  readonly need: Need | null
  /** Throws where the session, or the role that the route needs, has ended since the request began. The company as it is now. */
  confirm(): Promise<CompanyNow | null>
  /** The same request, where it takes a higher role than the route. */
  requiring(role: Role): SettingsContext
}

/** What the pages and handlers need to know of the installation. */
export interface Site {
  readonly baseUrl: string
  readonly version: string
  readonly signup: 'invite' | 'open'
  readonly mail: Mail | null
  /** What people call the provider of sign-ins, where there is one. */
  readonly oidcName: string | null
  /** Sends a message that nobody waits for, where mail is set. */
  notify(message: Message): void
  /** Of one company, that are not revoked. */
  readonly credentialsMax: number
  /** Whether requests are kept. */
  readonly requestLog: boolean
  /** How long, in words. */
  readonly eventsKept: string
  readonly webhooks: Webhooks
  readonly limits: BodyLimits & { readonly rowsMax: number | null }
  readonly feed?: EventFeed | undefined
  readonly live?: Live | undefined
}

export interface SettingsRoute {
  readonly method: string
  readonly path: string
  readonly role: 'public' | 'person' | Role
  /** How often the people of one company may do it. */
  readonly limit?: RatePolicy
  /** How often one person may try it. */
  readonly attempts?: RatePolicy
  /** Whether it changes something even where the company is about to be deleted. */
  readonly worksOnEnding?: true
  readonly handle: (context: SettingsContext) => Promise<Answer>
}

/** For routes that ask for a password or a code. */
export const attemptsMax: RatePolicy = { requests: 10, seconds: 60 }

/** The query of a request, as it was sent. An invalid Host header makes the whole URL invalid. */
export const queryOf = ({ url }: Request): string => url.split('?').slice(1).join('?')

/** A JSON answer. What a person sees of a company is no cache's business. */
export function ok<Document>(json: Document, status = 200): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(json),
  }
}

export const done: Answer = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }

/** The session's company. Every role but `public` and `person` implies that there is one. */
export function companyOf({ company }: SettingsContext): SessionCompany {
  if (!company) throw failure.forbidden('Create a company first, or ask to be invited to one.')
  return company
}

/** The rows of the session's company, on behalf of the person. */
export function rowsOf(context: SettingsContext): Rows & Scope & { readonly companyId: string } {
  const { db, site, person, confirm } = context
  const { id: companyId, fieldsVersion, hasEvents } = companyOf(context)
  return {
    ...{ db, limits: site.limits, feed: site.feed, live: site.live },
    ...{ companyId, fieldsVersion },
    right: async () => void (await confirm()),
    actor: hasEvents ? { kind: 'person', id: person.id } : null,
  }
}

/** What the session's company owns, for questions that may take long to answer: counts, usage, and lists of any length. */
export function reportsOf(context: SettingsContext): Reports {
  const own = context.db.forCompany(companyOf(context).id)
  const { companyId, dialect } = own
  return { companyId, dialect, read: (statement) => own.readReport(reportedTables, statement) }
}

/** Those of a company that may have many rows. */
const reportedTables = [
  ...resources.map(({ name }) => name),
  ...(['credential', 'credential_usage', 'credential_last_use', 'request_latency', 'audit_event'] as const),
]

/** Who asks, for the audit log. */
export function actorOf({ person, from }: SettingsContext): Actor {
  return { actorId: person.id, actor: person.email, ...from }
}

/** Their own account, which they change. */
export const whose = (context: SettingsContext): Whose => ({
  personId: context.person.id,
  email: context.person.email,
  by: actorOf(context),
})
