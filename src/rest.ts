import type { Exchange } from './exchange.ts'
import type { Authenticate } from './keys/authenticate.ts'
import type { Caller } from './keys/caller.ts'
import { permit } from './keys/permit.ts'
import { allow, isRead } from './methods.ts'
import { findResource } from './resources/index.ts'
import type { Answer } from './response/answer.ts'
import { type Address, Call, type Rows } from './rest/call.ts'
import { createRunner, type Stage, timed } from './rest/run-stages.ts'
import {
  confirmReader,
  confirmSender,
  executePlan,
  findTarget,
  makeAnswer,
  parseHead,
  planRows,
  receiveBody,
} from './rest/stages.ts'
import { after, type Soon } from './store/soon.ts'
import { createRequestTurns, type RequestTurns } from './traffic/loop-turns.ts'
import { createRateLimits, type Rates } from './traffic/rate-limits.ts'

export interface RestParts extends Rows {
  readonly authenticate: Authenticate
  readonly rates: Rates & { readonly queueMax: number }
  /** Pass one in to share it with telemetry. */
  readonly turns?: RequestTurns
}

export type Rest = (http: Request, address: Address, exchange: Exchange) => Soon<Answer>

/** The API for applications: a credential opens its company. What differs between resources and methods is data, not code. */
export function createRest(parts: RestParts): Rest {
  const { takeTurn, identify, limit } = createEntry(parts)
  const run = createRunner(
    timed({
      auth: [takeTurn, identify, limit, findTarget],
      parse: [parseHead, permitCaller, receiveBody, confirmSender],
      plan: [planRows],
      store: [executePlan, confirmReader],
      respond: [makeAnswer],
    }),
  )
  return (http, address, exchange) =>
    http.method === 'OPTIONS' ? respondToOptions(address) : run(new Call(parts, http, address, exchange))
}

/** The same rows for signed-in people. Who they are, and that their role allows the method, is known before. */
export const serveRows = createRunner([
  ...[findTarget, parseHead, receiveBody, confirmSender],
  ...[planRows, executePlan, confirmReader, makeAnswer],
])

/** The stages that find out who asks, by a key and a secret. */
function createEntry({ authenticate, rates, turns }: RestParts): Record<'takeTurn' | 'identify' | 'limit', Stage> {
  const { limitArrival, limitFailure, limitCaller } = createRateLimits(rates)
  const { reads, writes } = turns ?? createRequestTurns(rates.queueMax)

  const admit = (caller: Caller, call: Call): void => {
    const { companyId } = caller.scope
    call.caller = caller
    call.companyId = companyId
    call.exchange.caller = caller
    call.exchange.companyId = companyId
    if (companyId !== null) call.right = () => confirm(call)
  }

  const confirm = ({ claim, caller, method }: Call): Soon<void> =>
    after(authenticate.confirm(claim.key ?? '', caller), permitStill, isRead(method))

  const refuse = (error: unknown, { exchange }: Call): never => {
    throw limitFailure(error, exchange)
  }

  return {
    takeTurn: (call) => {
      limitArrival()
      const { http, exchange } = call
      const claim = authenticate.read(http.headers)
      call.claim = claim
      // The key is no secret: whoever has it alone has none of the turns of its company.
      call.who = claim.known && claim.opened ? claim.known.companyId : exchange.lane()
      const take = http.method === 'GET' || http.method === 'HEAD' ? reads : writes
      return take(call.who) ?? undefined
    },
    identify: (call) => {
      try {
        const caller = authenticate(call.claim, call.who, call.exchange)
        if (!(caller instanceof Promise)) return admit(caller, call)
        return caller.then(
          (found) => admit(found, call),
          (error) => refuse(error, call),
        )
      } catch (error) {
        refuse(error, call)
      }
    },
    limit: ({ caller, exchange }) => limitCaller(caller, exchange),
  }
}

const permitCaller = ({ caller, method, request }: Call): void =>
  permit(caller, { isRead: isRead(method), isStrict: request.preferences.handling === 'strict' })

/** A company that was open and is no longer must not look empty to whoever reads it. */
const permitStill = (caller: Caller, isRead: boolean): void => permit(caller, { isRead, isStrict: true })

function respondToOptions({ name }: Address): Answer {
  findResource(name)
  return { status: 200, headers: { Allow: allow }, body: null }
}
