import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { distributed, engines } from '../support/engines.ts'
import { type Reply, type Tenant, World } from '../support/world.ts'
import { arbitraryRead, arbitraryWrite, type Generated } from './arbitrary-requests.ts'
import { ids, names } from './sound-requests.ts'

const runs = Number(process.env.PROPERTY_RUNS ?? 700)
/** In the name of everything that belongs to the rival, and in no request. */
const marker = 'belongs-to-the-rival'
const asIfLarge = (db: Database): Database => ({
  ...db,
  forRows: (companyId) => ({ ...db.forRows(companyId), sizeOf: () => Number.POSITIVE_INFINITY }),
})

/** Twice each: once as it is, and once as if every company were large, so that all takes the ways of what is long or large. */
const all = [...engines, distributed, ...engines]
const worlds = all.map((_, at) => new World({}, at > engines.length ? asIfLarge : undefined))

beforeAll(async () => {
  for (const [at, engine] of all.entries()) await worlds[at]?.open(engine)
}, 600_000)

afterAll(async () => {
  for (const world of worlds) await world.close()
})

/** The same rows with the same times for everyone: ids are sent, and what the server makes of its own is overwritten. */
async function reset({ acme, rival, db }: World): Promise<void> {
  await db.transact([sql`delete from project where true`, sql`delete from bid where true`])
  await acme.post(
    '/bid',
    ids.acmeBids.map((id, at) => ({ id, bid_name: `Bid ${at}` })),
  )
  await acme.post(
    '/project',
    ids.acmeProjects.map((id, at) => ({ id, bid_id: ids.acmeBids[at % 2], project_name: names[at] })),
  )
  await rival.post('/bid', { id: ids.rivalBid, bid_name: marker })
  await rival.post('/project', { id: ids.rivalProject, bid_id: ids.rivalBid, project_name: marker })
  const time = '2026-01-01T00:00:00+00:00'
  await db.transact([
    sql`update project set created_at = ${time}, updated_at = ${time} where true`,
    sql`update bid set created_at = ${time}, updated_at = ${time} where true`,
  ])
}

async function sendEverywhere({ method, path, headers, body }: Generated): Promise<Reply[]> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  return Promise.all(
    worlds.map(({ acme }) =>
      acme.send(method, path, sent, method === 'GET' || method === 'HEAD' ? undefined : (body ?? undefined)),
    ),
  )
}

/** What must be the same everywhere. Times of rows that were just written never are. */
const essence = ({ status, headers, text, json }: Reply) => ({
  status,
  code: json?.code,
  range: headers.get('Content-Range'),
  body: (json === undefined ? text : JSON.stringify(json)).replace(
    // Without a fraction once in a thousand times. What requests themselves write is of the first days of 2026.
    /(?!2026-01-0)20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?\+00(?::00)?/g,
    'now',
  ),
})

function expectAgreement(replies: readonly Reply[]): void {
  const [first, ...others] = replies.map(essence)
  for (const other of others) expect(other).toEqual(first as typeof other)
  expect(first?.status).not.toBe(500)
  for (const { text } of replies) expect(text).not.toContain(marker)
}

test('every read gets the same answer from both engines, never a 500, and never a row of another company', async () => {
  for (const world of worlds) await reset(world)
  await fc.assert(
    fc.asyncProperty(arbitraryRead, async (request) => expectAgreement(await sendEverywhere(request))),
    { numRuns: runs },
  )
}, 600_000)

test('every write gets the same answer from both engines, leaves the same rows, and leaves another company alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryWrite, { minLength: 10, maxLength: 20 }), async (requests) => {
      for (const world of worlds) await reset(world)
      const before = await Promise.all(worlds.map(({ rival }) => everything(rival)))
      for (const request of requests) expectAgreement(await sendEverywhere(request))
      const [first, ...others] = await Promise.all(worlds.map(({ acme }) => everything(acme)))
      for (const other of others) expect(other).toEqual(first)
      expect(await Promise.all(worlds.map(({ rival }) => everything(rival)))).toEqual(before)
    }),
    { numRuns: Math.ceil(runs / 30) },
  )
}, 600_000)

/** All that a company has, but for what differs from server to server. */
async function everything(tenant: Tenant): Promise<unknown> {
  const projects = await tenant.get('/project?select=bid_id,project_name&order=project_name,bid_id')
  const bids = await tenant.get('/bid?select=bid_name&order=bid_name')
  return [projects.json, bids.json]
}
