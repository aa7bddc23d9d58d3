import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { makeDistributedPlace, query } from '../support/citus.ts'
import { World } from '../support/world.ts'

const cluster = { name: 'postgres', makePlace: makeDistributedPlace } as const
const nowhere = '00000000-0000-4000-8000-00000000dead'
const whole = { Prefer: 'return=representation' }
const upsert = { Prefer: 'resolution=merge-duplicates, return=representation' }

describe('rows on a cluster', () => {
  const world = new World({})
  beforeAll(() => world.open(cluster), 300_000)
  afterAll(() => world.close())

  const rowsOf = (count: number, name = 'Row') =>
    Array.from({ length: count }, (_, at) => ({ bid_id: world.acme.bid, project_name: `${name} ${at}` }))
  const countOf = async (name: string): Promise<number> => {
    const { json } = await world.acme.get(`/project?select=count()&project_name=like.${name}*`)
    return json[0].count
  }

  for (const count of [2, 1500]) {
    test(`${count} at once, one of them with an unknown bid, are a conflict, and none is stored`, async () => {
      const rows = rowsOf(count, `Orphan${count}`).with(-1, { bid_id: nowhere, project_name: `Orphan${count}` })
      for (const headers of [whole, upsert]) {
        const { status, json } = await world.acme.post('/project', rows, headers)
        expect([status, json.code]).toEqual([409, '23503'])
      }
      expect(await countOf(`Orphan${count}`)).toBe(0)
    })

    test(`${count} at once, one of them with an id that is taken, are a conflict, and none is stored`, async () => {
      const twin = { id: world.acme.project, bid_id: world.acme.bid, project_name: `Twin${count}` }
      const ids = rowsOf(count, `Twin${count}`).map((row) => ({ id: Bun.randomUUIDv7(), ...row }))
      const { status, json } = await world.acme.post('/project', ids.with(-1, twin), whole)
      expect([status, json.code]).toEqual([409, '23505'])
      expect(await countOf(`Twin${count}`)).toBe(0)
    })
  }

  test('the bid of another company is as unknown as none', async () => {
    const rows = rowsOf(2).with(1, { bid_id: world.rival.bid, project_name: 'Stolen' })
    const { status, json } = await world.acme.post('/project', rows)
    expect([status, json.code]).toEqual([409, '23503'])
    expect((await world.rival.get('/project?project_name=eq.Stolen')).json).toEqual([])
  })

  test('more of them than one statement takes come back in their order, created and merged', async () => {
    const rows = rowsOf(9999, 'Many').map((row) => ({ id: Bun.randomUUIDv7(), ...row }))
    const created = await world.acme.post('/project?select=project_name', rows, whole)
    expect([created.status, created.json.message]).toEqual([201, undefined])
    expect(created.json.map(({ project_name }: { project_name: string }) => project_name)).toEqual(
      rows.map(({ project_name }) => project_name),
    )
    const fresh = { id: Bun.randomUUIDv7(), bid_id: world.acme.bid, project_name: 'Many more' }
    const merged = await world.acme.post('/project?select=id', [...rows, fresh], upsert)
    expect([merged.status, merged.json.length]).toEqual([201, 10_000])
    expect(await countOf('Many')).toBe(10_000)
    const removed = await world.acme.delete('/project?project_name=like.Many*', { Prefer: 'count=exact' })
    expect([removed.status, removed.headers.get('Content-Range')]).toEqual([204, '*/10000'])
  })

  test('with conditions that contradict each other, nothing is changed or removed, and nothing fails', async () => {
    const both = `/project?id=eq.${world.acme.project}&id=eq.${nowhere}`
    for (const headers of [{}, whole]) {
      const changed = await world.acme.patch(both, { project_name: 'Changed' }, headers)
      const removed = await world.acme.delete(both, headers)
      expect([changed.status, removed.status]).toEqual('Prefer' in headers ? [200, 200] : [204, 204])
    }
    expect((await world.acme.patch('/project?id=is.null', { project_name: 'x' }, whole)).json).toEqual([])
    expect((await world.acme.get(`/project?id=eq.${world.acme.project}`)).json).toHaveLength(1)
    expect((await world.acme.get(both)).json).toEqual([])
  })

  test('how many were changed is told, with and without showing them', async () => {
    await world.acme.post('/project', rowsOf(3, 'Counted'))
    const counted = { Prefer: 'return=minimal, count=exact' }
    const path = '/project?project_name=like.Counted*'
    const changed = await world.acme.patch(path, { project_name: 'Counted' }, counted)
    expect([changed.status, changed.headers.get('Content-Range')]).toEqual([204, '0-2/3'])
    const none = await world.acme.patch('/project?project_name=eq.Nobody', { project_name: 'x' }, counted)
    expect(none.headers.get('Content-Range')).toBe('*/0')
    expect((await world.acme.delete(path, { Prefer: 'max-affected=2, handling=strict' })).status).toBe(400)
    expect(await countOf('Counted')).toBe(3)
  })

  test('are asked of the node that has them, by connections of the service itself', async () => {
    for (let at = 0; at < 50; at += 1) await world.acme.get('/project')
    const [[shard] = []] = await world.db.read(sql`
      select n.nodename || ':' || n.nodeport from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
      where p.shardid = get_shard_id_for_distribution_column('project', ${world.acme.id}::uuid)`)
    const url = new URL(world.databaseUrl)
    url.host = String(shard)
    url.search = ''
    const found = await query(
      url.href,
      `select 1 from pg_stat_activity where datname = current_database() and application_name like 'project-api %' and query like '%from "project"%'`,
    )
    expect(found.length).toBeGreaterThan(0)
  })
})
