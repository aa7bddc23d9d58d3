import { beforeEach, expect, test } from 'bun:test'
import { PostgrestClient, PostgrestError } from '@supabase/postgrest-js'
import { onEachEngine } from '../support/engines.ts'
import {
  absent,
  answer,
  bidId,
  connectBare,
  expectRivalUntouched,
  moment,
  named,
  nameOf,
  ok,
  projectId,
  projects,
  refused,
  seed,
  uuid,
} from './support.ts'

onEachEngine('client: postgrest-js alone', (world) => {
  beforeEach(() => seed(world))
  const from = (resource: string) => connectBare(world).from(resource)
  const row = { bid_id: bidId(3), project_name: 'New' }
  const times = { created_at: moment, updated_at: moment }

  test('reads all', async () => {
    expect(await answer(from('project').select())).toEqual(ok(projects.map((one) => ({ ...one, ...times }))))
  })

  test('reads some columns, filtered, ordered, cut and counted', async () => {
    const query = from('project').select('project_name', { count: 'exact' }).eq('bid_id', bidId(2))
    expect(await answer(query.order('project_name', { ascending: false }).range(1, 2))).toEqual(ok(named(7, 5), 206, 4))
  })

  test('reads a single row', async () => {
    expect(await answer(from('bid').select('bid_name').eq('id', bidId(1)).single())).toEqual(
      ok({ bid_name: 'Harbour' }),
    )
  })

  test('reads a single row or none', async () => {
    expect(await answer(from('bid').select().eq('id', absent).maybeSingle())).toEqual(ok(null))
  })

  test('counts without rows', async () => {
    expect(await answer(from('bid').select('*', { count: 'exact', head: true }))).toEqual(ok(null, 200, 3))
  })

  test('embeds both ways', async () => {
    const query = from('bid').select('bid_name, project(project_name, bid(bid_name))').eq('id', bidId(2))
    expect(await answer(query.limit(1, { referencedTable: 'project' }).single())).toEqual(
      ok({ bid_name: 'Motorway', project: [{ project_name: nameOf(4), bid: { bid_name: 'Motorway' } }] }),
    )
  })

  test('still takes the old name of an option', async () => {
    const query = from('bid').select('project(project_name)').eq('id', bidId(2))
    const limited = query
      .order('id', { foreignTable: 'project', ascending: false })
      .limit(2, { foreignTable: 'project' })
    expect(await answer(limited.single())).toEqual(ok({ project: named(7, 6) }))
  })

  test('takes alternatives', async () => {
    const query = from('project')
      .select('project_name')
      .or(`id.eq.${projectId(1)},project_name.ilike.*straße*`)
    expect(await answer(query)).toEqual(ok(named(1, 6)))
  })

  test('writes CSV', async () => {
    expect(await answer(from('bid').select('bid_name').limit(2).csv())).toEqual(ok('bid_name\nHarbour\nMotorway'))
  })

  test('strips nulls', async () => {
    const query = from('project').select('id, bid(id)').eq('bid.id', absent).eq('id', projectId(1)).stripNulls()
    expect(await answer(query)).toEqual(ok([{ id: projectId(1) }]))
  })

  test('inserts', async () => {
    expect(await answer(from('project').insert(row).select())).toEqual(ok([{ ...row, id: uuid, ...times }], 201))
  })

  test('inserts a list and counts it', async () => {
    const query = from('project').insert([row, { ...row, project_name: 'Newer' }], { count: 'exact' })
    expect(await answer(query.select('project_name'))).toEqual(
      ok([{ project_name: 'New' }, { project_name: 'Newer' }], 201, 2),
    )
  })

  test('upserts', async () => {
    const query = from('project')
      .upsert({ ...row, id: projectId(1) }, { onConflict: 'id' })
      .select('project_name')
    expect(await answer(query)).toEqual(ok([{ project_name: 'New' }]))
  })

  test('updates', async () => {
    expect(await answer(from('bid').update({ bid_name: 'Port' }).eq('id', bidId(1)))).toEqual(ok(null, 204))
    expect(await answer(from('bid').select('bid_name').eq('id', bidId(1)))).toEqual(ok([{ bid_name: 'Port' }]))
  })

  test('deletes', async () => {
    expect(await answer(from('project').delete({ count: 'exact' }).eq('bid_id', bidId(2)))).toEqual(ok(null, 204, 4))
  })

  test('names the schema when told to', async () => {
    const query = connectBare(world).schema('public').from('bid').select('id').limit(1)
    expect(await answer(query)).toEqual(ok([{ id: bidId(1) }]))
    const other = connectBare(world).schema('other').from('bid').select('id')
    expect(await answer(other)).toEqual(refused(406, 'PGRST106', 'Invalid schema: other'))
  })

  test('returns nothing when a header says so', async () => {
    const query = from('project').insert(row).setHeader('Prefer', 'return=minimal')
    expect(await answer(query)).toEqual(ok(null, 201))
    expect((await from('project').select('*', { count: 'exact', head: true }).eq('bid_id', bidId(3))).count).toBe(1)
  })

  test('reads a page that a Range header cuts', async () => {
    const query = from('project').select('project_name', { count: 'exact' }).setHeader('Range', '2-3')
    expect(await answer(query)).toEqual(ok(named(3, 4), 206, 8))
  })

  test('tells what was refused', async () => {
    const message = 'column project.nope does not exist'
    expect(await answer(from('project').select('nope'))).toEqual(refused(400, '42703', message))
  })

  test('throws what was refused', async () => {
    const query = from('project')
      .insert({ ...row, bid_id: absent })
      .throwOnError()
    const thrown = await query.then(null, (error: unknown) => error)
    expect(thrown).toBeInstanceOf(PostgrestError)
    expect(thrown).toMatchObject({ code: '23503', hint: expect.any(String), details: expect.any(String) })
  })

  test('is refused without a key', async () => {
    const client = new PostgrestClient(`${world.base}/rest/v1`)
    expect(await answer(client.from('project').select())).toEqual(
      refused(401, 'invalid_api_key', 'No API key found in the request'),
    )
  })

  test('needs no Authorization next to the key', async () => {
    const { Authorization: _, ...headers } = world.acme.headers
    const client = new PostgrestClient(`${world.base}/rest/v1`, { headers })
    expect(await answer(client.from('bid').select('id').limit(1))).toEqual(ok([{ id: bidId(1) }]))
  })

  test('is refused with a bearer that is not the key', async () => {
    const headers = { ...world.acme.headers, Authorization: `Bearer ${world.rival.apiKey}` }
    const client = new PostgrestClient(`${world.base}/rest/v1`, { headers })
    expect((await client.from('project').select()).status).toBe(401)
  })

  test('works with a time limit', async () => {
    const client = new PostgrestClient(`${world.base}/rest/v1`, { headers: world.acme.headers, timeout: 60_000 })
    expect(await answer(client.from('bid').select('id').limit(1))).toEqual(ok([{ id: bidId(1) }]))
  })

  test('can use one builder for several requests', async () => {
    const project = from('project')
    const [first, second] = await Promise.all([
      answer(project.select('project_name').eq('id', projectId(1))),
      answer(project.select('project_name').eq('id', projectId(2))),
    ])
    expect([first, second]).toEqual([ok(named(1)), ok(named(2))])
  })

  test('never sees nor touches the other company', async () => {
    await from('project').update({ project_name: 'Mine' }).not('id', 'is', null).throwOnError()
    expect(JSON.stringify((await from('bid').select('*, project(*)')).data)).not.toContain('Rival')
    await expectRivalUntouched(world)
  })
})
