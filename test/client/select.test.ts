import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import {
  answer,
  bidId,
  bids,
  connect,
  moment,
  named,
  nameOf,
  ok,
  projectId,
  projects,
  refused,
  seed,
} from './support.ts'

onEachEngine('client: select', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const times = { created_at: moment, updated_at: moment }

  test('shows every column of every project, in the order of their ids', async () => {
    expect(await answer(from('project').select())).toEqual(ok(projects.map((row) => ({ ...row, ...times }))))
  })

  test('shows every column of every bid', async () => {
    expect(await answer(from('bid').select('*'))).toEqual(ok(bids.map((row) => ({ ...row, ...times }))))
  })

  test('takes an empty select for all columns', async () => {
    expect(await answer(from('bid').select('').eq('id', bidId(1)))).toEqual(ok([{ ...bids[0], ...times }]))
  })

  test('shows just the columns that are named', async () => {
    expect(await answer(from('project').select('project_name'))).toEqual(ok(named(1, 2, 3, 4, 5, 6, 7, 8)))
  })

  test('does not mind blanks and line breaks in the list of columns', async () => {
    expect(await answer(from('bid').select('\n  id,\n  bid_name\n'))).toEqual(ok(bids))
  })

  test('takes a column name in quotes', async () => {
    expect(await answer(from('bid').select('"bid_name"').eq('id', bidId(2)))).toEqual(ok([{ bid_name: 'Motorway' }]))
  })

  test('renames a column', async () => {
    const query = from('bid').select('number:id, title:bid_name').eq('id', bidId(1))
    expect(await answer(query)).toEqual(ok([{ number: bidId(1), title: 'Harbour' }]))
  })

  test('shows a column next to the same one under another name', async () => {
    const query = from('bid').select('bid_name, again:bid_name').eq('id', bidId(1))
    expect(await answer(query)).toEqual(ok([{ bid_name: 'Harbour', again: 'Harbour' }]))
  })

  test('shows a column that is named twice once', async () => {
    expect(await answer(from('bid').select('id,id').eq('id', bidId(1)))).toEqual(ok([{ id: bidId(1) }]))
  })

  test('adds a renamed column to all columns', async () => {
    const query = from('bid').select('*, title:bid_name').eq('id', bidId(1))
    expect(await answer(query)).toEqual(ok([{ ...bids[0], ...times, title: 'Harbour' }]))
  })

  test('casts a column', async () => {
    const query = from('bid').select('id::text, created_at, day:created_at::date').eq('id', bidId(1))
    const { data } = await query.single()
    expect(data).toEqual({ id: bidId(1), created_at: moment, day: data?.created_at.slice(0, 10) })
  })

  test('counts along with the rows', async () => {
    expect(await answer(from('bid').select('id', { count: 'exact' }))).toEqual(
      ok([{ id: bidId(1) }, { id: bidId(2) }, { id: bidId(3) }], 200, 3),
    )
  })

  for (const count of ['exact', 'planned', 'estimated'] as const) {
    test(`counts without rows, ${count}`, async () => {
      expect(await answer(from('project').select('*', { count, head: true }))).toEqual(ok(null, 200, 8))
    })
  }

  test('counts what the filters leave', async () => {
    const query = from('project').select('*', { count: 'exact', head: true }).eq('bid_id', bidId(1))
    expect(await answer(query)).toEqual(ok(null, 200, 4))
  })

  test('counts nothing as zero', async () => {
    const query = from('project').select('*', { count: 'exact' }).eq('project_name', 'nowhere')
    expect(await answer(query)).toEqual(ok([], 200, 0))
  })

  test('tells a page from the whole by its status', async () => {
    const query = from('project').select('project_name', { count: 'exact' }).limit(2)
    expect(await answer(query)).toEqual(ok(named(1, 2), 206, 8))
  })

  test('tells a page from the whole without rows, too', async () => {
    const query = from('project').select('*', { count: 'exact', head: true }).range(6, 9)
    expect(await answer(query)).toEqual(ok(null, 206, 8))
  })

  test('asks only whether a read would go well', async () => {
    expect(await answer(from('project').select('*', { head: true }))).toEqual(ok(null))
  })

  test('returns an empty list where nothing matches', async () => {
    expect(await answer(from('project').select().eq('project_name', ''))).toEqual(ok([]))
  })

  test('returns a single object', async () => {
    const query = from('project').select('project_name').eq('id', projectId(6)).single()
    expect(await answer(query)).toEqual(ok({ project_name: nameOf(6) }))
  })

  test('returns a single object with its count', async () => {
    const query = from('bid').select('id', { count: 'exact' }).eq('id', bidId(2)).single()
    expect(await answer(query)).toEqual(ok({ id: bidId(2) }, 200, 1))
  })

  // The idiom for "the newest", "the first": one row out of many.
  test('returns the first of many as a single object', async () => {
    const query = from('project').select('project_name').order('project_name').limit(1).single()
    expect(await answer(query)).toEqual(ok({ project_name: nameOf(4) }))
  })

  test('returns one row from the middle as a single object', async () => {
    const query = from('project').select('project_name').range(2, 2).single()
    expect(await answer(query)).toEqual(ok({ project_name: nameOf(3) }))
  })

  const notSingle = 'Cannot coerce the result to a single JSON object'

  test('refuses no row as a single object', async () => {
    const query = from('project').select().eq('project_name', 'nowhere').single()
    expect(await answer(query)).toEqual(refused(406, 'PGRST116', notSingle, { details: 'The result contains 0 rows' }))
  })

  test('refuses many rows as a single object', async () => {
    expect(await answer(from('bid').select().single())).toEqual(
      refused(406, 'PGRST116', notSingle, { details: 'The result contains 3 rows' }),
    )
  })

  test('may return a single object', async () => {
    const query = from('bid').select('bid_name').eq('id', bidId(3)).maybeSingle()
    expect(await answer(query)).toEqual(ok({ bid_name: 'Ünïcode tender' }))
  })

  test('may return no object', async () => {
    expect(await answer(from('bid').select().eq('bid_name', 'nothing').maybeSingle())).toEqual(ok(null))
  })

  test('may not return many objects as one', async () => {
    const message = 'JSON object requested, multiple (or no) rows returned'
    expect(await answer(from('bid').select().maybeSingle())).toEqual(refused(406, 'PGRST116', message))
  })

  test('may return the last of many', async () => {
    const query = from('bid').select('id').order('id', { ascending: false }).limit(1).maybeSingle()
    expect(await answer(query)).toEqual(ok({ id: bidId(3) }))
  })

  test('keeps every sign of every language', async () => {
    const { data } = await from('project').select('project_name').eq('project_name', nameOf(6)).single()
    expect(data).toEqual({ project_name: 'Ünïcode Straße 東京 🏗️' })
  })

  test('never shows the other company', async () => {
    const { data } = await from('project').select('*, bid(*)', { count: 'exact' })
    expect(JSON.stringify(data)).not.toContain('Rival')
    expect(await answer(from('project').select('id').eq('project_name', 'Alpha bridge'))).toEqual(
      ok([{ id: projectId(1) }]),
    )
    expect(await answer(from('project').select('project_name').eq('id', projectId(1)).single())).toEqual(
      ok({ project_name: 'Alpha bridge' }),
    )
  })

  test('shows nothing without the secret, and counts nothing', async () => {
    const stranger = connect(world, world.acme, {})
    expect(await answer(stranger.from('project').select('*', { count: 'exact' }))).toEqual(ok([], 200, 0))
  })

  test("shows nothing with the other company's secret", async () => {
    const mixed = connect(world, world.acme, { 'X-API-Secret': world.rival.apiSecret })
    expect(await answer(mixed.from('project').select())).toEqual(ok([]))
  })
})
