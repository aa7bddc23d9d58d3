import { createHash } from 'node:crypto'
import { ApiError, failure } from '../errors/index.ts'
import { type OwnResources, ownResources } from '../fields/own-resources.ts'
import { allow, allowOf, hasBody, type Method, methods } from '../methods.ts'
import { makePlan, planInSteps } from '../plan/make-plan.ts'
import type { Plan, WritePlan } from '../plan/plan.ts'
import { comparisonsIn, findRelative } from '../plan/plan-query.ts'
import { rowTypes } from '../request/parse-accept.ts'
import { parseBody } from '../request/parse-body.ts'
import { parseRequest } from '../request/parse-request.ts'
import { isOtherZone } from '../request/preferences.ts'
import { isCounted } from '../request/read-body.ts'
import type { Resource } from '../resources/define.ts'
import { findResource } from '../resources/index.ts'
import type { Answer } from '../response/answer.ts'
import { respond } from '../response/respond.ts'
import { withCoding } from '../response/with-coding.ts'
import { execute } from '../store/execute.ts'
import { executeOnce, type Sealed } from '../store/execute-once.ts'
import type { Result } from '../store/result.ts'
import { after, type Soon } from '../store/soon.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { chunkBytes, memoryOf } from '../traffic/paced-stream.ts'
import type { Call } from './call.ts'

export function findTarget(call: Call): Soon<void> {
  const resource = findResource(call.address.name)
  call.resource = resource
  call.method = findMethod(resource, call.http.method)
  const { companyId, fieldsVersion } = call
  if (fieldsVersion !== 0 && companyId !== null)
    return after(ownResources(call.rows.db, companyId, fieldsVersion), takeOwn, call)
}

/** The whole request is about one version of the company's resources. */
const takeOwn = (own: OwnResources, call: Call): void => {
  call.resource = own.all.find(({ name }) => name === call.resource.name) ?? call.resource
}

function findMethod(resource: Resource, name: string): Method {
  if (!isMethod(name)) throw failure.methodUnsupported(name, allow)
  if (!resource.methods.includes(name)) throw failure.resourceReadOnly(name, resource.name, allowOf(resource.methods))
  return name
}

const isMethod = (name: string): name is Method => (methods as readonly string[]).includes(name)

/** All but the body. */
export function parseHead(call: Call): void {
  call.request = parseRequest(call.method, call.address.queryText, call.http.headers)
  if (call.request.representation.isLive) requireLive(call)
}

/** Only the changes of rows that clients write can be streamed. */
function requireLive({ method, resource, rows, http }: Call): void {
  if (method === 'GET' && !resource.isReadOnly && rows.live) return
  throw failure.mediaTypeUnavailable(http.headers.get('accept') ?? '', rowTypes)
}

export function receiveBody(call: Call): Soon<void> {
  if (!hasBody(call.method)) return
  const { http, rows, companyId, exchange } = call
  if (isCounted(http.headers)) call.hold = rows.limits.bytes?.hold(companyId ?? '') ?? null
  return parseBody(http, rows.limits, { arrivedAt: exchange.startedAt, hold: call.hold }).then((payload) => {
    call.payload = payload
  })
}

/** A body may take long to arrive: whether its sender may still write is asked when it is there. */
export const confirmSender = (call: Call): Soon<void> => (hasBody(call.method) ? call.right?.() : undefined)

export function planRows(call: Call): Soon<void> {
  const steps = planInSteps(call)
  if (steps) return finishPlan(call, steps)
  call.plan = makePlan(call)
}

async function finishPlan(call: Call, steps: Generator<undefined, Plan>): Promise<void> {
  for (;;) {
    const { done, value } = steps.next()
    await nextTurn()
    if (!done) continue
    call.plan = value
    return
  }
}

export function executePlan(call: Call): Soon<void> {
  if (call.request.representation.isLive) return openLive(call)
  return writesFields(call) ? executeWithLatest(call) : executeNow(call)
}

const writesFields = ({ plan, resource }: Call): boolean =>
  resource.own !== undefined && (plan.kind === 'update' || (plan.kind === 'insert' && plan.conflict !== null))

/** Each time, the fields may have been changed again. */
const replansMax = 3

/** Another process may have written rows with fields that are not known here yet. The write is planned anew with these. */
async function executeWithLatest(call: Call): Promise<void> {
  for (let replans = 0; ; replans += 1) {
    try {
      return await executeNow(call)
    } catch (error) {
      if (!isFieldsChanged(error) || replans === replansMax) throw error
      takeOwn(await ownResources(call.rows.db, call.companyId ?? '', Number.POSITIVE_INFINITY), call)
      await planRows(call)
    }
  }
}

const isFieldsChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.code === failure.fieldsChanged.code

function executeNow(call: Call): Soon<void> {
  const { rows, plan, request } = call
  // A trial has no effect that a repeat could do again.
  if (request.idempotencyKey !== null && plan.kind !== 'read' && plan.kind !== 'nothing' && !plan.isTrial)
    return executeKept(call, plan, request.idempotencyKey)
  return after(execute(rows.db, plan, call), keepResult, call)
}

const liveHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Otherwise nginx would hold small events back.
  'X-Accel-Buffering': 'no',
}

async function openLive(call: Call): Promise<void> {
  const { rows, plan, companyId, actor, right, http, request } = call
  if (plan.kind !== 'read' || companyId === null || !rows.live) throw failure.notScoped()
  if (actor === null) throw failure.eventsOff()
  const relative = findRelative(comparisonsIn(plan), request.query.values)
  if (relative !== null) throw failure.liveTimeRelative(relative)
  const lastEventId = http.headers.get('last-event-id')
  const body = await rows.live.open({ companyId, plan, lastEventId, right })
  call.readyAnswer = { status: 200, headers: liveHeaders, body }
}

const keepResult = (result: Result, call: Call): void => {
  call.result = result
  noteEvents(call)
}

function noteEvents({ plan, rows, actor, companyId }: Call): void {
  if (plan.kind !== 'read' && actor !== null && companyId !== null) rows.feed?.note(companyId)
}

/** The answer is written together with what it tells of, and so it is made before the write is committed. */
async function executeKept(call: Call, plan: WritePlan, key: string): Promise<void> {
  const seal = (result: Result): Sealed => {
    call.result = result
    const { status, headers, body } = respond(call)
    const sealed = { status, headers, body: typeof body === 'string' ? body : null }
    takeMemory(call, sealed)
    return sealed
  }
  const once = { key, fingerprint: fingerprintOf(call) }
  const { answer, isRepeat } = await executeOnce(call.rows.db, plan, once, seal, call)
  noteEvents(call)
  if (isRepeat) takeMemory(call, answer)
  call.readyAnswer = isRepeat ? { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } } : answer
}

/** Shorter answers are not counted. */
function takeMemory(call: Call, { body }: Sealed): void {
  if (body !== null && body.length > chunkBytes) call.takeMemory(memoryOf(body))
}

/**
 * The same request is the one that asks the same of the same rows with the same body. Times without an offset depend on the time zone.
 * A credential that may not do everything may not see what another one was answered; people have no credential.
 */
function fingerprintOf({ method, address, payload, request, caller }: Call): string {
  const { timezone } = request.preferences
  const asked = [method, address.name, address.queryText, payload.text]
  if (isOtherZone(timezone)) asked.push(timezone)
  if (caller?.rights?.may) asked.push(caller.credentialId)
  return createHash('sha256').update(asked.join('\n')).digest('hex')
}

/** What took long to read is shown to those alone who still may see it. */
export const confirmReader = ({ plan, exchange, right }: Call): Soon<void> =>
  plan.kind === 'read' && exchange.hasTakenLong() ? right?.() : undefined

export function makeAnswer(call: Call): Soon<void> {
  const answer = call.readyAnswer ?? respond(call)
  call.answer = answer
  if (call.plan.kind === 'read') return
  const { body } = answer
  if (body === null || typeof body === 'string') return tellWhole(call, answer)
  return inOne(body).then((whole) => tellWhole(call, { ...answer, body: whole }))
}

/** An answer that is kept for a repeat is kept as it is, so that each client gets it in its own coding. */
function tellWhole(call: Call, answer: Answer): void {
  call.answer = withCoding(answer, call)
}

/** The answer to a write in one text: it is kept for a repeat, and never waits for memory. */
async function inOne(parts: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const part of parts) {
    whole += part
    await nextTurn()
  }
  return whole
}
