import type { Exchange } from '../exchange.ts'
import { ownResources } from '../fields/own-resources.ts'
import type { Caller } from '../keys/caller.ts'
import { permit } from '../keys/permit.ts'
import { isRead } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { type Address, Call, type Rows } from './call.ts'
import type { Entry } from './entry.ts'
import { permitNarrowed, permitPlanned } from './permit-rights.ts'
import { resourcesWithin } from './resources-within.ts'
import { createRunner } from './run-stages.ts'
import {
  confirmReader,
  confirmSender,
  executePlan,
  findTarget,
  makeAnswer,
  parseHead,
  planRows,
  receiveBody,
} from './stages.ts'

/** Someone whose credential opened a company, and who asks for its rows by another protocol than /rest/v1. */
export interface Visit {
  readonly caller: Caller
  readonly rows: Rows
  /** As the company knows them. */
  readonly all: readonly Resource[]
  /** The same, as far as the credential may use them. */
  readonly resources: readonly Resource[]
  /** A request for rows, by the same stages as one to /rest/v1. */
  ask(http: Request, address: Address): Promise<Call>
  /** The visit as its caller may make it now. */
  again(): Promise<Visit>
}

/** Takes a turn and counts as one request of the caller, whatever is asked afterwards. */
export type Enter = (http: Request, exchange: Exchange) => Promise<Visit>

const nowhere: Address = { name: '', queryText: '' }

export function createEnter(rows: Rows, { takeTurn, identify, limit, admit }: Entry): Enter {
  return async (http, exchange) => {
    const entering = new Call(rows, http, nowhere, exchange)
    for (const stage of [takeTurn, identify, limit]) await stage(entering)
    const open = async (): Promise<Visit> => {
      const { caller, claim, fieldsVersion } = entering
      permit(caller, { isRead: true, isStrict: true })
      const { all } = await ownResources(rows.db, caller.companyId, fieldsVersion)
      const ask = async (asked: Request, address: Address): Promise<Call> => {
        const call = new Call(rows, asked, address, exchange)
        call.claim = claim
        admit(caller, call)
        await serveVisit(call)
        return call
      }
      return { caller, rows, all, resources: resourcesWithin(all, caller), ask, again }
    }
    const again = async (): Promise<Visit> => {
      await identify(entering)
      return open()
    }
    return open()
  }
}

const permitMethod = ({ caller, method }: Call): void => permit(caller, { isRead: isRead(method), isStrict: true })

const serveVisit = createRunner([
  ...[findTarget, permitMethod, parseHead, permitNarrowed, receiveBody, confirmSender],
  ...[planRows, permitPlanned, executePlan, confirmReader, makeAnswer],
])
