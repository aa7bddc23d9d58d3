import { failure } from '../errors/index.ts'
import type { ApiRequest } from '../request/parse-request.ts'
import type { Payload } from '../request/payload.ts'
import { appliedValue, wantsRows } from '../request/preferences.ts'
import { rowCharactersMax } from '../request/row-limits.ts'
import { type Column, columnsOf, isWritable, type Resource, typeOf } from '../resources/define.ts'
import { generatedValue, validateValue } from '../resources/validate.ts'
import type {
  DeletePlan,
  EventActor,
  InsertPlan,
  NothingPlan,
  ReadPlan,
  Selected,
  SentBack,
  UpdatePlan,
} from './plan.ts'
import { isByKey } from './plan-condition.ts'
import { planStarted } from './plan-started.ts'
import { rowAsWritten } from './row-as-written.ts'
import { type SentColumns, sentColumns } from './sent-columns.ts'

/** What a write needs to know beside its body: the same question as a read asks, and what may undo the write. */
export interface Target {
  readonly request: ApiRequest
  /** The rows to change, and what to show of them. */
  readonly read: ReadPlan
  readonly actor: EventActor | null
  /** The same moment for all rows of a request, however many there are. */
  readonly now: string
}

export function planInsert(target: Target, payload: Payload): InsertPlan | NothingPlan {
  const sent = checkFields(target, payload)
  return withRows(
    target,
    sent,
    payload.rows.map((_, at) => newRow(target, sent, at)),
  )
}

/** Rows that are checked between two steps, and characters of them. */
const [stepRows, stepCharacters] = [200, rowCharactersMax / 2]

/** The same for many rows, or long ones: their values take long to check. */
export function* planInsertInSteps(target: Target, payload: Payload): Generator<undefined, InsertPlan | NothingPlan> {
  const sent = checkFields(target, payload)
  const rows: NewRow[] = []
  let pausedAt = 0
  for (const at of payload.rows.keys()) {
    rows.push(newRow(target, sent, at))
    const start = payload.starts?.[at] ?? 0
    if (rows.length % stepRows !== 0 && start - pausedAt < stepCharacters) continue
    pausedAt = start
    yield
  }
  return withRows(target, sent, rows)
}

type NewRow = InsertPlan['rows'][number]

/** What was sent of new rows. */
interface SentRows {
  readonly named: SentColumns
  readonly columns: readonly Column[]
  readonly payload: Payload
  readonly onlyNew: boolean
}

function checkFields({ request, read: { resource } }: Target, payload: Payload): SentRows {
  // A row that is there already then fails in the engine itself, and not by a look at it beforehand.
  const onlyNew = request.ifNoneMatch?.includes('*') ?? false
  const mayExist = !onlyNew && resolutionOf(request) !== undefined
  const named = sentColumns(resource, sentFields(request, payload), mayExist)
  return { named, columns: columnsOf(resource), payload, onlyNew }
}

function newRow(target: Target, { columns, named, payload }: SentRows, at: number): NewRow {
  const row = rowAsWritten(payload, at, named.asText)
  return columns.map((column, place) => newValue(target, column, named.areSent[place] ?? false, row))
}

function withRows(target: Target, checked: SentRows, rows: readonly NewRow[]): InsertPlan | NothingPlan {
  const { request, read } = target
  const { resource } = read
  const { named, columns, payload, onlyNew } = checked
  if (rows.length === 0) return { kind: 'nothing', single: read.single }
  const conflict = planConflict(request, resource, named.sent)
  if (conflict?.action === 'merge' && hasTwins(rows, columns.indexOf(resource.primaryKey)))
    throw failure.conflictTwice()
  const sentBack = planSentBack(named.sentBack, payload.rows, request.preferences.timezone)
  const kept = onlyNew ? null : conflict
  const started = planStarted(resource, rows)
  const [first] = started
  if (first && kept?.action !== 'merge') throw first.refusal
  return { ...written(target), kind: 'insert', columns, rows, conflict: kept, onlyNew, sentBack, started }
}

const hasTwins = (rows: InsertPlan['rows'], key: number): boolean =>
  new Set(rows.map((row) => row[key])).size < rows.length

/** The fields that count: those that `columns` names, or else the ones that every row has. */
function sentFields({ query }: ApiRequest, { rows, areUnlike }: Payload): string[] {
  if (query.shape.columns) return [...new Set(query.shape.columns)]
  if (areUnlike) {
    throw failure.bodyInvalid(
      'All object keys must match',
      'Give every row the same fields, or name them in "columns".',
    )
  }
  return Object.keys(rows[0] ?? {})
}

/** What a new row has in a column, by what was sent for the row. */
function newValue(
  { request, read, now }: Target,
  column: Column,
  isSent: boolean,
  row: Payload['rows'][number],
): string | null {
  const mayBeAbsent = request.preferences.missing === 'default'
  const isThere = Object.hasOwn(row, column.name)
  const generated = isSent && (isThere || !mayBeAbsent) ? undefined : generatedValue(column, now)
  return (
    generated ?? validateValue(read.resource, column, isThere ? row[column.name] : null, request.preferences.timezone)
  )
}

/** A row may be sent back as it was read: the values that only the server sets are compared, and never written. */
function planSentBack(columns: readonly Column[], rows: Payload['rows'], zone: string | undefined): SentBack | null {
  if (columns.length === 0) return null
  return { columns, rows: rows.map((row) => columns.map((column) => sentBackValue(column, row, zone))) }
}

function sentBackValue(column: Column, row: Payload['rows'][number], zone: string | undefined): string {
  const { name } = column
  const value = Object.hasOwn(row, name) ? row[name] : null
  if (value === null) throw failure.columnNotWritable(name)
  return typeOf(column).parse(value, name, zone)
}

/** What becomes of a row that is there already. */
const resolutionOf = ({ method, preferences }: ApiRequest) =>
  method === 'PUT' ? 'merge-duplicates' : preferences.resolution

function planConflict(request: ApiRequest, resource: Resource, sent: readonly Column[]): InsertPlan['conflict'] {
  const resolution = resolutionOf(request)
  if (!resolution) return null
  const { primaryKey } = resource
  const arbiter = request.query.shape.onConflict ?? [primaryKey.name]
  if (arbiter.length !== 1 || arbiter[0] !== primaryKey.name) throw failure.conflictTargetUnknown(primaryKey.name)
  if (resolution === 'ignore-duplicates') return { action: 'ignore' }
  return { action: 'merge', changes: [...sent.filter((column) => column !== primaryKey), ...touched(resource)] }
}

/** PUT names its row twice, in the URL and in the body, and the two must agree. */
export function refuseForeignPut({ request, read }: Target, payload: Payload): void {
  const { limit, offset } = request.range
  if (limit !== null || offset > 0) throw failure.putRange()
  const [filter, ...others] = read.where
  const { primaryKey } = read.resource
  if (!isByKey(filter, read.resource) || others.length > 0) throw failure.putFilter(primaryKey.name)
  const [row] = payload.rows
  const key =
    row && Object.hasOwn(row, primaryKey.name) ? validateValue(read.resource, primaryKey, row[primaryKey.name]) : null
  if (payload.rows.length !== 1 || key !== read.values[filter.operand.param]) throw failure.putMismatch(primaryKey.name)
}

export function planUpdate(target: Target, payload: Payload): UpdatePlan | NothingPlan {
  const { request, read, now } = target
  const { resource } = read
  const { timezone } = request.preferences
  refuseUnfiltered('UPDATE', read)
  const names = request.query.shape.columns ?? Object.keys(payload.rows[0] ?? {})
  const { sent, sentBack, asText } = sentColumns(resource, [...new Set(names)], true)
  if (names.length === 0) return { kind: 'nothing', single: read.single }
  const row = rowAsWritten(payload, 0, asText)
  return {
    ...written(target),
    kind: 'update',
    sentBack: planSentBack(sentBack, [row], timezone),
    changes: [
      ...sent.map((column) => ({ column, value: validateValue(resource, column, row[column.name], timezone) })),
      ...touched(resource).map((column) => ({ column, value: generatedValue(column, now) ?? '' })),
    ],
  }
}

export function planDelete(target: Target): DeletePlan {
  refuseUnfiltered('DELETE', target.read)
  return { ...written(target), kind: 'delete' }
}

function refuseUnfiltered(command: string, { where }: ReadPlan): void {
  if (where.length === 0) throw failure.filterMissing(command)
}

const nothingShown: readonly Selected[] = []

function written({ request, read, actor }: Target): Pick<DeletePlan, Exclude<keyof DeletePlan, 'kind'>> {
  const { values, shared, resource, where, order, single, selection } = read
  const { preferences, method } = request
  return {
    values,
    shared,
    resource,
    where,
    // New rows come back as they were sent, unless asked otherwise.
    order: method === 'POST' && request.root.order.length === 0 ? [] : order,
    single,
    selection,
    returning: wantsRows(request) ? selection : nothingShown,
    affectedMax: appliedValue('max-affected', request) ?? null,
    // A POST names no rows whose version could be known.
    versions: method === 'POST' ? null : request.ifMatch,
    isTrial: preferences.tx === 'rollback',
    sentBack: null,
    actor,
  }
}

const touched = (resource: Resource): Column[] =>
  columnsOf(resource).filter((column) => column.onUpdate === 'now' && !isWritable(column))
