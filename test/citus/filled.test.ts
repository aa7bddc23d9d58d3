import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { coordinatorTables, distributedTables, referenceTables } from '../../src/store/cluster/layout.ts'
import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { signedIn } from '../settings/support.ts'
import { makeEmptyPlace, query } from '../support/citus.ts'
import { runHere } from '../support/command.ts'
import { until } from '../support/service.ts'
import { settleNow } from '../support/settle-now.ts'
import { World } from '../support/world.ts'
import { dispatch, endpointTo, Receiver, statesOf } from '../webhooks/support.ts'

const world = new World({ TRUST_PROXY: 'on' })
const receiver = new Receiver()
const allTables = [...distributedTables, ...Object.keys(referenceTables), ...Object.keys(coordinatorTables)]

beforeAll(async () => {
  await world.open({ name: 'postgres', makePlace: makeEmptyPlace })
  await fill(world)
}, 300_000)
afterAll(async () => {
  await receiver.stop()
  await world.close()
}, 300_000)

/** Something in every table of companies. */
async function fill({ acme, rival, db, usage, requestLog }: World): Promise<void> {
  await signedIn(world, acme.id, 'owner', 'owner@example.com')
  await createField(db, acme.id, { resource: 'project', name: 'status', type: 'text', indexed: true })
  await settleNow(db)
  await acme.post('/project', { bid_id: acme.bid, project_name: 'Once', status: 'new' }, { 'Idempotency-Key': 'once' })
  await endpointTo(db, acme.id, receiver.url)
  const dispatcher = dispatch(world)
  await acme.seed(['Delivered'])
  await until(async () => ((await statesOf(db, acme.id)).delivered ?? 0) > 0)
  await dispatcher.stop()
  await rival.get('/project')
  await Promise.all([usage.flush(), requestLog.flush()])
  // What a service that was killed leaves.
  await db.transact([
    sql`insert into ${tableOfAllCompanies('event_inbox')} (company_id, created_at, id, type, resource, row_id, row, changed, actor_kind)
        select company_id, '2999-01-01', ${Bun.randomUUIDv7()}, type, resource, row_id, row, changed, actor_kind
        from ${tableOfAllCompanies('event')} where company_id = ${acme.id} limit 1`,
  ])
}

async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of allTables) {
    const [[count] = []] = await world.db.read(sql`select count(*) from ${tableOfAllCompanies(table)}`)
    counts[table] = Number(count)
  }
  return counts
}

test('a database in which every table of companies has rows is distributed, with all of them', async () => {
  const before = await countAll()
  expect(distributedTables.filter((table) => before[table] === 0)).toEqual([])
  const { exitCode, stderr } = await runHere(['cluster', 'distribute', '--shards', '4'], {
    DATABASE_URL: world.databaseUrl,
  })
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(await countAll()).toEqual(before)
}, 300_000)

test('the tables of companies are then together, and no other table is on the nodes but on purpose', async () => {
  const rows = await query(
    world.databaseUrl.replace('?citus=true', ''),
    `select c.relname::text, case t.citus_table_type when 'distributed' then 'distributed ' || t.distribution_column else t.citus_table_type end,
       t.colocation_id = (select colocation_id from citus_tables where table_name = 'bid'::regclass)
     from pg_class c left join citus_tables t on t.table_name = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not c.relname ~ '_\\d+$'`,
  )
  const wanted = allTables.map((table) => {
    if (distributedTables.some((name) => name === table)) return [table, 'distributed company_id', true]
    return [table, table in referenceTables ? 'reference' : 'other', false]
  })
  const found = rows.map(([table, kind, isBeside]) => [
    table,
    String(kind).startsWith('distributed') || kind === 'reference' ? kind : 'other',
    kind !== 'reference' && isBeside === true,
  ])
  expect(found.toSorted()).toEqual(wanted.toSorted())
}, 300_000)

test('and everything goes on: fields and their index, upserts, events without a gap, webhooks', async () => {
  const { acme, db } = world
  expect((await acme.get('/project?status=eq.new&select=project_name')).json).toEqual([{ project_name: 'Once' }])
  const rows = [1, 2].map((at) => ({
    id: Bun.randomUUIDv7(),
    bid_id: acme.bid,
    project_name: `P ${at}`,
    status: 'old',
  }))
  const merge = { Prefer: 'resolution=merge-duplicates' }
  for (const status of ['old', 'older'])
    expect(
      (
        await acme.post(
          '/project',
          rows.map((row) => ({ ...row, status })),
          merge,
        )
      ).status,
    ).toBeLessThan(300)
  expect((await acme.get('/project?status=eq.older')).json).toHaveLength(2)
  expect((await acme.patch('/project?status=eq.older', { status: 'last' })).status).toBe(204)
  expect((await acme.delete('/project?status=eq.last')).status).toBe(204)
  const dispatcher = dispatch(world)
  await acme.seed(['After'])
  await until(() => receiver.names.includes('After'))
  await dispatcher.stop()
  const { json: events } = await acme.get('/event?select=sequence,type,resource&order=sequence&limit=1000')
  expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
    events.map((_: unknown, at: number) => at + 1),
  )
  const kinds = events.map(({ type }: { type: string }) => type).slice(-10)
  expect(kinds.filter((type: string) => !type.endsWith('.created'))).toEqual([
    ...Array(4).fill('project.updated'),
    ...Array(2).fill('project.deleted'),
  ])
  await createField(db, acme.id, { resource: 'bid', name: 'height', type: 'integer', indexed: true })
  await settleNow(db)
  expect((await acme.get('/bid?height=is.null')).json.length).toBeGreaterThan(0)
}, 300_000)
