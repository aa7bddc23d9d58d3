import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { answer, bidId, connect, named, nameOf, ok, projectId, refused, seed } from './support.ts'

onEachEngine('client: join', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)

  test('!inner leaves out bids without projects', async () => {
    const query = from('bid')
      .select('id, project!inner(id)', { count: 'exact' })
      .limit(1, { referencedTable: 'project' })
    expect(await answer(query)).toEqual(
      ok(
        [
          { id: bidId(1), project: [{ id: projectId(1) }] },
          { id: bidId(2), project: [{ id: projectId(4) }] },
        ],
        200,
        2,
      ),
    )
  })

  test('!left leaves out nothing', async () => {
    const query = from('bid').select('id, project!left(id)', { count: 'exact', head: true })
    expect(await answer(query)).toEqual(ok(null, 200, 3))
  })

  test('!inner leaves out projects whose bid does not match', async () => {
    const query = from('project').select('project_name, bid!inner(bid_name)', { count: 'exact' })
    expect(await answer(query.eq('bid.bid_name', 'Motorway').lte('id', projectId(5)))).toEqual(
      ok(
        [
          { project_name: nameOf(4), bid: { bid_name: 'Motorway' } },
          { project_name: nameOf(5), bid: { bid_name: 'Motorway' } },
        ],
        200,
        2,
      ),
    )
  })

  test('!inner leaves out bids none of whose projects match, and shows those that do', async () => {
    const query = from('bid').select('bid_name, project!inner(project_name)').like('project.project_name', '%Delta')
    expect(await answer(query)).toEqual(ok([{ bid_name: 'Motorway', project: named(4) }]))
  })

  test('!inner goes together with a hint', async () => {
    const query = from('project').select('id, bid!bid_id!inner(bid_name)').eq('bid.bid_name', 'Harbour').limit(1)
    expect(await answer(query)).toEqual(ok([{ id: projectId(1), bid: { bid_name: 'Harbour' } }]))
  })

  test('!inner inside !inner', async () => {
    const query = from('project').select('project_name, bid!inner(project!inner(project_name))')
    const deep = query.eq('bid.project.project_name', 'Alpha bridge').limit(2)
    expect(await answer(deep)).toEqual(
      ok([1, 2].map((number) => ({ project_name: nameOf(number), bid: { project: named(1) } }))),
    )
  })

  test('an empty embed only joins', async () => {
    const query = from('project').select('project_name, bid!inner()').eq('bid.bid_name', 'Harbour')
    expect(await answer(query)).toEqual(ok(named(1, 2, 3, 8)))
  })

  test('is null: bids without projects', async () => {
    expect(await answer(from('bid').select('bid_name, project()').is('project', null))).toEqual(
      ok([{ bid_name: 'Ünïcode tender' }]),
    )
  })

  test('is not null: bids with projects', async () => {
    expect(await answer(from('bid').select('bid_name, project()').not('project', 'is', null))).toEqual(
      ok([{ bid_name: 'Harbour' }, { bid_name: 'Motorway' }]),
    )
  })

  test('is null is asked of what the filters of the embed leave', async () => {
    const query = from('project').select('project_name, bid()').eq('bid.bid_name', 'Harbour').is('bid', null)
    expect(await answer(query)).toEqual(ok(named(4, 5, 6, 7)))
  })

  test('is null as one of several alternatives', async () => {
    const query = from('bid').select('bid_name, project()').or('project.is.null,bid_name.eq.Harbour')
    expect(await answer(query)).toEqual(ok([{ bid_name: 'Harbour' }, { bid_name: 'Ünïcode tender' }]))
  })

  test('alternatives over two embeds', async () => {
    const query = from('bid').select('bid_name, bridges:project(), deltas:project()')
    const filtered = query.like('bridges.project_name', '%bridge').like('deltas.project_name', '%Delta')
    expect(await answer(filtered.or('bridges.not.is.null,deltas.not.is.null'))).toEqual(
      ok([{ bid_name: 'Harbour' }, { bid_name: 'Motorway' }]),
    )
  })

  test('counts a page of a join', async () => {
    const query = from('project').select('project_name, bid!inner()', { count: 'exact' }).eq('bid.bid_name', 'Harbour')
    expect(await answer(query.range(1, 2))).toEqual(ok(named(2, 3), 206, 4))
  })

  test('orders a join by what is joined', async () => {
    const query = from('project').select('project_name, bid!inner()').order('bid(bid_name)', { ascending: false })
    expect(await answer(query.order('id').limit(5))).toEqual(ok(named(4, 5, 6, 7, 1)))
  })

  test('refuses another filter than null on an embed', async () => {
    const query = from('project').select('id, bid(id)').eq('bid', 'x')
    expect(await answer(query)).toEqual(refused(400, '42703', 'column project.bid does not exist'))
  })

  test('never joins with the other company', async () => {
    const query = from('project').select('id, bid!inner(bid_name)', { count: 'exact' })
    expect(await answer(query.eq('bid.bid_name', 'Rival harbour'))).toEqual(ok([], 200, 0))
    const bids = from('bid').select('id, project!inner(id)').eq('project.project_name', 'Rival secret')
    expect(await answer(bids)).toEqual(ok([]))
  })
})
