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

onEachEngine('client: embedding', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const harbour = { bid_name: 'Harbour' }
  const motorway = { bid_name: 'Motorway' }
  const tender = { bid_name: 'Ünïcode tender' }

  test('shows the bid of each project', async () => {
    const query = from('project').select('project_name, bid(bid_name)').gte('id', projectId(7))
    expect(await answer(query)).toEqual(
      ok([
        { project_name: nameOf(7), bid: motorway },
        { project_name: nameOf(8), bid: harbour },
      ]),
    )
  })

  test('shows the projects of each bid, and none as an empty list', async () => {
    expect(await answer(from('bid').select('bid_name, project(project_name)'))).toEqual(
      ok([
        { ...harbour, project: named(1, 2, 3, 8) },
        { ...motorway, project: named(4, 5, 6, 7) },
        { ...tender, project: [] },
      ]),
    )
  })

  test('shows all columns on both sides', async () => {
    const times = { created_at: moment, updated_at: moment }
    const query = from('project').select('*, bid(*)').eq('id', projectId(1)).single()
    expect(await answer(query)).toEqual(ok({ ...projects[0], ...times, bid: { ...bids[0], ...times } }))
  })

  test('renames what is embedded', async () => {
    const query = from('project').select('id, offer:bid(title:bid_name)').eq('id', projectId(1))
    expect(await answer(query)).toEqual(ok([{ id: projectId(1), offer: { title: 'Harbour' } }]))
  })

  for (const name of ['bid', 'bid_id', 'project_bid_id_fkey']) {
    test(`knows the bid by the name ${name}`, async () => {
      const query = from('project').select(`${name}(bid_name)`).eq('id', projectId(4)).single()
      expect(await answer(query)).toEqual(ok({ [name]: motorway }))
    })
  }

  for (const hint of ['bid_id', 'project_bid_id_fkey']) {
    test(`takes the hint ${hint} on both sides`, async () => {
      const project = from('project').select(`bid!${hint}(bid_name)`).eq('id', projectId(4))
      expect(await answer(project.single())).toEqual(ok({ bid: motorway }))
      const bid = from('bid').select(`project!${hint}(project_name)`).eq('id', bidId(1))
      expect(await answer(bid.single())).toEqual(ok({ project: named(1, 2, 3, 8) }))
    })
  }

  test('embeds in what is embedded', async () => {
    const query = from('project').select('id, bid(bid_name, project(project_name))').eq('id', projectId(4)).single()
    expect(await answer(query)).toEqual(ok({ id: projectId(4), bid: { ...motorway, project: named(4, 5, 6, 7) } }))
  })

  test('filters what is embedded, not the rows around it', async () => {
    const query = from('bid').select('bid_name, project(project_name)').ilike('project.project_name', '%bridge%')
    expect(await answer(query)).toEqual(
      ok([
        { ...harbour, project: named(1, 2) },
        { ...motorway, project: [] },
        { ...tender, project: [] },
      ]),
    )
  })

  test('shows null for a bid that the filter leaves out', async () => {
    const query = from('project').select('project_name, bid(bid_name)').eq('bid.bid_name', 'Motorway')
    expect(await answer(query.lte('id', projectId(4)).gte('id', projectId(3)))).toEqual(
      ok([
        { project_name: nameOf(3), bid: null },
        { project_name: nameOf(4), bid: motorway },
      ]),
    )
  })

  test('filters what is embedded under its new name', async () => {
    const query = from('project').select('id, offer:bid(bid_name)').eq('offer.bid_name', 'x').eq('id', projectId(1))
    expect(await answer(query)).toEqual(ok([{ id: projectId(1), offer: null }]))
  })

  test('filters what is renamed under the name of its resource, too', async () => {
    const query = from('project').select('id, offer:bid(bid_name)').eq('bid.bid_name', 'x').eq('id', projectId(1))
    expect(await answer(query)).toEqual(ok([{ id: projectId(1), offer: null }]))
  })

  test('filters deep inside', async () => {
    const query = from('project').select('id, bid(project(project_name))').like('bid.project.project_name', 'Eps%')
    expect(await answer(query.eq('id', projectId(4)).single())).toEqual(
      ok({ id: projectId(4), bid: { project: named(5) } }),
    )
  })

  test('takes alternatives for what is embedded', async () => {
    const query = from('bid').select('project(project_name)').eq('id', bidId(1))
    const text = 'project_name.like.Alpha*,and(project_name.like.*dam,id.not.is.null)'
    expect(await answer(query.or(text, { referencedTable: 'project' }).single())).toEqual(ok({ project: named(1, 3) }))
  })

  test('orders what is embedded', async () => {
    const query = from('bid').select('project(project_name)').eq('id', bidId(2))
    const ordered = query.order('project_name', { referencedTable: 'project', ascending: false })
    expect(await answer(ordered.single())).toEqual(ok({ project: named(6, 7, 5, 4) }))
  })

  test('limits what is embedded, for each row around it', async () => {
    const query = from('bid').select('project(project_name)').limit(1, { referencedTable: 'project' })
    expect(await answer(query)).toEqual(ok([{ project: named(1) }, { project: named(4) }, { project: [] }]))
  })

  test('cuts a range out of what is embedded', async () => {
    const query = from('bid').select('project(project_name)').range(1, 2, { referencedTable: 'project' })
    expect(await answer(query)).toEqual(ok([{ project: named(2, 3) }, { project: named(5, 6) }, { project: [] }]))
  })

  test('embeds the same resource twice under two names', async () => {
    const query = from('bid').select('first:project(project_name), last:project(project_name)').eq('id', bidId(1))
    const both = query.limit(1, { referencedTable: 'first' }).limit(1, { referencedTable: 'last' })
    const ordered = both.order('id', { referencedTable: 'last', ascending: false })
    expect(await answer(ordered.single())).toEqual(ok({ first: named(1), last: named(8) }))
  })

  test('refuses the same resource twice under one name', async () => {
    const message = expect.stringMatching(/^table name ".*" specified more than once$/)
    expect(await answer(from('project').select('bid(*), bid(*)'))).toEqual(refused(400, '42712', message))
  })

  test('refuses to embed what has no relation', async () => {
    const message = "Could not find a relationship between 'project' and 'user' in the schema cache"
    const details =
      "Searched for a foreign key relationship between 'project' and 'user' in the schema 'public', but no matches were found."
    expect(await answer(from('project').select('user(*)'))).toEqual(refused(400, 'PGRST200', message, { details }))
  })

  test('refuses a hint that names no relation', async () => {
    const message = "Could not find a relationship between 'project' and 'bid' in the schema cache"
    const details = expect.stringContaining("between 'project' and 'bid' using the hint 'nope' in the schema")
    expect(await answer(from('project').select('bid!nope(*)'))).toEqual(refused(400, 'PGRST200', message, { details }))
  })

  test('refuses a filter on what is not embedded', async () => {
    const message = "'bid' is not an embedded resource in this request"
    const hint = "Verify that 'bid' is included in the 'select' query parameter."
    expect(await answer(from('project').select().eq('bid.bid_name', 'x'))).toEqual(
      refused(400, 'PGRST108', message, { hint }),
    )
  })

  test('refuses to order bids by their projects', async () => {
    const query = from('bid').select('id, project(id)').order('project(project_name)')
    const details = "'bid' and 'project' do not form a many-to-one or one-to-one relationship"
    expect(await answer(query)).toEqual(
      refused(400, 'PGRST118', "A related order on 'project' is not possible", { details }),
    )
  })

  test('never embeds a row of the other company, though its ids are the same', async () => {
    const { data } = await from('bid').select('*, project(*, bid(*, project(*)))')
    expect(JSON.stringify(data)).not.toContain('Rival')
    const rival = connect(world, world.rival).from('bid').select('bid_name, project(project_name)')
    expect(await answer(rival)).toEqual(
      ok([
        { bid_name: 'Rival harbour', project: [{ project_name: 'Rival secret' }, { project_name: 'Alpha bridge' }] },
      ]),
    )
  })
})
