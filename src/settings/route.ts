import { failure } from '../errors/index.ts'
import type { Exchange } from '../exchange.ts'
import { isRead } from '../methods.ts'
import { cutUserAgent } from '../people/audit.ts'
import type { People } from '../people/people.ts'
import type { Session } from '../people/sessions.ts'
import type { Answer } from '../response/answer.ts'
import { withCoding } from '../response/with-coding.ts'
import type { Database } from '../store/database.ts'
import type { RequestTurns } from '../traffic/loop-turns.ts'
import { createRateLimit } from '../traffic/rate-limit.ts'
import type { RatePolicy } from '../traffic/rate-policy.ts'
import { accountRoutes } from './account.ts'
import { activityRoutes } from './activity.ts'
import { authRoutes } from './auth.ts'
import { checkOrigin } from './check-origin.ts'
import { companyRoutes } from './company.ts'
import type { SettingsContext, SettingsRoute, Site } from './context.ts'
import { credentialsRoutes } from './credentials.ts'
import { devicesRoutes } from './devices.ts'
import { fieldsRoutes } from './fields.ts'
import { findRoute, splitCompany } from './find-route.ts'
import { invitationsRoutes } from './invitations.ts'
import { linksRoutes } from './links.ts'
import { membersRoutes } from './members.ts'
import { openContext } from './open-context.ts'
import { overviewRoutes } from './overview.ts'
import { passkeysRoutes } from './passkeys.ts'
import { requestsRoutes } from './requests.ts'
import { resourcesRoutes } from './resources.ts'
import { rowsRoutes } from './rows.ts'
import { sessionRoutes } from './session.ts'
import { transferRoutes } from './transfer.ts'
import { twoFactorRoutes } from './two-factor.ts'
import { usageRoutes } from './usage.ts'
import { webhooksRoutes } from './webhooks.ts'

/** Everything under /api. */
export const settingsRoutes: readonly SettingsRoute[] = [
  ...authRoutes,
  ...linksRoutes,
  ...sessionRoutes,
  ...companyRoutes,
  ...membersRoutes,
  ...invitationsRoutes,
  ...accountRoutes,
  ...devicesRoutes,
  ...twoFactorRoutes,
  ...passkeysRoutes,
  ...credentialsRoutes,
  ...overviewRoutes,
  ...usageRoutes,
  ...requestsRoutes,
  ...activityRoutes,
  ...fieldsRoutes,
  ...resourcesRoutes,
  ...rowsRoutes,
  ...webhooksRoutes,
  ...transferRoutes,
]

/** Those that can be asked for under /api/c/<company> as well: what they do needs a role in a company. */
const routesInCompany = settingsRoutes.filter(({ role }) => role !== 'public' && role !== 'person')

export interface SettingsParts {
  readonly db: Database
  readonly people: People
  /** Asked at each request: the port may be known only once the server listens. */
  site(): Site
  /** Shared with the API for applications, so that both together take turns by company. */
  readonly turns?: RequestTurns
}

export type Settings = (http: Request, path: string, exchange: Exchange) => Promise<Answer>

/** Far more than a person and their open pages ask for. */
const sessionMax: RatePolicy = { requests: 1200, seconds: 60 }
const nobody: Session = {
  sessionId: '',
  person: { id: '', name: '', email: '', hasTwoFactor: false, signedInByPasskey: false },
  company: null,
}

/** Who asks, by the session; in which company; then what they may do; then their turn; then the handler. */
export function createRouter({ db, people, site, turns }: SettingsParts): Settings {
  const limit = createLimit()
  return async (http, fullPath, exchange) => {
    const { companyId, path } = splitCompany(fullPath)
    const { route, params } = findRoute(companyId === null ? settingsRoutes : routesInCompany, http.method, path)
    exchange.route = route.path
    const known = site()
    checkOrigin(http, known.baseUrl)
    const asked = { cookies: http.headers.get('cookie'), companyId }
    const session = route.role === 'public' ? nobody : await people.findSession(asked)
    if (!session) throw failure.notSignedIn()
    if (companyId !== null && !session.company) throw failure.companyUnknown()
    const context = openContext(
      { db, people, site: known, http, params, session, exchange, from: originOf(http, exchange) },
      route,
    )
    limit(route, session)
    exchange.companyId = session.company?.id ?? null
    exchange.personId = session.person.id || null
    exchange.mark()
    const take = isRead(http.method) ? turns?.reads : turns?.writes
    const turn = take?.(exchange.lane())
    if (turn) {
      await turn
      await context.confirm()
    }
    const answer = await route.handle(context)
    if (!isRead(http.method)) return answer
    // What took long to read is shown to those alone who still may see it.
    if (exchange.hasTakenLong()) await context.confirm()
    // Only answers to POST show secrets, which may not be compressed.
    return withCoding(answer, exchange)
  }
}

const originOf = (http: Request, exchange: Exchange): SettingsContext['from'] => ({
  address: exchange.address(),
  userAgent: cutUserAgent(http.headers.get('user-agent') ?? ''),
  requestId: exchange.id,
})

function createLimit(): (route: SettingsRoute, session: Session) => void {
  const count = createRateLimit()
  const take = (policy: RatePolicy, who: string): void => {
    const { isAllowed, resetS } = count(policy, who, performance.now())
    if (!isAllowed) throw failure.tooManyAttempts(resetS)
  }
  return ({ path, limit, attempts }, { sessionId, person, company }) => {
    if (sessionId !== nobody.sessionId) take(sessionMax, sessionId)
    if (limit && company) take(limit, `${path} ${company.id}`)
    if (attempts) take(attempts, `${path} ${person.id}`)
  }
}
