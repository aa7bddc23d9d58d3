import type { PageAnswer } from './docs/respond-with-page.ts'
import { ApiError, failure } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Usage } from './keys/usage.ts'
import type { Log } from './log.ts'
import { recordUse } from './record-use.ts'
import type { Answer } from './response/answer.ts'
import { respondWithError } from './response/respond-with-error.ts'
import type { Telemetry } from './telemetry/create-telemetry.ts'

/** Where it is written down that a request was answered, and how. */
export interface Ledger {
  readonly log: Log
  readonly usage: Usage
  /** null, or left out: nobody measures. */
  readonly telemetry?: Pick<Telemetry, 'record'> | null
}

/** The answer, on its way. */
export function finish(ledger: Ledger, http: Request, exchange: Exchange, answer: Answer | PageAnswer): Response {
  const { status, body } = answer
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    endRequest(ledger, http, exchange, status)
    return responseOf(exchange, answer, body)
  }
  return responseOf(exchange, answer, loggedStream(ledger, http, exchange, { status, body }))
}

/** What was thrown, as an answer. */
export function finishWithError(ledger: Ledger, http: Request, exchange: Exchange, thrown: unknown): Response {
  const answer = respondWithError(thrown)
  endRequest(ledger, http, exchange, answer.status, answer.error)
  return responseOf(exchange, answer, String(answer.body))
}

/** On every answer, and the same on each: to copy a header takes half as long as to set it. */
const always = new Headers({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' })

function responseOf(
  exchange: Exchange,
  answer: Omit<Answer, 'body'>,
  body: PageAnswer['body'] | ReadableStream,
): Response {
  const { status, headers, cookies } = answer
  const response = new Response(body, { status, headers: always })
  exchange.tell(response.headers)
  for (const name in headers) response.headers.set(name, headers[name] ?? '')
  for (const cookie of cookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

function endRequest(ledger: Ledger, http: Request, exchange: Exchange, status: number, error?: unknown): void {
  const { code, cause } = describe(error)
  recordUse(ledger.usage, http, exchange, { status, code: code ?? null })
  const { id, route, startedAt, caller } = exchange
  const ms = Math.round((performance.now() - startedAt) * 100) / 100
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
  else ledger.log.info('request', fields)
}

/** One of those that clients are told: what the engines call their errors are words without end. */
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
const loggedStream = (ledger: Ledger, http: Request, exchange: Exchange, { status, body }: Streamed): ReadableStream =>
  streamOf(body, (error) => endRequest(ledger, http, exchange, status, error))

interface Streamed {
  readonly status: number
  readonly body: AsyncIterable<string>
}

/** Rows are fetched as fast as the client takes them, and no faster. */
function streamOf(parts: AsyncIterable<string>, ended: (error?: unknown) => void): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]()
  const utf8 = new TextEncoder()
  let isEnded = false
  // A client may leave while a part is fetched for it, which then finds nobody there.
  const end = (error?: unknown): void => {
    if (!isEnded) ended(error)
    isEnded = true
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        // An embedded engine answers without waiting: let others have their turn between two parts.
        await new Promise((resolve) => setImmediate(resolve))
        const { done, value } = await iterator.next()
        if (!done) return controller.enqueue(utf8.encode(value))
        controller.close()
        end()
      } catch (error) {
        end(error)
        // The status is sent already: all that is left is to cut the answer short. Why, only the log is told: the runtime prints this.
        controller.error(new Error('An answer was cut short.'))
      }
    },
    async cancel() {
      end()
      await iterator.return?.()
    },
  })
}
