import { createPages, isDescription, type Page, type Pages } from './docs/pages.ts'
import { keepPage, type PageAnswer, respondWithPage, streamPage, type Turn } from './docs/respond-with-page.ts'
import { ApiError, failure } from './errors/index.ts'
import { Exchange } from './exchange.ts'
import { finish, finishWithError, type Ledger } from './finish.ts'
import { respondLive, respondReady } from './health.ts'
import { createMcp } from './mcp/create-mcp.ts'
import { ignoresBody } from './methods.ts'
import { findResource, hasResource } from './resources/index.ts'
import type { Answer } from './response/answer.ts'
import type { Address } from './rest/call.ts'
import { restPath, splitUrl, type Target } from './rest/split-url.ts'
import type { Rest } from './rest.ts'
import type { Settings } from './settings/route.ts'
import { withBrowserHeaders } from './site/browser-headers.ts'
import { findWebFile, respondWithUnknown, type WebFile } from './site/web-files.ts'
import type { Database } from './store/database.ts'
import { after, type Soon } from './store/soon.ts'
import type { Peer } from './traffic/client-address.ts'
import { discardBody } from './traffic/discard-body.ts'
import { createLoopTurns, type TakeTurn } from './traffic/loop-turns.ts'
import { nextTurn } from './traffic/next-turn.ts'
import { noteGarbage } from './traffic/note-garbage.ts'

export interface AppParts extends Ledger {
  readonly db: Database
  readonly rest: Rest
  readonly settings: Settings
  /** How many proxies in front tell where requests come from. */
  readonly trustedProxies: number
  /** Whether people reach the service over https alone. */
  readonly isHttps: boolean
  /** From where clients reach the service, where that is known. */
  readonly baseUrl: string | null
}

export type App = (http: Request, peer: Peer) => Soon<Response>

export interface WholeApp extends App {
  /** Makes the pages for everybody, so that no request has to wait while one is made. */
  prepare(): Promise<void>
}

/** Every route, in the order in which a request meets them. */
export function createApp(parts: AppParts): WholeApp {
  const openTurns = createLoopTurns(openWaitingMax, () => false, openInTurn)
  const mcp = createMcp(parts.rest)
  const partTurns = createLoopTurns(openWaitingMax, () => false)
  const pages = createPages(parts.baseUrl)
  const openParts = { ...parts, partTurns, pages }
  const route = (http: Request, exchange: Exchange): Soon<Answer | PageAnswer> => {
    const target = splitUrl(http.url)
    const { path, name } = target
    if (ignoresBody(http.method)) discardBody(http)
    if (name !== '' && http.method !== 'OPTIONS') return answerRest(parts, http, target, exchange)
    if (path.startsWith('/api/')) return parts.settings(http, path, exchange)
    if (path === mcpPath && http.method === 'POST') {
      exchange.route = mcpPath
      return mcp(http, exchange)
    }
    discardBody(http)
    const turn = openTurns(path.startsWith('/health/') ? 'health' : exchange.lane())
    return after(turn, () => answerOpen(openParts, http, target, exchange), null)
  }

  const compresses = (parts.compress ?? null) !== null

  const shown = (response: Response, { route }: Exchange): Response =>
    route === restRoute ? response : withBrowserHeaders(response, parts.isHttps)

  const succeed = (http: Request, exchange: Exchange, answer: Answer | PageAnswer): Soon<Response> =>
    after(finish(parts, http, exchange, answer), shown, exchange)

  const fail = (http: Request, exchange: Exchange, error: unknown): Response =>
    shown(finishWithError(parts, http, exchange, error), exchange)

  const finishLater = async (http: Request, exchange: Exchange, answer: Promise<Answer | PageAnswer>) => {
    try {
      return await succeed(http, exchange, await answer)
    } catch (error) {
      return fail(http, exchange, error)
    }
  }

  const answer: App = (http, peer) => {
    const exchange = new Exchange(http, peer, parts.trustedProxies, compresses)
    try {
      parts.db.freshen?.()
      const found = route(http, exchange)
      if (found instanceof Promise) return finishLater(http, exchange, found)
      const response = succeed(http, exchange, found)
      return response instanceof Promise ? response.catch((error: unknown) => fail(http, exchange, error)) : response
    } catch (error) {
      return fail(http, exchange, error)
    }
  }

  const prepare = async (): Promise<void> => {
    for (const page of pages.shared) await keepPage(page, nextTurn)
  }

  return Object.assign(answer, { prepare })
}

const restRoute = `${restPath}:resource`
const mcpPath = '/mcp'

/** Requests that need no authentication: one connection can send thousands at once, so this many start in a turn of the event loop. */
const openInTurn = 8
const openWaitingMax = 1000

interface OpenParts extends AppParts {
  readonly pages: Pages
  /** Of the pages that are made. */
  readonly partTurns: TakeTurn
}

function answerOpen(parts: OpenParts, http: Request, target: Target, exchange: Exchange): Soon<Answer | PageAnswer> {
  const { path, name } = target
  if (name !== '') return answerRest(parts, http, target, exchange)
  refuseRowPath(path)
  if (path.startsWith('/rest/v1/rpc/')) throw failure.functionMissing(path.slice('/rest/v1/rpc/'.length))
  exchange.route = path
  // Sessions and event streams, which the other methods are for, do not exist here.
  if (path === mcpPath) throw failure.methodUnsupported(http.method, 'POST')
  if (path === '/health/live') return respondLive(http)
  if (path === '/health/ready') return respondReady(http, parts.db)
  const page = parts.pages.find(path)
  if (page && isDescription(path) && http.headers.has('apikey')) return describeToCompany(parts, http, page, exchange)
  if (page) return respondWithPage(http, page, turnOf(parts, exchange))
  const webFile = findWebFile(path)
  if (webFile) return answerWeb(webFile, http, exchange)
  exchange.route = 'unknown'
  return respondWithUnknown(http, path)
}

/** The objects that a text is made of take several times its memory. */
const objectsTimes = 4

function turnOf({ partTurns }: OpenParts, exchange: Exchange): Turn {
  return (characters) => {
    noteGarbage(objectsTimes * characters)
    return partTurns(exchange.lane())
  }
}

/** The API as the company of a credential knows it. Without a valid one, the description is that for everybody. */
async function describeToCompany(
  parts: OpenParts,
  http: Request,
  page: Page,
  exchange: Exchange,
): Promise<Answer | PageAnswer> {
  const own = await parts.rest.enter(http, exchange).then(
    ({ resources }) => parts.pages.describe(resources),
    (error) => {
      if (error instanceof ApiError && error.status < 429) return page
      throw error
    },
  )
  const turn = turnOf(parts, exchange)
  return own === page ? respondWithPage(http, page, turn) : streamPage(http, own, { turn, coding: exchange.coding() })
}

/** `/rest/v1/project/17`, as other APIs name a row. */
function refuseRowPath(path: string): void {
  const [name = '', key = '', ...more] = path.startsWith(restPath) ? path.slice(restPath.length).split('/', 3) : []
  if (key === '' || more.length > 0 || !hasResource(name)) return
  throw failure.rowPathUnknown(name, `${findResource(name).primaryKey.name}=eq.${encodeURIComponent(key)}`)
}

function answerRest({ rest }: AppParts, http: Request, address: Address, exchange: Exchange): Soon<Answer> {
  exchange.route = restRoute
  return rest(http, address, exchange)
}

function answerWeb({ route, respond }: WebFile, http: Request, exchange: Exchange): Promise<PageAnswer> {
  exchange.route = route
  return respond(http)
}
