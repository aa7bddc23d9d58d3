import type { Coding } from '../coding/choose-coding.ts'
import type { Plan } from '../plan/plan.ts'
import type { ApiRequest } from '../request/parse-request.ts'
import type { Payload } from '../request/payload.ts'
import type { Resource } from '../resources/define.ts'
import type { Result } from '../store/result.ts'

/** Everything that an answer is made from. */
export interface Outcome {
  readonly request: ApiRequest
  readonly resource: Resource
  readonly plan: Plan
  readonly result: Result
  /** What was sent. */
  readonly payload: Pick<Payload, 'single'>
  /** How the client wants a long answer to be compressed; null: not at all. */
  coding(): Coding | null
}
