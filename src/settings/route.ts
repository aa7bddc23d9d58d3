import { failure } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { cutUserAgent } from '../people/audit.ts'
import type { People } from '../people/people.ts'
import type { Session } from '../people/sessions.ts'
import { type BodyLimits, parseBody } from '../request/parse-body.ts'
import type { Answer } from '../response/answer.ts'
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
import { findRoute } from './find-route.ts'
import { invitationsRoutes } from './invitations.ts'
import { membersRoutes } from './members.ts'
import { overviewRoutes } from './overview.ts'
import { rowsRoutes } from './rows.ts'
import { sessionRoutes } from './session.ts'

/** Everything under /api. */
export const settingsRoutes: readonly SettingsRoute[] = [
  ...authRoutes,
  ...sessionRoutes,
  ...companyRoutes,
  ...membersRoutes,
  ...invitationsRoutes,
  ...accountRoutes,
  ...credentialsRoutes,
  ...overviewRoutes,
  ...activityRoutes,
  ...rowsRoutes,
]

export interface SettingsParts {
  readonly db: Database
  readonly people: People
  /** Asked at each request: the port may be known only once the server listens. */
  site(): Site
  /** Shared with the API for applications, so that both together take turns by company. */
  readonly turns?: RequestTurns
}

export type Settings = (http: Request, path: string, exchange: Exchange) => Promise<Answer>

const bodyBytesMax = 64 * 1024
const ranks = { public: 0, person: 1, viewer: 2, developer: 3, owner: 4 } as const
/** Far more than a person and their open pages ask for. */
const sessionMax: RatePolicy = { requests: 1200, seconds: 60 }
const nobody = { sessionId: '', person: { id: '', name: '', email: '' }, company: null }

/** Who asks, from the session alone; then what they may do; then the handler. */
export function createRouter({ db, people, site }: SettingsParts): Settings {
  const limit = createLimit()
  return async (http, path, exchange) => {
    const { route, params } = findRoute(settingsRoutes, http.method, path)
    exchange.route = route.path
    const known = site()
    checkOrigin(http, known.baseUrl)
    const session = route.role === 'public' ? nobody : await people.findSession(http.headers.get('cookie'))
    if (!session) throw failure.notSignedIn()
    permit(route, session)
    limit(route, session)
    exchange.companyId = session.company?.id ?? null
    exchange.mark('auth')
    const context: SettingsContext = {
      db,
      http,
      params,
      ...session,
      from: {
        address: exchange.address(),
        userAgent: cutUserAgent(http.headers.get('user-agent') ?? ''),
        requestId: exchange.id,
      },
      site: known,
      people,
      json: () => parseObject(http, { ...known.limits, bodyBytesMax }),
    }
    return route.handle(context)
  }
}

function createLimit(): (route: SettingsRoute, session: Pick<Session, 'sessionId' | 'company'>) => void {
  const count = createRateLimit()
  const take = (policy: RatePolicy, who: string): void => {
    const { isAllowed, resetS } = count(policy, who, performance.now())
    if (!isAllowed) throw failure.tooManyAttempts(resetS)
  }
  return ({ path, limit }, { sessionId, company }) => {
    if (sessionId !== nobody.sessionId) take(sessionMax, sessionId)
    if (limit && company) take(limit, `${path} ${company.id}`)
  }
}

function permit({ role }: SettingsRoute, { company }: Pick<Session, 'company'>): void {
  if (ranks[role] <= ranks.person) return
  if (!company) throw failure.forbidden('Make a company first, or ask to be invited to one.')
  if (ranks[company.role] < ranks[role]) throw failure.forbidden(`Ask an owner: this takes the role "${role}".`)
}

async function parseObject(http: Request, limits: BodyLimits): Promise<Record<string, unknown>> {
  const type = http.headers.get('content-type') ?? 'none'
  if (!/^application\/json\s*(;|$)/i.test(type)) throw failure.contentTypeUnsupported(type, 'application/json')
  const { single, rows } = await parseBody(http, limits)
  const [object] = rows
  if (!single || !object) throw failure.settingsBodyInvalid('The body is no JSON object', 'Send one JSON object.')
  return object
}
