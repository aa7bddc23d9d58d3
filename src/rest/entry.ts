import type { Authenticate } from '../keys/authenticate.ts'
import type { Caller } from '../keys/caller.ts'
import { permit } from '../keys/permit.ts'
import { permitAddress } from '../keys/rights.ts'
import { isRead } from '../methods.ts'
import type { Right } from '../store/database.ts'
import { after, type Soon } from '../store/soon.ts'
import { createRequestTurns, type RequestTurns } from '../traffic/loop-turns.ts'
import { createRateLimits, type Rates } from '../traffic/rate-limits.ts'
import type { Call } from './call.ts'
import { permitLive } from './permit-live.ts'
import { permitAgain } from './permit-rights.ts'
import type { Stage } from './run-stages.ts'

export interface EntryParts {
  readonly authenticate: Authenticate
  readonly rates: Rates & { readonly queueMax: number }
  /** Pass one in to share it with telemetry. */
  readonly turns?: RequestTurns
}

/** The stages that find out who asks, by a key and a secret. */
export interface Entry extends Readonly<Record<'takeTurn' | 'identify' | 'limit', Stage>> {
  /** Makes the caller of one call the caller of another one. */
  admit(caller: Caller, call: Call): void
}

export function createEntry({ authenticate, rates, turns }: EntryParts): Entry {
  const { limitArrival, limitFailure, limitCaller } = createRateLimits(rates)
  const { reads, writes } = turns ?? createRequestTurns(rates.queueMax)

  const admit = (caller: Caller, call: Call): void => {
    const { companyId } = caller.scope
    const { fieldsVersion, actor } = caller
    call.caller = caller
    const right: Right = (readMsMax) => confirm(call, readMsMax)
    call.enter({ companyId, fieldsVersion, actor, right: companyId === null ? undefined : right })
    call.exchange.caller = caller
    call.exchange.companyId = companyId
    permitSender(caller, call)
  }

  const confirm = (call: Call, readMsMax: number | undefined): Soon<void> =>
    after(authenticate.confirm(call.claim.key ?? '', call.caller, readMsMax), permitStill, call)

  const refuse = (error: unknown, { exchange }: Call): never => {
    throw limitFailure(error, exchange)
  }

  return {
    admit,
    takeTurn: (call) => {
      limitArrival()
      const { http, exchange } = call
      const claim = authenticate.read(http.headers)
      call.claim = claim
      // The key is no secret: whoever has it alone has none of the turns of its company.
      call.who = claim.known && claim.opened ? claim.known.companyId : exchange.lane()
      const take = isRead(http.method) ? reads : writes
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

/** A company that was open and is no longer must not look empty to whoever reads it. */
function permitStill(caller: Caller, call: Call): void {
  call.caller = caller
  permitSender(caller, call)
  permit(caller, { isRead: isRead(call.method), isStrict: true })
  permitAgain(call)
  permitLive({ hasEvents: caller.actor !== null, fieldsVersion: caller.fieldsVersion }, call)
}

function permitSender({ rights }: Caller, { exchange }: Call): void {
  if (rights !== null) permitAddress(rights, exchange.address())
}
