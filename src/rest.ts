import { createHash } from 'node:crypto'
import { failure } from './errors/index.ts'
import type { Exchange } from './exchange.ts'
import type { Authenticate, Claim } from './keys/authenticate.ts'
import type { Caller } from './keys/caller.ts'
import { permit } from './keys/permit.ts'
import { allow, isRead, type Method, methods } from './methods.ts'
import { makePlan } from './plan/make-plan.ts'
import { type BodyLimits, parseBody } from './request/parse-body.ts'
import { type ApiRequest, parseRequest } from './request/parse-request.ts'
import type { Payload } from './request/payload.ts'
import { isCounted } from './request/read-body.ts'
import type { Resource } from './resources/define.ts'
import { findResource } from './resources/index.ts'
import type { Answer } from './response/answer.ts'
import type { Outcome } from './response/outcome.ts'
import { respond } from './response/respond.ts'
import { after, type Soon } from './soon.ts'
import type { Database, Right } from './store/database.ts'
import { execute } from './store/execute.ts'
import { executeOnce, type Once, type Sealed } from './store/execute-once.ts'
import type { Result } from './store/result.ts'
import { createRequestTurns, type RequestTurns } from './traffic/loop-turns.ts'
import { nextTurn } from './traffic/next-turn.ts'
import { createRateLimits, type Rates } from './traffic/rate-limits.ts'

interface Rows {
  readonly db: Database
  readonly limits: BodyLimits & { readonly rowsMax: number | null }
}

export interface RestParts extends Rows {
  readonly authenticate: Authenticate
  readonly rates: Rates & { readonly queueMax: number }
  /** Pass one in to share it with telemetry. */
  readonly turns?: RequestTurns
}

/** Where a request goes: `/rest/v1/<name>?<queryText>`. */
export interface Address {
  readonly name: string
  readonly queryText: string
}

export type Rest = (http: Request, address: Address, exchange: Exchange) => Soon<Answer>

const noPayload: Payload = { text: '', single: false, rows: [] }

/** A request, before it is known who asks. */
interface Arrival extends Address {
  readonly http: Request
  readonly exchange: Exchange
  readonly claim: Claim
  /** As whose it takes turns. */
  readonly who: string
}

/** The API for applications: a credential opens its company. */
export function createRest({ authenticate, rates, turns, ...rows }: RestParts): Rest {
  const { limitArrival, limitFailure, limitCaller } = createRateLimits(rates)
  const { reads, writes } = turns ?? createRequestTurns(rates.queueMax)

  const enter = (_: unknown, arrival: Arrival): Soon<Answer> => after(identify(arrival), serve, arrival)

  const identify = ({ claim, who, exchange }: Arrival): Soon<Caller> => {
    try {
      const caller = authenticate(claim, who, exchange)
      return caller instanceof Promise ? caller.catch((error) => Promise.reject(limitFailure(error, exchange))) : caller
    } catch (error) {
      throw limitFailure(error, exchange)
    }
  }

  const serve = (caller: Caller, { http, name, queryText, exchange, claim }: Arrival): Soon<Answer> => {
    const { companyId } = caller.scope
    exchange.caller = caller
    exchange.companyId = companyId
    limitCaller(caller, exchange)
    const isRead = http.method === 'GET' || http.method === 'HEAD'
    const confirm = () => after(authenticate.confirm(claim.key ?? '', caller), permitStill, isRead)
    const right = companyId === null ? undefined : confirm
    return serveRows(rows, { http, name, queryText, companyId, caller, exchange, right })
  }

  return (http, { name, queryText }, exchange) => {
    const { method } = http
    if (method === 'OPTIONS') return respondToOptions(name)
    limitArrival()
    const claim = authenticate.read(http.headers)
    // The key is no secret: whoever has it alone has none of the turns of its company.
    const who = claim.known && claim.opened ? claim.known.companyId : exchange.lane()
    const takeTurn = method === 'GET' || method === 'HEAD' ? reads : writes
    return after(takeTurn(who), enter, { http, name, queryText, exchange, claim, who })
  }
}

/** A company that was open and is no longer must not look empty to whoever reads it. */
const permitStill = (caller: Caller, isRead: boolean): void => permit(caller, { isRead, isStrict: true })

export interface RowsRequest extends Address {
  readonly http: Request
  /** Whose rows are asked for; null where the request is not scoped to a company. */
  readonly companyId: string | null
  /** Who asks, where that decides what may be done to the rows. */
  readonly caller: Caller | null
  /** Asked again after the body has arrived, after waiting, and before each part of a long list. */
  readonly right?: Right | undefined
  /** Is told when a stage of the request ends. */
  readonly exchange: Pick<Exchange, 'mark'> & Partial<Pick<Exchange, 'startedAt'>>
}

/** Serves every resource and method: what differs between them is data, not code. */
export function serveRows({ db, limits }: Rows, asked: RowsRequest): Soon<Answer> {
  const { http, name, queryText, caller, exchange } = asked
  const resource = findResource(name)
  const method = findMethod(http.method)
  exchange.mark('auth')
  const request = parseRequest(method, queryText, http.headers)
  if (caller) permit(caller, { isRead: isRead(method), isStrict: request.preferences.handling === 'strict' })
  const parsed = { db, asked, request, resource, rowsMax: limits.rowsMax }
  if (isRead(method) || method === 'DELETE') return answerRows(noPayload, parsed)
  return receive(limits, parsed)
}

function receive(limits: BodyLimits, parsed: Parsed): Promise<Answer> {
  const { http, companyId, exchange } = parsed.asked
  const arrivedAt = exchange.startedAt ?? performance.now()
  const hold = isCounted(http.headers) ? (limits.bytes?.hold(companyId ?? '') ?? null) : null
  const answer = parseBody(http, limits, { arrivedAt, hold }).then((payload) => answerReceived(payload, parsed))
  return hold ? answer.finally(() => hold.release()) : answer
}

/** A body may take long to arrive: whether its sender may still write is asked when it is there. */
function answerReceived(payload: Payload, parsed: Parsed): Soon<Answer> {
  const confirmed = parsed.asked.right?.()
  return confirmed ? confirmed.then(() => answerRows(payload, parsed)) : answerRows(payload, parsed)
}

/** A request that is understood, but for its body. */
interface Parsed {
  readonly db: Database
  readonly asked: RowsRequest
  readonly request: ApiRequest
  readonly resource: Resource
  readonly rowsMax: number | null
}

function answerRows(payload: Payload, { db, asked, request, resource, rowsMax }: Parsed): Soon<Answer> {
  const { name, companyId, exchange } = asked
  exchange.mark('parse')
  const plan = makePlan({ request, payload, resource, companyId, rowsMax })
  exchange.mark('plan')
  const planned = { exchange, request, resource, plan, sentOne: payload.single, right: asked.right }
  const once = onceOf(request, name, payload)
  return once ? answerOnce(db, once, planned) : after(execute(db, plan, asked.right), showTo, planned)
}

/** All that an answer is made from, before the store has done its part. */
interface Planned extends Omit<Outcome, 'result'> {
  readonly exchange: RowsRequest['exchange']
  readonly right: Right | undefined
}

/** For so long, a right that was confirmed counts as confirmed. */
const confirmedMs = 1000

/** What took long to read is shown to those alone who still may see it. */
function showTo(result: Result, planned: Planned): Soon<Answer> {
  const { right, plan, exchange } = planned
  const isLate = plan.kind === 'read' && exchange.startedAt && performance.now() - exchange.startedAt > confirmedMs
  return isLate ? after(right?.(), () => answerTo(result, planned), planned) : answerTo(result, planned)
}

function answerTo(result: Result, planned: Planned): Soon<Answer> {
  const answer = respondTo(result, planned)
  const { body } = answer
  const isWhole = planned.plan.kind === 'read' || body === null || typeof body === 'string'
  return isWhole ? answer : inOne(body).then((whole) => ({ ...answer, body: whole }))
}

function respondTo(result: Result, { exchange, request, resource, plan, sentOne }: Planned): Answer {
  exchange.mark('store')
  const answer = respond({ request, resource, plan, result, sentOne })
  exchange.mark('respond')
  return answer
}

/** What a write has done is told, however busy the service is: nothing of it waits for memory any more. */
async function inOne(parts: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const part of parts) {
    whole += part
    await nextTurn()
  }
  return whole
}

/** The same request is the one that asks the same of the same rows with the same body. */
function onceOf({ idempotencyKey, method, queryText }: ApiRequest, name: string, { text }: Payload): Once | null {
  if (idempotencyKey === null) return null
  const fingerprint = createHash('sha256').update([method, name, queryText, text].join('\n')).digest('hex')
  return { key: idempotencyKey, fingerprint }
}

async function answerOnce(db: Database, once: Once, planned: Planned): Promise<Answer> {
  const seal = (result: Result): Sealed => {
    const { status, headers, body } = respondTo(result, planned)
    return { status, headers, body: typeof body === 'string' ? body : null }
  }
  const { answer, isRepeat } = await executeOnce(db, planned.plan, once, seal, planned.right)
  return isRepeat ? { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } } : answer
}

function respondToOptions(name: string): Answer {
  findResource(name)
  return { status: 200, headers: { Allow: allow }, body: null }
}

function findMethod(name: string): Method {
  if (!isMethod(name)) throw failure.methodUnsupported(name, allow)
  return name
}

const isMethod = (name: string): name is Method => (methods as readonly string[]).includes(name)
