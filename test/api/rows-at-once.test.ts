import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { distributed, onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { type Reply, type Tenant, World } from '../support/world.ts'

const whole = { Prefer: 'return=representation' }
const nowhere = '00000000-0000-4000-8000-00000000dead'

const name = 'new rows that are sent at the same time'

onEachEngine(name, define)

// It writes them together.
describe(`${name} (distributed)`, () => {
  const world = new World({})
  beforeAll(() => world.open(distributed), 300_000)
  afterAll(() => world.close())
  define(world)
})

function define(world: World): void {
  const rowsOf = ({ bid }: Tenant, name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: Bun.randomUUIDv7(),
      bid_id: bid,
      project_name: `${name} ${at}`,
    }))
  const createAll = (tenant: Tenant, rows: readonly object[]): Promise<Reply[]> =>
    Promise.all(rows.map((row) => tenant.post('/project', row, whole)))
  const found = async (tenant: Tenant, path: string, name: string): Promise<readonly string[]> => {
    const { json } = await tenant.get(`${path}&project_name=like.${name}*&order=id`)
    return json.map(({ id }: { id: string }) => id)
  }

  test('are all written, each for its own company, and each with one event', async () => {
    const [mine, theirs] = [rowsOf(world.acme, 'Mine', 120), rowsOf(world.rival, 'Theirs', 40)]
    const [created, others] = await Promise.all([createAll(world.acme, mine), createAll(world.rival, theirs)])
    expect(created.map(({ status, json }) => [status, json[0]?.id])).toEqual(mine.map(({ id }) => [201, id]))
    expect(others.map(({ status }) => status)).toEqual(theirs.map(() => 201))
    const ids = mine.map(({ id }) => id)
    expect(await found(world.acme, '/project?select=id', 'Mine')).toEqual(ids.toSorted())
    expect(await found(world.rival, '/project?select=id', 'Mine')).toEqual([])
    const eventsOf = async (tenant: Tenant, rows: readonly { readonly id: string }[]): Promise<string[]> => {
      const { json } = await tenant.get('/event?select=row_id&type=eq.project.created')
      const all: string[] = json.map(({ row_id }: { row_id: string }) => row_id)
      return all.filter((id) => rows.some((row) => row.id === id))
    }
    await until(async () => (await eventsOf(world.acme, mine)).length >= mine.length)
    expect((await eventsOf(world.acme, mine)).toSorted()).toEqual(ids.toSorted())
    await until(async () => (await eventsOf(world.rival, theirs)).length >= theirs.length)
    expect(await eventsOf(world.rival, [...mine, ...theirs])).toHaveLength(theirs.length)
  })

  test('are each told what is wrong with their own', async () => {
    const rows = rowsOf(world.acme, 'Mixed', 90).map((row, at) => {
      if (at % 9 === 4) return { ...row, bid_id: nowhere }
      if (at % 9 === 7) return { ...row, id: world.acme.project }
      return at % 9 === 8 ? { ...row, bid_id: world.rival.bid } : row
    })
    const replies = await createAll(world.acme, rows)
    const wanted = rows.map((_, at) => ({ 4: '23503', 7: '23505', 8: '23503' })[at % 9] ?? 201)
    expect(replies.map(({ status, json }) => (status === 201 ? status : json.code))).toEqual(wanted)
    const good = rows.filter((_, at) => wanted[at] === 201).map(({ id }) => id)
    expect(await found(world.acme, '/project?select=id', 'Mixed')).toEqual(good.toSorted())
  })
}
