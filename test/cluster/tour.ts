import { archiveField } from '../../src/fields/change-field.ts'
import { deleteFields } from '../../src/fields/delete-fields.ts'
import { createField } from '../../src/fields/fields.ts'
import { sweepUsage } from '../../src/keys/write-usage.ts'
import { commandLine } from '../../src/people/audit.ts'
import { sweepRequests } from '../../src/request-log/trim-requests.ts'
import { askAll } from '../../src/store/ask-all.ts'
import type { Database, Question } from '../../src/store/database.ts'
import { numberEvents } from '../../src/store/events/number-events.ts'
import {
  firstSequence,
  lastSequence,
  lastSequences,
  readEvents,
  unnumberedCompanies,
} from '../../src/store/events/read-events.ts'
import { sweepEvents } from '../../src/store/events/sweep-events.ts'
import { sweepOnce } from '../../src/store/execute-once.ts'
import { findDelivery, listDeliveries, measure, replayOne, sendTest } from '../../src/webhooks/deliveries.ts'
import { measureBacklog } from '../../src/webhooks/dispatch/backlog.ts'
import { endpointsBehind } from '../../src/webhooks/dispatch/behind.ts'
import { disableEndpoint } from '../../src/webhooks/endpoints.ts'
import { replaySince } from '../../src/webhooks/replay.ts'
import { sweepWebhooks } from '../../src/webhooks/sweep.ts'
import { addPasskey, signInByPasskey } from '../settings/passkey-support.ts'
import { Browser, newEmail, password } from '../settings/support.ts'
import type { Recorded } from '../support/recording.ts'
import { settleNow } from '../support/settle-now.ts'
import type { Reply, World } from '../support/world.ts'
import { dispatch, endpointTo, seal, statesOf, until } from '../webhooks/support.ts'

/** Asks the service for everything that it can do, once, and so that nothing is refused. */
export async function tour(world: World): Promise<void> {
  await read(world)
  await write(world)
  await define(world)
  await repeat(world)
  await streamLongList(world)
  await settle(world)
  await fail(world)
  await world.usage.flush()
  await world.requestLog.flush()
  await sweepOnce(world.db)
  await sweepUsage(world.db)
  await sweepRequests(world.db)
  await numberAll(world)
  await deliver(world)
}

const raise = (error: unknown): never => {
  throw error
}

const ask = (db: Database, question: Question, companyIds?: readonly string[]): Promise<void> =>
  askAll(db, question, { found: () => {}, report: raise, ...(companyIds ? { companyIds } : {}) })

/** What is done for events in the background. */
async function numberAll({ acme, db }: World): Promise<void> {
  const own = db.forRows(acme.id)
  await acme.post('/bid', { bid_name: 'numbered' })
  await ask(db, unnumberedCompanies(new Date()))
  await numberEvents(db, [acme.id])
  await ask(db, lastSequences(db.dialect), [acme.id])
  await readEvents(own, await lastSequence(own), 10)
  await firstSequence(own)
  expectDone(await acme.get('/event?limit=10'))
  await sweepEvents(db, -1000)
}

/** What is done for webhooks in the background: one event fails and is sent again, two arrive. */
async function deliver(world: World): Promise<void> {
  const { acme, db } = world
  const endpoint = await endpointTo(db, acme.id, 'https://example.com/hook')
  let sent = 0
  const answer = { answer: '', error: null, retryAfter: null, durationMs: 1 }
  const send = async () => {
    sent += 1
    return { ...answer, status: sent === 1 ? 500 : 200 }
  }
  const dispatcher = dispatch(world, { send })
  const [id = ''] = await acme.seed(['delivered'])
  await acme.patch(`/project?id=eq.${id}`, { project_name: 'delivered again' })
  await until(() => sent > 0)
  await until(
    async () => (await listDeliveries(db.forCompany(acme.id), newest(endpoint.id)))[0]?.attempts !== undefined,
  )
  const [first] = (await listDeliveries(db.forCompany(acme.id), newest(endpoint.id))).slice(-1)
  await replayOne(db, { ...endpoint, eventId: first?.eventId ?? '' }, commandLine)
  await until(async () => (await statesOf(db, acme.id)).delivered === 2)
  await replaySince(db, endpoint, new Date(0), commandLine)
  await measureBacklog(db, raise)
  await ask(db, endpointsBehind)
  await sendTest(db, { seal, send }, endpoint)
  await findDelivery(db, { ...endpoint, eventId: first?.eventId ?? '' })
  await measure(db.forCompany(acme.id), endpoint.id)
  await disableEndpoint(db, endpoint, 'by_hand', commandLine)
  await dispatcher.stop()
  await sweepWebhooks(db, -1000)
}

const newest = (endpointId: string) => ({ endpointId, state: null, before: null, most: 10 })

/** What was written now and then, for all companies at once. */
export const isOfAll = ({ text }: Recorded): boolean =>
  /^\s*(insert into "(credential_(usage|last_use)|request_(log|latency))"|select (distinct )?company_id\b[\s\S]*? from "(idempotency|credential_usage|request_log|request_latency|event|event_inbox|event_counter|field|field_set|webhook_\w+)"|select (1|w\.company_id, w\.id) from "webhook_endpoint"|select count\(\*\), min\(created_at\) from)/.test(
    text,
  )

const paths = [
  '/project',
  '/project?select=*,bid(*)&order=bid(bid_name).desc,project_name&limit=5&offset=1',
  '/project?select=id,...bid(bid_name)&bid.bid_name=like.A*',
  '/project?select=id,bid!inner(id)&bid.bid_name=ilike.*a*',
  '/project?select=bid_id,count(),created_at.max()&order=bid_id',
  '/project?select=...bid(bid_name),count()',
  '/project?or=(project_name.match.^A,and(id.in.(00000000-0000-4000-8000-000000000001),created_at.gt.2026-01-01))',
  '/project?project_name=wfts.bridge&id=not.is.null&bid_id=neq.00000000-0000-4000-8000-000000000001',
  '/bid?select=*,project(*,bid(bid_name))&project.order=project_name&project.limit=2&project=not.is.null',
  '/bid?select=bid_name,...project(project_name)',
]

async function read({ acme }: World): Promise<void> {
  for (const path of paths) {
    expectDone(await acme.get(path))
    expectDone(await acme.get(path, { Prefer: 'count=exact' }))
  }
  expectDone(await acme.get(`/project?id=eq.${acme.project}`, { Accept: 'application/vnd.pgrst.object+json' }))
}

type Made = Readonly<Record<'id' | 'bid_id' | 'project_name', string>>

const whole = { Prefer: 'return=representation' }

async function write({ acme }: World): Promise<void> {
  const one = expectDone(await acme.post('/bid', { bid_name: 'Tunnel' }, whole)).json[0]
  const rows = ['North', 'South'].map((project_name) => ({ bid_id: one.id, project_name }))
  const made = expectDone(await acme.post('/project?select=*,bid(*)&order=project_name', rows, whole)).json
  const [north, south] = made.map(({ id, bid_id, project_name }: Made) => ({ id, bid_id, project_name }))
  for (const resolution of ['merge', 'ignore']) {
    const prefer = { Prefer: `resolution=${resolution}-duplicates, return=representation` }
    expectDone(await acme.post('/project', north, prefer))
    expectDone(await acme.post('/project', [north, south], prefer))
  }
  expectDone(await acme.put(`/project?id=eq.${north.id}`, north))
  expectDone(await acme.patch(`/project?id=eq.${north.id}`, { project_name: 'East' }))
  expectDone(await acme.patch(`/project?bid_id=eq.${one.id}&order=project_name`, { project_name: 'West' }, whole))
  const { headers } = expectDone(await acme.get(`/project?id=eq.${north.id}`))
  const version = { 'If-Match': headers.get('ETag') ?? '' }
  expectDone(await acme.patch(`/project?id=eq.${north.id}`, { project_name: 'Up' }, { ...whole, ...version }))
  expectDone(await acme.delete(`/project?id=eq.${north.id}&select=*,bid(bid_name)`, whole))
  expectDone(await acme.delete(`/project?id=eq.${south.id}`, { 'If-Match': '*' }))
}

/** Fields of the company's own, one of which rows are found by. */
async function define({ acme, db }: World): Promise<void> {
  const field = await createField(db, acme.id, { resource: 'project', name: 'status', type: 'text', indexed: true })
  await settleNow(db)
  const { json: made } = expectDone(
    await acme.post('/project', { bid_id: acme.bid, project_name: 'A', status: 'new' }, whole),
  )
  expectDone(await acme.get('/project?status=eq.new&order=status'))
  expectDone(await acme.patch(`/project?id=eq.${made[0].id}`, { status: 'old' }))
  expectDone(await acme.delete(`/project?id=eq.${made[0].id}`))
  expectDone(await acme.get('/field'))
  await archiveField(db, { companyId: acme.id, id: field.id })
  await settleNow(db)
  await deleteFields(db, new Date('2999-01-01'))
}

async function repeat({ acme }: World): Promise<void> {
  const once = { 'Idempotency-Key': '"tour"', ...whole }
  for (const _ of ['first', 'again']) {
    expectDone(await acme.post('/project', { bid_id: acme.bid, project_name: 'Once' }, once))
  }
}

/** One row more than fits into one part. */
async function streamLongList({ acme }: World): Promise<void> {
  await acme.seed(Array.from({ length: 1001 }, (_, at) => `n${at}`))
  for (const path of ['', '?order=project_name.desc', '?select=*,bid(*)', '?select=id,bid(id)&order=bid(id)']) {
    expectDone(await acme.get(`/project${path}`))
  }
  expectDone(await acme.delete('/project?project_name=like.n*'))
}

async function settle(world: World): Promise<void> {
  const owner = await manage(world)
  const guest = await welcome(world, owner)
  const { json: members } = expectDone(await owner.get('/members'))
  const id = members.find(({ email }: { email: string }) => email === guest.email)?.person_id
  expectDone(await owner.patch(`/members/${id}`, { role: 'developer' }))
  expectDone(await owner.delete(`/members/${id}`))
  expectDone(await owner.signOut())
}

/** The first person makes a company, and everything that belongs to it. */
async function manage(world: World): Promise<Browser> {
  const owner = new Browser(world.base)
  const email = newEmail()
  await owner.get('/setup')
  expectDone(await owner.signUp(email))
  expectDone(await owner.signOut())
  expectDone(await owner.signIn(email, password))
  expectDone(await owner.post('/company', { name: 'Second' }))
  expectDone(await owner.patch('/company', { name: 'Other' }))
  const { json: made } = expectDone(await owner.post('/credentials', { name: 'one', access: 'read' }))
  const at = `/credentials/${made.id}`
  expectDone(await owner.patch(at, { name: 'two' }))
  expectDone(await owner.post(`${at}/rotate`, { grace_seconds: 3600 }))
  for (const path of [at, '/credentials', '/overview', '/activity', '/activity.csv', '/sessions', '/session']) {
    expectDone(await owner.get(path))
  }
  expectDone(await owner.get('/rest/project?select=*,bid(*)'))
  expectDone(await owner.post('/two-factor/start', { password }))
  const device = await addPasskey(owner)
  expectDone(await signInByPasskey(new Browser(world.base), device))
  const [passkey] = expectDone(await owner.get('/passkeys')).json
  expectDone(await owner.patch(`/passkeys/${passkey.id}`, { name: 'two' }))
  expectDone(await owner.delete(`/passkeys/${passkey.id}`))
  expectDone(await owner.post(`${at}/revoke`))
  const { json: webhook } = expectDone(await owner.post('/webhooks', { url: 'https://example.com/hook' }))
  const hook = `/webhooks/${webhook.id}`
  expectDone(await owner.patch(hook, { types: ['bid.created'], enabled: false }))
  expectDone(await owner.patch(hook, { enabled: true }))
  expectDone(await owner.post(`${hook}/rotate`, {}))
  for (const path of ['/webhooks', hook, `${hook}/deliveries`, `${hook}/deliveries?state=failed`])
    expectDone(await owner.get(path))
  expectDone(await owner.delete(hook))
  return owner
}

/** Another person is invited, and joins. */
async function welcome(world: World, owner: Browser) {
  const [email, gone] = [newEmail(), newEmail()]
  const { json: open } = expectDone(await owner.post('/invitations', { email: gone, role: 'viewer' }))
  expectDone(await owner.get('/invitations'))
  expectDone(await owner.delete(`/invitations/${open.id}`))
  const { json: invited } = expectDone(await owner.post('/invitations', { email, role: 'viewer' }))
  const token = String(invited.link).split('/').at(-1)
  const browser = new Browser(world.base)
  expectDone(await browser.get(`/invitation/${token}`))
  expectDone(await browser.signUp(email, { invitation: token }))
  return { browser, email }
}

/** Failed attempts are counted, too: also those with a key that is a letter away from one of ours. */
async function fail({ acme, base }: World): Promise<void> {
  await fetch(`${base}/health/ready`)
  await new Browser(base).post('/auth/reset-password', { token: 'nonsense', newPassword: password })
  await acme.get('/project', { apikey: `${acme.apiKey.slice(0, -1)}~`, Authorization: '' })
  await acme.get('/project', { 'X-API-Secret': 'wrong' })
}

function expectDone(reply: Reply): Reply {
  if (reply.status >= 400) throw new Error(`The tour was refused: ${reply.status} ${reply.text}`)
  return reply
}
