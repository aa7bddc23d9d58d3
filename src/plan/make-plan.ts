import { isRead } from '../methods.ts'
import type { ApiRequest } from '../request/parse-request.ts'
import type { Payload } from '../request/payload.ts'
import { isOtherZone } from '../request/preferences.ts'
import { rowCharactersMax } from '../request/row-limits.ts'
import type { Resource } from '../resources/define.ts'
import { nowText } from '../types/timestamp-text.ts'
import type { EventActor, Plan, ReadPlan } from './plan.ts'
import { checkValues, forNewRows, planQuery } from './plan-query.ts'
import { limited } from './plan-read.ts'
import { planDelete, planInsert, planInsertInSteps, planUpdate, refuseForeignPut, type Target } from './plan-write.ts'

export interface Question {
  readonly request: ApiRequest
  /** Of a POST, PUT or PATCH. */
  readonly payload: Payload
  readonly resource: Resource
  /** null where the request is not scoped to a company. */
  readonly companyId: string | null
  /** Of events about what is written; null: there are none. */
  readonly actor: EventActor | null
  readonly rowsMax: number | null
}

/**
 * What was asked → what will be done. Every name and value is checked here, so that the store only meets sound plans.
 * Where there is no company there are no rows, and nothing is looked at: whoever has a key alone must not cause work.
 */
export function makePlan({ request, payload, resource, companyId, actor, rowsMax }: Question): Plan {
  if (companyId === null) return { kind: 'nothing', single: wantsOne(request) }
  const read = planRead({ request, resource, companyId, rowsMax })
  if (isRead(request.method)) return read
  const target: Target = { request, read, actor, now: nowText() }
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

/** A plan that takes long to make; null where it does not. Others have their turn between its steps. */
export function planInSteps(question: Question): Generator<undefined, Plan> | null {
  const { request, payload, resource, companyId, actor, rowsMax } = question
  if (request.method !== 'POST' || companyId === null || !isLong(payload, resource)) return null
  const read = planRead({ request, resource, companyId, rowsMax })
  return planInsertInSteps({ request, read, actor, now: nowText() }, payload)
}

/** So many are checked in a few milliseconds. */
const valuesMax = 5000

const isLong = ({ text, rows }: Payload, { columns }: Resource): boolean =>
  rows.length * columns.size >= valuesMax || text.length > rowCharactersMax

interface ReadQuestion extends Omit<Question, 'payload' | 'actor'> {
  readonly companyId: string
}

function planRead({ request, resource, companyId, rowsMax }: ReadQuestion): ReadPlan {
  const { method, preferences } = request
  const { timezone } = preferences
  const most = isRead(method) ? rowsMax : null
  const query = method === 'POST' ? forNewRows(request.query) : request.query
  const planned = planQuery(query, resource, { rowsMax: most, isZoned: isOtherZone(timezone) })
  const { where, selection, order } = planned.rows
  return {
    kind: 'read',
    resource,
    where,
    selection,
    order,
    range: limited(request.range, most),
    values: checkValues(planned, query.values, { companyId, timezone }),
    shared: planned.rows,
    counted: preferences.count !== undefined,
    single: wantsOne(request),
  }
}

const wantsOne = ({ representation }: ApiRequest): boolean => representation.shape === 'object'
