import { failure } from '../errors/index.ts'
import { latestResources } from '../fields/own-resources.ts'
import { graces } from '../keys/rotate.ts'
import { parseText } from '../people/parse.ts'
import { parseTimestamp } from '../types/timestamp-text.ts'
import { isUuid } from '../types/uuid.ts'
import { eventTypes, parseFilter, parseTypes } from '../webhooks/choose-events.ts'
import { findDelivery, listDeliveries, measure, replayOne, sendTest, states } from '../webhooks/deliveries.ts'
import type { Endpoint, EndpointRef } from '../webhooks/endpoint.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointChange,
  findEndpoint,
  listEndpoints,
  rotateEndpoint,
} from '../webhooks/endpoints.ts'
import { replaySince } from '../webhooks/replay.ts'
import { actorOf, companyOf, done, ok, queryOf, type SettingsContext, type SettingsRoute } from './context.ts'
import { parseGrace } from './credentials.ts'
import { attemptDocument, deliveryDocument, webhookDocument } from './describe-webhooks.ts'
import type * as documents from './documents/webhooks.ts'

/** Each sends a request to a server of somebody's choice. */
const testsMax = { requests: 120, seconds: 60 }

export const webhooksRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/webhooks', role: 'viewer', handle: list },
  { method: 'POST', path: '/api/webhooks', role: 'owner', handle: create },
  { method: 'GET', path: '/api/webhooks/:id', role: 'viewer', handle: show },
  { method: 'PATCH', path: '/api/webhooks/:id', role: 'owner', handle: change },
  { method: 'DELETE', path: '/api/webhooks/:id', role: 'owner', handle: remove },
  { method: 'POST', path: '/api/webhooks/:id/rotate', role: 'owner', handle: rotate },
  { method: 'POST', path: '/api/webhooks/:id/test', role: 'owner', limit: testsMax, handle: test },
  { method: 'POST', path: '/api/webhooks/:id/replay', role: 'owner', handle: replay },
  { method: 'GET', path: '/api/webhooks/:id/deliveries', role: 'viewer', handle: listSent },
  { method: 'GET', path: '/api/webhooks/:id/deliveries/:event', role: 'viewer', handle: showSent },
  { method: 'POST', path: '/api/webhooks/:id/deliveries/:event/replay', role: 'owner', handle: replaySent },
]

async function list(context: SettingsContext) {
  const endpoints = await listEndpoints(context.db, companyOf(context).id)
  const webhooks = await Promise.all(endpoints.map((endpoint) => described(context, endpoint)))
  return ok<documents.WebhookList>({ webhooks, event_types: eventTypes })
}

async function create(context: SettingsContext) {
  const { webhooks } = context.site
  const body = await context.json()
  const types = parseTypes(body.types)
  const wanted = {
    url: webhooks.parseUrl(parseText(body, 'url')),
    types,
    filter: parseFilter(body.filter, types, await resourcesOf(context)),
  }
  const companyId = companyOf(context).id
  const made = await createEndpoint(context.db, webhooks.seal(), { companyId, ...wanted }, actorOf(context))
  return ok<documents.IssuedWebhook>({ ...(await described(context, made)), secret: made.shownSecret }, 201)
}

async function show(context: SettingsContext) {
  return ok<documents.Webhook>(await described(context, await findEndpoint(context.db, refOf(context))))
}

async function change(context: SettingsContext) {
  const body = await context.json()
  const ref = refOf(context)
  if ('enabled' in body && typeof body.enabled !== 'boolean')
    throw failure.settingsBodyInvalid('"enabled" is not true or false', 'Send true or false.')
  const wanted = await parseChange(context, body, await findEndpoint(context.db, ref))
  const enabled = typeof body.enabled === 'boolean' ? { enabled: body.enabled } : {}
  await changeEndpoint(context.db, ref, { ...wanted, ...enabled }, actorOf(context))
  return show(context)
}

/** What was sent, and nothing else: a filter may name a field that was archived since. */
async function parseChange(
  context: SettingsContext,
  body: Record<string, unknown>,
  before: Endpoint,
): Promise<EndpointChange> {
  const url = 'url' in body ? { url: context.site.webhooks.parseUrl(parseText(body, 'url')) } : {}
  if (!('types' in body || 'filter' in body)) return url
  const types = 'types' in body ? parseTypes(body.types) : before.types
  const filter = parseFilter('filter' in body ? body.filter : before.filter, types, await resourcesOf(context))
  return { ...url, ...('types' in body && { types }), ...('filter' in body && { filter }) }
}

async function remove(context: SettingsContext) {
  await deleteEndpoint(context.db, refOf(context), actorOf(context))
  return done
}

async function rotate(context: SettingsContext) {
  const graceSeconds = parseGrace((await context.json()).grace_seconds ?? graces['24h'])
  const by = actorOf(context)
  const secret = await rotateEndpoint(context.db, context.site.webhooks.seal(), refOf(context), { graceSeconds, by })
  const endpoint = await findEndpoint(context.db, refOf(context))
  return ok<documents.IssuedWebhook>({ ...(await described(context, endpoint)), secret })
}

async function test(context: SettingsContext) {
  const { seal, send } = context.site.webhooks
  const right = async () => void (await context.confirm())
  const made = await sendTest(context.db, { seal: seal(), send, right }, await findEndpoint(context.db, refOf(context)))
  return ok<documents.WebhookAttempt>(attemptDocument(made))
}

async function replay(context: SettingsContext) {
  const since = new Date(parseTimestamp(parseText(await context.json(), 'since')))
  if (Number.isNaN(since.getTime()) || since.getTime() > Date.now())
    throw failure.settingsBodyInvalid('"since" must be in the past', 'Write it as 2027-01-31T12:00:00Z.')
  await replaySince(context.db, refOf(context), since, actorOf(context))
  return done
}

const pageMax = 200

async function listSent(context: SettingsContext) {
  const query = new URLSearchParams(queryOf(context.http))
  const wanted = query.get('state') || null
  const state = states.find((one) => one === wanted) ?? null
  const limit = Number(query.get('limit') || 50)
  const before = query.get('before') || null
  if (state !== wanted)
    throw failure.settingsBodyInvalid('"state" is not as it should be', `Send one of ${states.join(', ')}.`)
  if (!Number.isInteger(limit) || limit < 1 || limit > pageMax)
    throw failure.settingsBodyInvalid('"limit" is not as it should be', `Send a number from 1 to ${pageMax}.`)
  if (before !== null && !isUuid(before))
    throw failure.settingsBodyInvalid('"before" is no id', 'Send the "next" of the page before.')
  const { id } = await findEndpoint(context.db, refOf(context))
  // One more than is shown, to know whether there are more.
  const found = await listDeliveries(reports(context), { endpointId: id, state, before, most: limit + 1 })
  const shown = found.slice(0, limit)
  const next = found.length > limit ? (shown.at(-1)?.eventId ?? null) : null
  return ok<documents.WebhookDeliveryPage>({ deliveries: shown.map(deliveryDocument), next })
}

async function showSent(context: SettingsContext) {
  const { delivery, attempts, body } = await findDelivery(context.db, sentRefOf(context))
  const history = attempts.map(attemptDocument)
  return ok<documents.WebhookDeliveryInDetail>({ ...deliveryDocument(delivery), body, history })
}

async function replaySent(context: SettingsContext) {
  await replayOne(context.db, sentRefOf(context), actorOf(context))
  return done
}

const resourcesOf = (context: SettingsContext) => latestResources(context.db, companyOf(context).id)

const refOf = (context: SettingsContext): EndpointRef => ({
  companyId: companyOf(context).id,
  id: context.params.id ?? '',
})

const sentRefOf = (context: SettingsContext) => ({ ...refOf(context), eventId: context.params.event ?? '' })

/** For questions about tables that may have many rows. */
function reports(context: SettingsContext) {
  const own = context.db.forCompany(companyOf(context).id)
  const read: typeof own.read = (statement) => own.readReport(['webhook_attempt', 'webhook_delivery'], statement)
  return { companyId: own.companyId, read }
}

const described = async (context: SettingsContext, endpoint: Endpoint): Promise<documents.Webhook> =>
  webhookDocument(endpoint, await measure(reports(context), endpoint.id), new Date())
