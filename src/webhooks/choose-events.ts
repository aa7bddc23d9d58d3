import { memoize, memoizeText } from '../caches/memoize.ts'
import { ApiError, failure } from '../errors/index.ts'
import { filterOf } from '../plan/evaluate.ts'
import { knownRow, parseRow } from '../plan/known-row.ts'
import type { Narrowed, Values } from '../plan/plan.ts'
import { checkValues, findRelative, planQuery } from '../plan/plan-query.ts'
import { parseQuery } from '../request/parse-query.ts'
import type { Resource } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { changeKinds } from '../store/events/change-kinds.ts'
import type { StoredEvent } from '../store/events/read-events.ts'
import { isLongFilter } from '../store/filter-work.ts'

/** Which events an endpoint is sent. */
export interface Choice {
  /** null: all. */
  readonly types: readonly string[] | null
  /** A condition on the row of an event, as in the query of a URL: `project_name=like.A*`. Empty: none. */
  readonly filter: string
}

/** Those whose changes are told. */
const watched = (known: readonly Resource[]): readonly Resource[] => known.filter(({ isReadOnly }) => !isReadOnly)

export const eventTypes: readonly string[] = watched(resources).flatMap(({ name }) =>
  changeKinds.map((kind) => `${name}.${kind}`),
)

/** A list of event types, or null for all. */
export function parseTypes(value: unknown): readonly string[] | null {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return null
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  const unknown = types.find((type) => !eventTypes.some((known) => known === type))
  if (unknown !== undefined)
    throw failure.settingsBodyInvalid('"types" has no event type', `Send some of ${eventTypes.join(', ')}.`)
  return eventTypes.filter((type) => types.includes(type))
}

const filterLengthMax = 2000
const columnUnknownCode = '42703'

/** Refuses a condition that no row of the chosen types could ever be asked. `known`: with the company's own columns. */
export function parseFilter(value: unknown, types: Choice['types'], known: readonly Resource[]): string {
  const text = typeof value === 'string' ? value.trim().replace(/^\?/, '') : ''
  if (value !== null && value !== undefined && typeof value !== 'string')
    throw failure.settingsBodyInvalid('"filter" is no text', 'Write it as in a URL: project_name=like.A*')
  if (text === '') return ''
  if (text.length > filterLengthMax || text.includes('\0') || !text.isWellFormed())
    throw failure.settingsBodyInvalid(
      `"filter" is longer than ${filterLengthMax} characters, or no text`,
      'Shorten it.',
    )
  // A query ignores such a part, and then every row would be sent.
  const noCondition = text.split('&').find((part) => !part.includes('='))
  if (noCondition !== undefined)
    throw failure.settingsBodyInvalid(
      `"filter" has "${noCondition}", which is no condition`,
      'Write each condition as in a URL, with & between them: project_name=like.A*&created_at=gte.2027-01-31',
    )
  const found = chosenBy(types, known).map((resource) => planOrProblem(resource, text))
  const plans = found.filter((one) => 'rows' in one)
  if (plans.some(isSlow))
    throw failure.settingsBodyInvalid(
      '"filter" takes too long to compare with each row',
      'Send one regular expression at most, shorter values, or fewer conditions.',
    )
  if (plans.length > 0) return text
  const problems = found.filter((one) => one instanceof ApiError)
  // A resource that has the columns knows best what is wrong.
  throw problems.find(({ code }) => code !== columnUnknownCode) ?? problems[0]
}

const chosenBy = (types: Choice['types'], known: readonly Resource[]): readonly Resource[] =>
  watched(known).filter(({ name }) => types?.some((type) => type.startsWith(`${name}.`)) ?? true)

interface Planned {
  readonly rows: Narrowed
  readonly values: Values
}

const isSlow = ({ rows, values }: Planned): boolean => isLongFilter(rows, values)

function planOrProblem(resource: Resource, text: string): Planned | ApiError {
  try {
    return planOn(resource, text)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** What a query has beside conditions. */
const others = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'])

function planOn(resource: Resource, text: string): Planned {
  const query = parseQuery(text)
  const other = query.pairs.find(([name]) => others.has(name))
  if (other)
    throw failure.settingsBodyInvalid(`"filter" has "${other[0]}"`, 'Send conditions only: project_name=like.A*')
  const planned = planQuery(query, resource, { rowsMax: null, isZoned: false })
  const relative = findRelative(planned.comparisons, query.values)
  if (relative !== null)
    throw failure.settingsBodyInvalid(
      `"filter" has "${relative}", which is another time at each event`,
      'Compare with a fixed time, such as 2027-01-31T12:00:00Z.',
    )
  return { rows: planned.rows, values: checkValues(planned, query.values, { companyId: '', timezone: undefined }) }
}

/** Whether an event is sent. A row without a column that the condition names does not meet it. */
export function isChosen({ types, filter }: Choice, event: StoredEvent, known: readonly Resource[]): boolean {
  if (types !== null && !types.includes(event.type)) return false
  if (filter === '') return true
  const resource = known.find(({ name }) => name === event.resource)
  const condition = resource && conditionsOf(known)(filter).get(resource)
  return condition ? condition.isMetBy(knownRow(resource, parseRow(event.row))) : false
}

/** Whether a condition takes too long to compare with each row, because its company has other fields than when it was accepted. */
export const hasSlowFilter = ({ types, filter }: Choice, known: readonly Resource[]): boolean =>
  filter !== '' && chosenBy(types, known).some((resource) => conditionsOf(known)(filter).get(resource)?.isSlow)

interface RowCondition {
  readonly isMetBy: ReturnType<typeof filterOf>
  readonly isSlow: boolean
}

/** By the resources that it can be asked of. */
const conditionsOf = memoize((known: readonly Resource[]) =>
  memoizeText((filter) => {
    const conditions = new Map<Resource, RowCondition>()
    for (const resource of watched(known)) {
      const planned = planOrProblem(resource, filter)
      if (planned instanceof ApiError) continue
      conditions.set(resource, { isMetBy: filterOf(planned.rows.where, planned.values), isSlow: isSlow(planned) })
    }
    return conditions
  }, conditionsMax),
)

const conditionsMax = 1000
