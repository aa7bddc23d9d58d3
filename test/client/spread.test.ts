import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { answer, bidId, connect, nameOf, ok, projectId, refused, seed } from './support.ts'

onEachEngine('client: spread', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)

  test('lifts a column of the bid into its projects', async () => {
    const query = from('project')
      .select('project_name, ...bid(bid_name)')
      .in('id', [projectId(3), projectId(4)])
    expect(await answer(query)).toEqual(
      ok([
        { project_name: nameOf(3), bid_name: 'Harbour' },
        { project_name: nameOf(4), bid_name: 'Motorway' },
      ]),
    )
  })

  test('lifts it under another name', async () => {
    const query = from('project').select('id, ...bid(offer:bid_name, offer_id:id)').eq('id', projectId(1)).single()
    expect(await answer(query)).toEqual(ok({ id: projectId(1), offer: 'Harbour', offer_id: bidId(1) }))
  })

  test('lifts null where the filter leaves no bid', async () => {
    const query = from('project').select('id, ...bid(bid_name)').eq('bid.bid_name', 'x').eq('id', projectId(1))
    expect(await answer(query)).toEqual(ok([{ id: projectId(1), bid_name: null }]))
  })

  test('lifts and joins', async () => {
    const query = from('project').select('id, ...bid!inner(bid_name)').eq('bid.bid_name', 'Motorway').limit(1)
    expect(await answer(query)).toEqual(ok([{ id: projectId(4), bid_name: 'Motorway' }]))
  })

  test('lifts what is embedded in the bid', async () => {
    const query = from('project').select('id, ...bid(project(id))').eq('id', projectId(7))
    expect(await answer(query.limit(1, { referencedTable: 'bid.project' }).single())).toEqual(
      ok({ id: projectId(7), project: [{ id: projectId(4) }] }),
    )
  })

  test('lifts the projects of a bid as lists', async () => {
    expect(await answer(from('bid').select('bid_name, ...project(names:project_name, ids:id)'))).toEqual(
      ok([
        { bid_name: 'Harbour', names: [1, 2, 3, 8].map(nameOf), ids: [1, 2, 3, 8].map(projectId) },
        { bid_name: 'Motorway', names: [4, 5, 6, 7].map(nameOf), ids: [4, 5, 6, 7].map(projectId) },
        { bid_name: 'Ünïcode tender', names: [], ids: [] },
      ]),
    )
  })

  test('orders and limits the lists alike', async () => {
    const query = from('bid').select('...project(names:project_name, ids:id)').eq('id', bidId(2))
    const ordered = query.order('project_name', { referencedTable: 'project', ascending: false })
    expect(await answer(ordered.limit(2, { referencedTable: 'project' }).single())).toEqual(
      ok({ names: [6, 7].map(nameOf), ids: [6, 7].map(projectId) }),
    )
  })

  test('filters the lists', async () => {
    const query = from('bid').select('...project(names:project_name)').like('project.project_name', '%bridge%')
    expect(await answer(query)).toEqual(ok([{ names: [1, 2].map(nameOf) }, { names: [] }, { names: [] }]))
  })

  // An aggregate in a spread belongs to the rows around it: one group here, since nothing else is selected.
  test('hoists an aggregate out of the bid', async () => {
    expect(await answer(from('project').select('...bid(last:bid_name.max())'))).toEqual(ok([{ last: 'Motorway' }]))
  })

  test('groups by a lifted column', async () => {
    const query = from('project').select('bid_id, ...bid(bid_name), count()').order('bid_id')
    expect(await answer(query)).toEqual(
      ok([
        { bid_id: bidId(1), bid_name: 'Harbour', count: 4 },
        { bid_id: bidId(2), bid_name: 'Motorway', count: 4 },
      ]),
    )
  })

  test('orders groups by a lifted column', async () => {
    const query = from('project').select('...bid(bid_name), count()').order('bid(bid_name)', { ascending: false })
    expect(await answer(query)).toEqual(
      ok([
        { bid_name: 'Motorway', count: 4 },
        { bid_name: 'Harbour', count: 4 },
      ]),
    )
  })

  test('refuses an aggregate in a list', async () => {
    const details = 'Aggregates are not implemented for one-to-many or many-to-many spreads.'
    expect(await answer(from('bid').select('id, ...project(id.count())'))).toEqual(
      refused(400, 'PGRST127', 'Feature not implemented', { details }),
    )
  })

  test('never lifts anything of the other company', async () => {
    const { data: projects } = await from('project').select('id, ...bid(bid_name)')
    const { data: bids } = await from('bid').select('id, ...project(names:project_name)')
    expect(JSON.stringify([projects, bids])).not.toContain('Rival')
  })
})
