import type { Exchange } from './exchange.ts'
import { permit } from './keys/permit.ts'
import { allowOf, isRead } from './methods.ts'
import { findResource } from './resources/index.ts'
import type { Answer } from './response/answer.ts'
import { type Address, Call, type Rows } from './rest/call.ts'
import { createEntry, type EntryParts } from './rest/entry.ts'
import { permitNarrowed, permitPlanned } from './rest/permit-rights.ts'
import { createRunner, timed } from './rest/run-stages.ts'
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
import { createEnter, type Enter } from './rest/visit.ts'
import type { Soon } from './store/soon.ts'

interface RestParts extends Rows, EntryParts {}

export interface Rest {
  (http: Request, address: Address, exchange: Exchange): Soon<Answer>
  /** For those who ask by another protocol. */
  readonly enter: Enter
}

/** The API for applications: a credential opens its company. What differs between resources and methods is data, not code. */
export function createRest(parts: RestParts): Rest {
  const entry = createEntry(parts)
  const { takeTurn, identify, limit } = entry
  const run = createRunner(
    timed({
      auth: [takeTurn, identify, limit, findTarget],
      parse: [parseHead, permitCaller, permitNarrowed, receiveBody, confirmSender],
      plan: [planRows, permitPlanned],
      store: [executePlan, confirmReader],
      respond: [makeAnswer],
    }),
  )
  const serve = (http: Request, address: Address, exchange: Exchange): Soon<Answer> =>
    http.method === 'OPTIONS' ? respondToOptions(address) : run(new Call(parts, http, address, exchange))
  return Object.assign(serve, { enter: createEnter(parts, entry) })
}

/** The same rows for signed-in people. Who they are, and that their role allows the method, is known before. */
export const serveRows = createRunner([
  ...[findTarget, parseHead, receiveBody, confirmSender],
  ...[planRows, executePlan, confirmReader, makeAnswer],
])

const permitCaller = ({ caller, method, request }: Call): void =>
  permit(caller, {
    isRead: isRead(method),
    // A stream of nothing would look like one of no changes.
    isStrict: request.preferences.handling === 'strict' || request.representation.isLive === true,
  })

function respondToOptions({ name }: Address): Answer {
  return { status: 200, headers: { Allow: allowOf(findResource(name).methods) }, body: null }
}
