import { expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import type { Tenant } from '../support/world.ts'

const merge = { Prefer: 'resolution=merge-duplicates' }
const ifNew = { 'If-None-Match': '*' }

onEachEngine('preconditions', (world) => {
  const rowOf = ({ bid }: Tenant, id: string, project_name: string) => ({ id, bid_id: bid, project_name })
  const nameOf = async (id: string, tenant: Tenant = world.acme) =>
    (await tenant.get(`/project?id=eq.${id}`)).json[0]?.project_name
  const made = async (): Promise<string> => (await world.acme.seed(['Old']))[0] ?? ''
  const put = (id: string, name: string, headers: Record<string, string>) =>
    world.acme.put(`/project?id=eq.${id}`, rowOf(world.acme, id, name), headers)
  const refused = [412, 'precondition_failed']

  test('PUT with the current ETag changes the row, and with it once more does not', async () => {
    const id = await made()
    const version = (await world.acme.get(`/project?id=eq.${id}`)).headers.get('ETag') ?? ''
    expect((await put(id, 'New', { 'If-Match': version })).status).toBe(204)
    const { status, json } = await put(id, 'Newer', { 'If-Match': version })
    expect([status, json.code, await nameOf(id)]).toEqual([...refused, 'New'])
  })

  test('PUT with If-Match makes no row that is not there', async () => {
    const id = Bun.randomUUIDv7()
    for (const tag of ['*', '"old"']) {
      const { status, json } = await put(id, 'New', { 'If-Match': tag })
      expect([status, json.code, await nameOf(id)]).toEqual([...refused, undefined])
    }
  })

  test('PUT with If-Match: * changes a row that is there, and says that it made none', async () => {
    const id = await made()
    const { status, json } = await put(id, 'New', { 'If-Match': '*', Prefer: 'return=representation' })
    expect([status, json[0].project_name]).toEqual([200, 'New'])
  })

  test('PUT with If-None-Match: * makes a row and never changes one', async () => {
    const id = Bun.randomUUIDv7()
    const first = await put(id, 'First', { ...ifNew, Prefer: 'return=representation' })
    expect([first.status, first.json[0].project_name]).toEqual([201, 'First'])
    const second = await put(id, 'Second', ifNew)
    expect([second.status, second.json.code, await nameOf(id)]).toEqual([...refused, 'First'])
  })

  test.each([
    ['a plain POST', {}],
    ['an upsert that merges', merge],
    ['an upsert that ignores', { Prefer: 'resolution=ignore-duplicates' }],
  ])('%s with If-None-Match: * makes all of its rows or none', async (_, prefer) => {
    const [old, other, third] = [await made(), Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const rows = [rowOf(world.acme, other, 'Other'), rowOf(world.acme, old, 'Changed')]
    const { status, json } = await world.acme.post('/project', rows, { ...prefer, ...ifNew })
    expect([status, json.code]).toEqual(refused)
    expect([await nameOf(old), await nameOf(other)]).toEqual(['Old', undefined])
    const good = await world.acme.post('/project', rowOf(world.acme, third, 'Third'), { ...prefer, ...ifNew })
    expect([good.status, await nameOf(third)]).toEqual([201, 'Third'])
  })

  test('of many that make the same row at once with If-None-Match: *, one does', async () => {
    const id = Bun.randomUUIDv7()
    const names = Array.from({ length: 8 }, (_, at) => `Number ${at}`)
    const replies = await Promise.all(names.map((name) => put(id, name, ifNew)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 412)])
    expect(await nameOf(id)).toBe(names[replies.findIndex(({ status }) => status === 201)])
  })

  test('hold with an Idempotency-Key, too, and a refusal is not kept', async () => {
    const id = await made()
    const once = { ...ifNew, 'Idempotency-Key': Bun.randomUUIDv7() }
    for (let times = 0; times < 2; times += 1) expect((await put(id, 'New', once)).status).toBe(412)
    await world.acme.delete(`/project?id=eq.${id}`)
    expect((await put(id, 'New', once)).status).toBe(201)
    expect((await put(id, 'New', once)).headers.get('Idempotent-Replayed')).toBe('true')
  })

  // The same id is another row in another company.
  test('tell nothing of the rows of another company', async () => {
    const id = await made()
    const row = rowOf(world.rival, id, "Rival's")
    expect((await world.rival.put(`/project?id=eq.${id}`, row, { 'If-Match': '*' })).status).toBe(412)
    expect((await world.rival.put(`/project?id=eq.${id}`, row, ifNew)).status).toBe(201)
    expect([await nameOf(id), await nameOf(id, world.rival)]).toEqual(['Old', "Rival's"])
  })
})
