import type { CompanyStore } from '../../store/database.ts'
import { type Endpoint, secretsOf } from '../endpoint.ts'
import { readEndpoint } from '../endpoints.ts'
import type { Seal } from '../seal.ts'

/** Where a message goes, and what it is signed with. */
export interface Target {
  readonly url: string
  readonly secrets: readonly string[]
}

/** null: nothing more is sent. */
export type FindTarget = () => Promise<Target | null>

/** For how long an endpoint is taken to be as it was read. */
const freshMs = 1000

/** Where to send to now: an endpoint may be changed, disabled or deleted while it is sent to. */
export function followTarget(own: CompanyStore, seal: Seal, found: Endpoint): FindTarget {
  const targetOf = (endpoint: Endpoint | null): Target | null =>
    endpoint === null || endpoint.disabledAt !== null
      ? null
      : { url: endpoint.url, secrets: secretsOf(seal, endpoint, new Date()) }
  let target = Promise.resolve(targetOf(found))
  let readAt = performance.now()
  return () => {
    if (performance.now() - readAt > freshMs) {
      readAt = performance.now()
      target = readEndpoint(own, found.id).then(targetOf)
    }
    return target
  }
}
