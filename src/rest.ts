import { failure } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Authenticate } from './keys/authenticate.ts'
import { permit } from './keys/permit.ts'
import { makePlan } from './plan/make-plan.ts'
import { type Payload, parseBody } from './request/parse-body.ts'
import { isRead, type Method, methods, parseRequest } from './request/parse-request.ts'
import { findResource } from './resources/index.ts'
import type { Answer } from './response/answer.ts'
import { respond } from './response/respond.ts'
import type { Database } from './store/database.ts'
import { execute } from './store/execute.ts'

export interface RestParts {
  readonly db: Database
  readonly authenticate: Authenticate
  readonly limits: { readonly rowsMax: number | null; readonly bodyBytesMax: number }
}

/** Where a request goes: `/rest/v1/<name>?<queryText>`. */
export interface Address {
  readonly name: string
  readonly queryText: string
}

export type Rest = (http: Request, address: Address, exchange: Exchange) => Promise<Answer>

const allow = ['OPTIONS', ...methods].join(',')
const noPayload: Payload = { single: false, rows: [] }

/** Serves every resource and method: what differs between them is data, not code. */
export function createRest({ db, authenticate, limits }: RestParts): Rest {
  return async (http, { name, queryText }, exchange) => {
    if (http.method === 'OPTIONS') return respondToOptions(name)
    const caller = await authenticate(http.headers)
    exchange.caller = caller
    const resource = findResource(name)
    const method = findMethod(http.method)
    exchange.mark('auth')
    const request = parseRequest(method, queryText, http.headers)
    permit(caller, { isRead: isRead(method), isStrict: request.preferences.handling === 'strict' })
    const payload = isRead(method) || method === 'DELETE' ? noPayload : await parseBody(http, limits.bodyBytesMax)
    exchange.mark('parse')
    const plan = makePlan({ request, payload, resource, companyId: caller.scope.companyId, rowsMax: limits.rowsMax })
    exchange.mark('plan')
    const result = await execute(db, plan)
    exchange.mark('store')
    const answer = respond({ request, resource, plan, result, sentOne: payload.single })
    exchange.mark('respond')
    return answer
  }
}

function respondToOptions(name: string): Answer {
  findResource(name)
  return { status: 200, headers: { Allow: allow }, body: null }
}

function findMethod(name: string): Method {
  const method = methods.find((known) => known === name)
  if (!method) throw failure.methodUnsupported(name, allow)
  return method
}
