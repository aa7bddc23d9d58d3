import type { Payload } from '../request/parse-body.ts'
import { type ApiRequest, isRead } from '../request/parse-request.ts'
import type { Resource } from '../resources/define.ts'
import { nowText } from '../resources/timestamp.ts'
import type { Plan, ReadPlan } from './plan.ts'
import { planQuery, withValues } from './plan-query.ts'
import { limited } from './plan-read.ts'
import { planDelete, planInsert, planUpdate, refuseForeignPut, type Target } from './plan-write.ts'

export interface Question {
  readonly request: ApiRequest
  /** Of a POST, PUT or PATCH. */
  readonly payload: Payload
  readonly resource: Resource
  /** null where the request is not scoped to a company. */
  readonly companyId: string | null
  readonly rowsMax: number | null
}

/** What was asked → what will be done. Every name and value is checked here, so that the store only meets sound plans. */
export function makePlan(question: Question): Plan {
  const { request, payload } = question
  const read = planQuestion(question)
  if (question.companyId === null) return { kind: 'nothing', single: read.single }
  if (isRead(request.method)) return read
  const target: Target = { request, read: withValues(read), now: nowText() }
  switch (request.method) {
    case 'PUT':
      refuseForeignPut(target, payload)
      return planInsert(target, payload)
    case 'POST':
      return planInsert(target, payload)
    case 'PATCH':
      return planUpdate(target, payload)
    case 'DELETE':
      return planDelete(target)
  }
}

/** No company has this id. It stands in the plan of a request that has none, which is checked but never executed. */
const nobody = '00000000-0000-0000-0000-000000000000'

function planQuestion({ request, resource, companyId, rowsMax }: Question): ReadPlan {
  const most = isRead(request.method) ? rowsMax : null
  const { rows, shape } = planQuery(request.query, resource, most)
  return {
    ...rows,
    range: limited(request.range, most),
    kind: 'read',
    companyId: companyId ?? nobody,
    counted: request.preferences.count !== undefined,
    single: request.representation.shape === 'object',
    shape,
  }
}
