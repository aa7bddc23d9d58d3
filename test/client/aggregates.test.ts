import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { answer, bidId, connect, moment, nameOf, ok, refused, seed } from './support.ts'

onEachEngine('client: aggregates', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)

  test('counts all rows', async () => {
    expect(await answer(from('project').select('count()'))).toEqual(ok([{ count: 8 }]))
  })

  test('counts all rows in the old spelling', async () => {
    expect(await answer(from('project').select('count').single())).toEqual(ok({ count: 8 }))
  })

  test('counts under another name', async () => {
    expect(await answer(from('project').select('total:count()').single())).toEqual(ok({ total: 8 }))
  })

  test('counts as text', async () => {
    expect(await answer(from('project').select('count()::text').single())).toEqual(ok({ count: '8' }))
  })

  test('counts what the filters leave', async () => {
    const query = from('project').select('count()').like('project_name', '%bridge%')
    expect(await answer(query)).toEqual(ok([{ count: 2 }]))
  })

  test('counts nothing as zero', async () => {
    expect(await answer(from('project').select('count()').eq('project_name', 'nothing'))).toEqual(ok([{ count: 0 }]))
  })

  test('counts the values of a column', async () => {
    expect(await answer(from('project').select('project_name.count()'))).toEqual(ok([{ count: 8 }]))
  })

  test('counts for each bid', async () => {
    expect(await answer(from('project').select('bid_id, count()').order('bid_id'))).toEqual(
      ok([
        { bid_id: bidId(1), count: 4 },
        { bid_id: bidId(2), count: 4 },
      ]),
    )
  })

  test('orders groups downwards and limits them', async () => {
    const query = from('project').select('bid_id, count()').order('bid_id', { ascending: false }).limit(1)
    expect(await answer(query)).toEqual(ok([{ bid_id: bidId(2), count: 4 }]))
  })

  test('finds the smallest and the largest', async () => {
    const query = from('project').select('first:project_name.min(), last:project_name.max()')
    expect(await answer(query)).toEqual(ok([{ first: nameOf(4), last: nameOf(6) }]))
  })

  test('finds the smallest and the largest of each bid', async () => {
    const query = from('project').select('bid_id, first:project_name.min(), last:project_name.max()').order('bid_id')
    expect(await answer(query)).toEqual(
      ok([
        { bid_id: bidId(1), first: nameOf(1), last: nameOf(8) },
        { bid_id: bidId(2), first: nameOf(4), last: nameOf(6) },
      ]),
    )
  })

  test('finds the newest moment', async () => {
    expect(await answer(from('project').select('created_at.max()').single())).toEqual(ok({ max: moment }))
  })

  test('finds the newest moment and casts it', async () => {
    const { data } = await from('project').select('max:created_at.max(), day:created_at.max()::date').single()
    expect(data).toEqual({ max: moment, day: String(data?.max).slice(0, 10) })
  })

  test('finds null where there is nothing', async () => {
    const query = from('project').select('project_name.max(), count()').eq('project_name', 'nothing')
    expect(await answer(query)).toEqual(ok([{ max: null, count: 0 }]))
  })

  test('groups by a cast column', async () => {
    const { data: newest } = await from('project').select('created_at.max()').single()
    const query = from('project').select('day:created_at::date, count()')
    expect(await answer(query)).toEqual(ok([{ day: String(newest?.max).slice(0, 10), count: 8 }]))
  })

  test('counts what is embedded', async () => {
    expect(await answer(from('bid').select('bid_name, project(count())'))).toEqual(
      ok([
        { bid_name: 'Harbour', project: [{ count: 4 }] },
        { bid_name: 'Motorway', project: [{ count: 4 }] },
        { bid_name: 'Ünïcode tender', project: [{ count: 0 }] },
      ]),
    )
  })

  test('counts what is embedded in the old spelling', async () => {
    const query = from('bid').select('bid_name, project(count)').eq('id', bidId(1)).single()
    expect(await answer(query)).toEqual(ok({ bid_name: 'Harbour', project: [{ count: 4 }] }))
  })

  test('counts of what is embedded what its filters leave', async () => {
    const query = from('bid').select('id, project(count)').like('project.project_name', '%bridge%').eq('id', bidId(1))
    expect(await answer(query)).toEqual(ok([{ id: bidId(1), project: [{ count: 2 }] }]))
  })

  test('groups by what is embedded', async () => {
    const query = from('project').select('bid_id, count(), bid(bid_name)').order('bid_id', { ascending: false })
    expect(await answer(query)).toEqual(
      ok([
        { bid_id: bidId(2), count: 4, bid: { bid_name: 'Motorway' } },
        { bid_id: bidId(1), count: 4, bid: { bid_name: 'Harbour' } },
      ]),
    )
  })

  test('refuses to order groups by what they are not grouped by', async () => {
    const message = expect.stringMatching(/^column ".*" must appear in the GROUP BY clause/)
    expect(await answer(from('project').select('bid_id, count()').order('project_name'))).toEqual(
      refused(400, '42803', message),
    )
    expect(await answer(from('project').select('count(), bid(bid_name)').order('bid(bid_name)'))).toEqual(
      refused(400, '42803', message),
    )
  })

  test('groups inside what is embedded', async () => {
    const query = from('bid').select('id, project(bid_id, total:count())').eq('id', bidId(2)).single()
    expect(await answer(query)).toEqual(ok({ id: bidId(2), project: [{ bid_id: bidId(2), total: 4 }] }))
  })

  test('refuses to add up what is no number', async () => {
    for (const name of ['sum', 'avg']) {
      const query = from('project').select(`project_name.${name}()`)
      expect(await answer(query)).toEqual(refused(400, '42883', `function ${name}(text) does not exist`))
    }
  })

  test('refuses an unknown aggregate', async () => {
    const message = expect.stringContaining('failed to parse select parameter (project_name.median())')
    expect(await answer(from('project').select('project_name.median()'))).toEqual(refused(400, 'PGRST100', message))
  })

  test('never counts the other company', async () => {
    expect(await answer(connect(world, world.rival).from('project').select('count()'))).toEqual(ok([{ count: 2 }]))
    expect(await answer(from('project').select('count()').eq('project_name', 'Alpha bridge'))).toEqual(
      ok([{ count: 1 }]),
    )
    const ends = from('project').select('first:project_name.min(), last:project_name.max()').single()
    expect(await answer(ends)).toEqual(ok({ first: nameOf(4), last: nameOf(6) }))
  })
})
