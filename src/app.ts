import { clientAddress } from './client-address.ts'
import { findPage } from './docs/pages.ts'
import { type PageAnswer, respondWithPage } from './docs/respond-with-page.ts'
import { failure } from './errors.ts'
import { Exchange } from './exchange.ts'
import type { Usage } from './keys/usage.ts'
import type { Log } from './log.ts'
import { recordUse } from './record-use.ts'
import type { Answer } from './response/answer.ts'
import { respondWithError } from './response/respond-with-error.ts'
import type { Address, Rest } from './rest.ts'
import type { Settings } from './settings/route.ts'
import type { Database } from './store/database.ts'
import { sql } from './store/sql.ts'
import { findWebFile, type WebFile } from './web-files.ts'

export interface AppParts {
  readonly db: Database
  readonly rest: Rest
  readonly settings: Settings
  readonly log: Log
  /** Whether a proxy in front tells where requests come from. */
  readonly trustProxy: boolean
  readonly usage: Usage
}

/** `peer` is the address of the connection's other end. */
export type App = (http: Request, peer: () => string) => Promise<Response>

/** Every route, in the order in which a request meets them. */
export function createApp(parts: AppParts): App {
  const route = async (http: Request, exchange: Exchange): Promise<Answer | PageAnswer> => {
    const { path, queryText } = splitUrl(http.url)
    const name = restName(path)
    if (name !== null) return answerRest(parts, http, { name, queryText }, exchange)
    if (path.startsWith('/rest/v1/rpc/')) throw failure.functionMissing(path.slice('/rest/v1/rpc/'.length))
    if (path.startsWith('/api/')) return parts.settings(http, path, exchange)
    exchange.route = path
    if (path === '/health/live') return healthy(http)
    if (path === '/health/ready') return ready(http, parts.db)
    const page = findPage(path)
    if (page) return respondWithPage(http, page)
    const webFile = findWebFile(path)
    if (webFile) return answerWeb(webFile, http, exchange)
    exchange.route = 'unknown'
    throw failure.pathUnknown()
  }

  return async (http, peer) => {
    const exchange = new Exchange(() => clientAddress(http.headers, peer(), parts.trustProxy))
    try {
      return finish(parts, http, exchange, await route(http, exchange))
    } catch (error) {
      return finishWithError(parts, http, exchange, error)
    }
  }
}

function answerRest({ rest }: AppParts, http: Request, address: Address, exchange: Exchange): Promise<Answer> {
  exchange.route = '/rest/v1/:resource'
  return rest(http, address, exchange)
}

function answerWeb({ route, respond }: WebFile, http: Request, exchange: Exchange): Promise<PageAnswer> {
  exchange.route = route
  return respond(http)
}

/** `/rest/v1/project` → project */
function restName(path: string): string | null {
  const name = path.startsWith('/rest/v1/') ? path.slice('/rest/v1/'.length) : ''
  return name === '' || name.includes('/') ? null : name
}

/** `http://host/path?query` → its two parts as they were sent. */
function splitUrl(url: string): { readonly path: string; readonly queryText: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const question = url.indexOf('?', start)
  if (question < 0) return { path: url.slice(start), queryText: '' }
  return { path: url.slice(start, question), queryText: url.slice(question + 1) }
}

function healthy({ method }: Request): Answer {
  if (method !== 'GET' && method !== 'HEAD') throw failure.methodUnsupported(method, 'GET,HEAD')
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"status":"ok"}' }
}

/** Only a database that answers is a service that is ready. */
async function ready(http: Request, db: Database): Promise<Answer> {
  await db.read(sql`select number from migration order by number desc limit 1`)
  return healthy(http)
}

function finish(parts: AppParts, http: Request, exchange: Exchange, answer: Answer | PageAnswer): Response {
  const { status, body } = answer
  const all = headersOf(exchange, answer)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    endRequest(parts, http, exchange, status)
    return new Response(body, { status, headers: all })
  }
  return new Response(
    streamOf(body, (error) => endRequest(parts, http, exchange, status, error)),
    { status, headers: all },
  )
}

function headersOf(exchange: Exchange, answer: Answer | PageAnswer): Record<string, string> | Headers {
  const all = { ...exchange.headers(), ...answer.headers }
  if (!('cookies' in answer)) return all
  const headers = new Headers(all)
  for (const cookie of answer.cookies ?? []) headers.append('Set-Cookie', cookie)
  return headers
}

function finishWithError(parts: AppParts, http: Request, exchange: Exchange, thrown: unknown): Response {
  const { status, headers, body, error } = respondWithError(thrown)
  endRequest(parts, http, exchange, status, error)
  return new Response(String(body), {
    status,
    headers: { ...exchange.headers(), ...headers },
  })
}

function endRequest(parts: AppParts, http: Request, exchange: Exchange, status: number, error?: unknown): void {
  const { code, cause } = describe(error)
  recordUse(parts.usage, http, exchange, { status, code: code ?? null })
  const { id, route, startedAt, caller } = exchange
  const ms = Number((performance.now() - startedAt).toFixed(2))
  const fields = {
    request_id: id,
    method: http.method,
    route,
    status,
    ms,
    company_id: caller?.companyId,
    credential_id: caller?.credentialId,
    code,
  }
  if (status >= 500 || cause !== undefined) parts.log.error('request', { ...fields, cause })
  else parts.log.info('request', fields)
}

function describe(error: unknown): { readonly code?: string; readonly cause?: string } {
  if (error === undefined) return {}
  const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : 'code' in code ? undefined : error
  return cause === undefined
    ? code
    : { ...code, cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }
}

/** Rows are fetched as fast as the client takes them, and no faster. */
function streamOf(parts: AsyncIterable<string>, ended: (error?: unknown) => void): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]()
  const utf8 = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        // An embedded engine answers without waiting: let others have their turn between two parts.
        await new Promise((resolve) => setImmediate(resolve))
        const { done, value } = await iterator.next()
        if (!done) return controller.enqueue(utf8.encode(value))
        controller.close()
        ended()
      } catch (error) {
        // The status is sent already: all that is left is to cut the answer short, visibly.
        ended(error)
        controller.error(error)
      }
    },
    async cancel() {
      await iterator.return?.()
      ended()
    },
  })
}
