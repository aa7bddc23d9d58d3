import { failure } from '../errors/index.ts'
import { type Actor, type AuditEvent, auditStatement } from '../people/audit.ts'
import { companyRows, insertCompanyRow, tableOfAllCompanies, updateCompanyRows } from '../store/compile/company-rows.ts'
import type { Companies, CompanyStore, Statements, Steps } from '../store/database.ts'
import { integer, join, type Sql, sql, type Value } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { Choice } from './choose-events.ts'
import { dueNow, notDue } from './dispatch/due.ts'
import {
  type DisabledReason,
  type Endpoint,
  type EndpointRef,
  endpointColumns,
  endpointOf,
  sealedFor,
} from './endpoint.ts'
import type { Seal } from './seal.ts'
import { makeSecret } from './sign.ts'

/** Of one company. */
const endpointsMax = 50

interface NewEndpoint extends Choice {
  readonly companyId: string
  readonly url: string
}

/** Creates an endpoint for events from now on. Its secret is shown this once. */
export async function createEndpoint(
  db: Companies,
  seal: Seal,
  { companyId, url, types, filter }: NewEndpoint,
  by: Actor,
): Promise<Endpoint & { readonly shownSecret: string }> {
  const own = db.forCompany(companyId)
  const shownSecret = makeSecret()
  const ref = { companyId, id: Bun.randomUUIDv7() }
  const secret = seal.close(shownSecret, sealedFor(ref))
  const created_at = timestampText(new Date())
  const typesText = types && JSON.stringify(types)
  let queuedSequence = 0
  function* work(): Steps {
    const [company, counted, latest] = yield [
      // Of two that are created at the same time, the second waits and then counts the first.
      sql`select events from company where id = ${companyId}${own.dialect.forUpdate}`,
      sql`select count(*) from ${companyRows('webhook_endpoint', own)}`,
      sql`select last_sequence from ${companyRows('event_counter', own)}`,
    ]
    if (company?.[0]?.[0] === 'off') throw failure.eventsOff()
    if (Number(counted?.[0]?.[0]) >= endpointsMax) throw failure.tooManyWebhooks(endpointsMax)
    queuedSequence = Number(latest?.[0]?.[0] ?? 0)
    yield [
      insertCompanyRow('webhook_endpoint', own, {
        ...{ id: ref.id, url, types: typesText, filter, secret, queued_sequence: queuedSequence },
        ...{ created_at, created_by: by.actor },
      }),
      audited(by, 'created', { ...ref, url }, { types, filter }),
    ]
  }
  await own.transactInSteps(work())
  const secrets = { secret, oldSecret: null, oldSecretEndsAt: null, shownSecret }
  const state = { queuedSequence, failingSince: null, disabledAt: null, disabledReason: null }
  return { ...ref, url, types, filter, ...secrets, ...state, createdAt: created_at, createdBy: by.actor }
}

/** The endpoints of a company, oldest first. */
export async function listEndpoints(db: Companies, companyId: string): Promise<Endpoint[]> {
  const own = db.forCompany(companyId)
  const rows = await own.read(sql`select ${endpointColumns} from ${companyRows('webhook_endpoint', own)} order by id`)
  return rows.map(endpointOf)
}

export async function findEndpoint(db: Companies, { companyId, id }: EndpointRef): Promise<Endpoint> {
  const endpoint = await readEndpoint(db.forCompany(companyId), id)
  if (!endpoint) throw failure.notFound('webhook')
  return endpoint
}

/** null if it was deleted. */
export async function readEndpoint(own: CompanyStore, id: string): Promise<Endpoint | null> {
  const [row] = await own.read(
    sql`select ${endpointColumns} from ${companyRows('webhook_endpoint', own)} and id = ${id}`,
  )
  return row ? endpointOf(row) : null
}

/** For the command line, which may read every company. */
export async function findAnyEndpoint(db: Pick<Statements, 'read'>, id: string): Promise<Endpoint | null> {
  const [row] = await db.read(
    sql`select ${endpointColumns} from ${tableOfAllCompanies('webhook_endpoint')} where id = ${id}`,
  )
  return row ? endpointOf(row) : null
}

export interface EndpointChange {
  readonly url?: string
  readonly types?: Choice['types']
  readonly filter?: string
  readonly enabled?: boolean
}

/** Writes only what is to be changed, so that two changes of different things at the same time are both kept. */
export async function changeEndpoint(
  db: Companies,
  ref: EndpointRef,
  { enabled, ...change }: EndpointChange,
  by: Actor,
): Promise<void> {
  const endpoint = { ...(await findEndpoint(db, ref)), ...change }
  if (enabled && endpoint.disabledAt !== null) await retryNow(db, ref)
  await write(db, ref, [
    changing(endpoint, change, by),
    ...(enabled === undefined ? [] : [enabled ? enabling(endpoint, by) : disabling(endpoint, 'by_hand', by)]),
  ])
}

export const enableEndpoint = (db: Companies, ref: EndpointRef, by: Actor): Promise<void> =>
  changeEndpoint(db, ref, { enabled: true }, by)

/** Tells whether it was this that disabled it. */
export const disableEndpoint = async (
  db: Companies,
  ref: EndpointRef,
  reason: DisabledReason,
  by: Actor,
): Promise<boolean> => write(db, ref, [disabling(await findEndpoint(db, ref), reason, by)])

/** A part of a change: columns of the endpoint with their new values, and what is written beside it. */
interface Part {
  readonly set: readonly Sql[]
  readonly beside: readonly Sql[]
}

const nothing: Part = { set: [], beside: [] }

/** All parts or none. Tells whether there was something to write. */
async function write(db: Companies, ref: EndpointRef, parts: readonly Part[]): Promise<boolean> {
  const set = parts.flatMap((part) => part.set)
  if (set.length === 0) return false
  const statements = [changeOf(ref, join(set, ', ')), ...parts.flatMap(({ beside }) => beside)]
  await db.forCompany(ref.companyId).transact(statements, requireOne)
  return true
}

function changing(endpoint: Endpoint, change: Omit<EndpointChange, 'enabled'>, by: Actor): Part {
  const set = [
    ...(change.url === undefined ? [] : [sql`url = ${change.url}`]),
    ...(change.types === undefined ? [] : [sql`types = ${change.types && JSON.stringify(change.types)}`]),
    ...(change.filter === undefined ? [] : [sql`filter = ${change.filter}`]),
  ]
  return set.length === 0 ? nothing : { set, beside: [audited(by, 'changed', endpoint, { ...change })] }
}

/** Goes on at once, with what was pending and the events since it was disabled, as far as they are kept. */
function enabling(endpoint: Endpoint, by: Actor): Part {
  if (endpoint.disabledAt === null) return nothing
  return {
    set: [sql`disabled_at = ${null}, disabled_reason = ${null}, failing_since = ${null}`],
    beside: [dueNow(endpoint), audited(by, 'enabled', endpoint, {})],
  }
}

/** Deliveries that are changed by one statement: other writes wait for it. */
const retriedMax = 500

/** Before the endpoint is enabled, while nothing is sent. Those without a time wait for an earlier event of their row. */
async function retryNow(db: Companies, { companyId, id }: EndpointRef): Promise<void> {
  const own = db.forCompany(companyId)
  const now = timestampText(new Date())
  const later = sql`${companyRows('webhook_delivery', own, 'later')} and later.endpoint_id = ${id} and later.next_at > ${now}`
  const some = sql`select event_id from ${later} limit ${integer(retriedMax)}`
  while ((await own.read(sql`select 1 from ${later} limit 1`)).length > 0)
    await own.transact([
      sql`${updateCompanyRows('webhook_delivery', own, sql`next_at = ${now}`)} and endpoint_id = ${id} and event_id in (${some})`,
    ])
}

function disabling(endpoint: Endpoint, reason: DisabledReason, by: Actor): Part {
  if (endpoint.disabledAt !== null) return nothing
  return {
    set: [sql`disabled_at = ${timestampText(new Date())}, disabled_reason = ${reason}`],
    beside: [audited(by, 'disabled', endpoint, { reason })],
  }
}

/** Gives an endpoint a new secret. Until the grace period ends, messages are signed with both. */
export async function rotateEndpoint(
  db: Companies,
  seal: Seal,
  ref: EndpointRef,
  { graceSeconds, by }: { readonly graceSeconds: number; readonly by: Actor },
): Promise<string> {
  const { url, secret: before } = await findEndpoint(db, ref)
  const shownSecret = makeSecret()
  const endsAt = graceSeconds > 0 ? timestampText(new Date(Date.now() + graceSeconds * 1000)) : null
  const changes = sql`secret = ${seal.close(shownSecret, sealedFor(ref))},
    old_secret = ${endsAt && before}, old_secret_ends_at = ${endsAt}`
  await db
    .forCompany(ref.companyId)
    .transact(
      [changeOf(ref, changes), audited(by, 'rotated', { ...ref, url }, { grace_seconds: graceSeconds })],
      requireOne,
    )
  return shownSecret
}

/** What was sent to it is deleted by the sweep. */
export async function deleteEndpoint(db: Companies, ref: EndpointRef, by: Actor): Promise<void> {
  const { url } = await findEndpoint(db, ref)
  await db
    .forCompany(ref.companyId)
    .transact(
      [
        sql`delete from ${companyRows('webhook_endpoint', ref)} and id = ${ref.id} returning id`,
        notDue(ref),
        audited(by, 'deleted', { ...ref, url }, {}),
      ],
      requireOne,
    )
}

const changeOf = ({ companyId, id }: EndpointRef, changes: Sql): Sql =>
  sql`${updateCompanyRows('webhook_endpoint', { companyId }, changes)} and id = ${id} returning id`

function requireOne([changed]: readonly (readonly (readonly Value[])[])[]): void {
  if (changed?.length !== 1) throw failure.notFound('webhook')
}

type WebhookAction = 'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'replayed' | 'deleted'

/** The audit record of a change to an endpoint. */
export const audited = (
  by: Actor,
  action: WebhookAction,
  { companyId, id, url }: EndpointRef & Pick<Endpoint, 'url'>,
  details: AuditEvent['details'],
): Sql =>
  auditStatement({
    ...by,
    companyId,
    action: `webhook.${action}`,
    target: url,
    details: { webhook_id: id, ...details },
  })
