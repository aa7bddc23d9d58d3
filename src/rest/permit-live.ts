import { failure } from '../errors/index.ts'
import type { Call } from './call.ts'

interface CompanyNow {
  readonly hasEvents: boolean
  readonly fieldsVersion: number
}

/** A stream is planned once: where events or fields are no longer what they were, its reader has to connect again. */
export function permitLive({ hasEvents, fieldsVersion }: CompanyNow, call: Call): void {
  if (!call.request.representation.isLive) return
  if (!hasEvents) throw failure.eventsOff()
  if (fieldsVersion !== call.fieldsVersion) throw failure.liveUnsupported('fields that have changed')
}
