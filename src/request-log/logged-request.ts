import { ApiError, failure } from '../errors/index.ts'
import type { Exchange } from '../exchange.ts'
import { type Ending, outcomeOf } from '../keys/record-use.ts'
import type { Outcome } from '../keys/tally.ts'
import { scrub } from '../log/scrub.ts'
import { hasBody } from '../methods.ts'
import { cleanPath } from './clean-path.ts'

/** An answered request, as its company sees it. It has no secret, no body and no long value. */
export interface LoggedRequest {
  /** The X-Request-Id of the answer. */
  readonly id: string
  readonly at: number
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly outcome: Outcome
  readonly status: number
  readonly ms: number
  readonly code: string | null
  readonly message: string | null
  readonly hint: string | null
  readonly address: string | null
  readonly userAgent: string | null
}

const methodMax = 20
const textMax = 200
const hintMax = 500

export function makeLoggedRequest(http: Request, exchange: Exchange, ending: Ending): LoggedRequest {
  const { status, ms, error } = ending
  const outcome = outcomeOf(exchange, ending)
  const told = toldOf(outcome, error)
  const scope = exchange.caller?.scope
  const agent = http.headers.get('user-agent')
  return {
    id: exchange.id,
    at: Date.now(),
    method: http.method.slice(0, methodMax),
    path: cleanPath(http.url),
    outcome,
    status,
    ms,
    // The reason why it is not scoped to a company says more than the status.
    code: outcome === 'not_scoped' && scope?.companyId === null ? scope.reason : (told?.code ?? null),
    // The message of an error may quote what was sent, and a body is never kept. A hint quotes no values.
    message: told && !hasBody(http.method) ? cleanText(told.message, textMax) : null,
    hint: told?.more.hint ? cleanText(told.more.hint, hintMax) : null,
    address: exchange.address() || null,
    userAgent: agent && cleanText(agent, textMax),
  }
}

/** A read without its secret is answered with no rows and no error; its company is told why. */
function toldOf(outcome: Outcome, error: unknown): ApiError | null {
  if (error !== undefined) return error instanceof ApiError ? error : failure.bug(error)
  return outcome === 'not_scoped' ? failure.notScoped() : null
}

const cleanText = (text: string, most: number): string => scrub(text).slice(0, most).toWellFormed().replaceAll('\0', '')
