import { beforeEach, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { answer, bidId, connectTyped, expectRivalUntouched, nameOf, ok, projectId, seed } from './support.ts'

/** That the answers are what the types of the client promise: what is read here without a cast must be there. */
onEachEngine('client: types', (world) => {
  beforeEach(() => seed(world))
  const client = () => connectTyped(world)

  test('a row has its columns', async () => {
    const { data } = await client().from('project').select().eq('id', projectId(1)).single().throwOnError()
    const { id, bid_id, project_name, created_at } = data
    expect([id, bid_id, project_name]).toEqual([projectId(1), bidId(1), 'Alpha bridge'])
    expect(new Date(created_at).getFullYear()).toBeGreaterThan(2020)
  })

  test('a project has one bid', async () => {
    const query = client().from('project').select('project_name, bid(bid_name)').eq('id', projectId(4)).single()
    const { data } = await query.throwOnError()
    expect(data.bid.bid_name.toUpperCase()).toBe('MOTORWAY')
  })

  test('a bid has a list of projects', async () => {
    const query = client().from('bid').select('bid_name, project(project_name)').eq('id', bidId(1)).single()
    const { data } = await query.throwOnError()
    expect(data.project.map((project) => project.project_name)).toEqual([1, 2, 3, 8].map(nameOf))
  })

  test('a count is a number', async () => {
    const { data } = await client().from('bid').select('bid_name, project(count)').order('bid_name').throwOnError()
    expect(data.map(({ project }) => project.reduce((sum, { count }) => sum + count, 0))).toEqual([4, 4, 0])
  })

  test('a lifted column is a text', async () => {
    const query = client().from('project').select('...bid(bid_name)').eq('id', projectId(1)).single()
    const { data } = await query.throwOnError()
    expect(data.bid_name.length).toBe('Harbour'.length)
  })

  test('a new row is what was sent and more', async () => {
    const row = { bid_id: bidId(2), project_name: 'Typed' }
    const { data } = await client().from('project').insert(row).select('project_name, id').single().throwOnError()
    expect([data.project_name, data.id.length]).toEqual(['Typed', 36])
  })

  test('a change takes a part of a row', async () => {
    const query = client().from('bid').update({ bid_name: 'Port' }).eq('id', bidId(1)).select('bid_name')
    expect(await answer(query)).toEqual(ok([{ bid_name: 'Port' }]))
  })

  test('nothing of the other company fits in', async () => {
    const { data } = await client().from('bid').select('bid_name, project(project_name)').throwOnError()
    expect(data.map(({ bid_name }) => bid_name)).toEqual(['Harbour', 'Motorway', 'Ünïcode tender'])
    await expectRivalUntouched(world)
  })
})
