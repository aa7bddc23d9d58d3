import { memoizeText } from './caches/memoize.ts'
import type { Compress } from './coding/create-compress.ts'
import type { PageAnswer } from './docs/respond-with-page.ts'
import { ApiError, failure } from './errors/index.ts'
import type { Exchange } from './exchange.ts'
import { recordUse } from './keys/record-use.ts'
import type { Usage } from './keys/usage.ts'
import type { Log } from './log/log.ts'
import { isRead } from './methods.ts'
import type { RequestLog } from './request-log/create-request-log.ts'
import type { Answer } from './response/answer.ts'
import { respondWithError } from './response/respond-with-error.ts'
import type { Telemetry } from './telemetry/create-telemetry.ts'
import type { ByteBudget, Hold } from './traffic/byte-budget.ts'
import { chunkBytes, type Encoder, memoryOf, type Source, streamParts, streamWhole } from './traffic/paced-stream.ts'

/** Where it is written down that a request was answered, and how. */
export interface Ledger {
  readonly log: Log
  readonly usage: Usage
  /** null, or left out: requests are not kept. */
  readonly requestLog?: Pick<RequestLog, 'record'> | null
  /** null, or left out: nobody measures. */
  readonly telemetry?: Pick<Telemetry, 'record'> | null
  /** Memory for answers until they are sent. */
  readonly bytes: ByteBudget
  /** null, or left out: answers are not compressed. */
  readonly compress?: Compress | null
}

/** The answer, on its way. */
export function finish(
  ledger: Ledger,
  http: Request,
  exchange: Exchange,
  answer: Answer | PageAnswer,
): Response | Promise<Response> {
  const { status, body, error } = answer
  if (body === null || (isWhole(body) && body.length <= chunkBytes && !answer.coding)) {
    exchange.hold?.release()
    endRequest(ledger, http, exchange, status, error)
    return responseOf(exchange, answer, body)
  }
  const hold = exchange.hold ?? ledger.bytes.hold(exchange.lane())
  const encoder = (answer.coding && ledger.compress?.(answer.coding, exchange.lane())) ?? null
  if (isWhole(body)) {
    // A page is in memory once for all; only what is on its way is a copy.
    const bytes = typeof body === 'string' ? memoryOf(body) : chunkBytes
    const used = holdAnswer(hold, http, bytes, encoder)
    endRequest(ledger, http, exchange, status, error)
    return responseOf(exchange, used === encoder ? answer : uncoded(answer), streamWhole(body, hold, used))
  }
  const source = sourceOf(body, answer.partBytes, (error) => endRequest(ledger, http, exchange, status, error))
  return streamParts(source, hold, encoder).then((stream) => responseOf(exchange, answer, stream))
}

type Whole = string | Uint8Array<ArrayBuffer>

const isWhole = (body: Whole | AsyncIterable<string>): body is Whole =>
  typeof body === 'string' || body instanceof Uint8Array

/**
 * A large answer needs memory until its client has taken it. The answer to a write is never refused for that: the write is
 * done, and what it shows was counted before. Where there is none left to compress it, it is sent as it is.
 */
function holdAnswer(hold: Hold, { method }: Request, bytes: number, encoder: Encoder | null): Encoder | null {
  const coded = bytes + (encoder?.bytes ?? 0)
  if (isRead(method)) {
    if (!hold.tryHold(coded)) throw failure.overloaded()
    return encoder
  }
  const isCoded = hold.fits(coded)
  hold.hold(isCoded ? coded : bytes)
  return isCoded ? encoder : null
}

function uncoded({ coding: _, ...answer }: Answer | PageAnswer): Omit<Answer, 'body'> {
  return answer
}

/** What was thrown, as an answer. */
export function finishWithError(ledger: Ledger, http: Request, exchange: Exchange, thrown: unknown): Response {
  const answer = respondWithError(thrown)
  exchange.hold?.release()
  endRequest(ledger, http, exchange, answer.status, answer.error)
  return responseOf(exchange, answer, String(answer.body))
}

const always = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' }

/** The same on many answers: to copy a header takes half as long as to set it. */
const commonHeaders = memoizeText(
  (scope) => new Headers(scope === '' ? always : { ...always, 'Project-Api-Scope': scope }),
)

function responseOf(
  exchange: Exchange,
  answer: Omit<Answer, 'body'>,
  body: PageAnswer['body'] | ReadableStream,
): Response {
  const { status, headers, cookies, coding } = answer
  const response = new Response(body, { status, headers: commonHeaders(exchange.scope() ?? '') })
  const sent = response.headers
  exchange.writeHeaders(sent)
  for (const name in headers) sent.set(name, headers[name] ?? '')
  if (coding) sent.set('Content-Encoding', coding)
  if (cookies) for (const cookie of cookies) sent.append('Set-Cookie', cookie)
  return response
}

function endRequest(ledger: Ledger, http: Request, exchange: Exchange, status: number, error?: unknown): void {
  const { code, cause } = describe(error)
  const { id, route, startedAt, caller } = exchange
  const ms = Math.round((performance.now() - startedAt) * 100) / 100
  const ending = { status, ms, error, code: code ?? null }
  recordUse(ledger.usage, http, exchange, ending)
  ledger.requestLog?.record(http, exchange, ending)
  const traceId = ledger.telemetry?.record({ http, exchange, status, code: knownCode(error), ms })
  const fields = {
    request_id: id,
    method: http.method,
    route,
    status,
    ms,
    company_id: caller?.companyId,
    credential_id: caller?.credentialId,
    code,
    trace_id: traceId,
  }
  if (status >= 500 || cause !== undefined) ledger.log.error('request', { ...fields, cause })
  // Probes come every few seconds, and would hide the requests of clients.
  else if (route.startsWith('/health/')) ledger.log.debug('request', fields)
  else ledger.log.info('request', fields)
}

/** Only codes that clients can see: the engines have too many for a label of metrics. */
const knownCode = (error: unknown): string | null =>
  error === undefined ? null : error instanceof ApiError ? error.code : failure.bug(error).code

function describe(error: unknown): { readonly code?: string; readonly cause?: string } {
  if (error === undefined) return {}
  const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : 'code' in code ? undefined : error
  return cause === undefined
    ? code
    : { ...code, cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }
}

/** A list that is streamed is at its end when its last row is sent, or when the client has gone. */
function sourceOf(parts: AsyncIterable<string>, partBytes: number | undefined, ended: Source['ended']): Source {
  const iterator = parts[Symbol.asyncIterator]()
  return {
    partBytes,
    next: async () => {
      const { done, value } = await iterator.next()
      return done ? null : value
    },
    ended,
    cancel: () => iterator.return?.(),
  }
}
