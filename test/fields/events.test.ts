import { beforeAll, expect, test } from 'bun:test'
import { archiveField } from '../../src/fields/change-field.ts'
import { deleteFields } from '../../src/fields/delete-fields.ts'
import { createField } from '../../src/fields/fields.ts'
import { onEachEngine } from '../support/engines.ts'
import { LiveReader } from '../support/live-reader.ts'
import { until } from '../support/service.ts'
import { settleNow } from '../support/settle-now.ts'

onEachEngine('events of rows with own fields', (world) => {
  beforeAll(async () => {
    await createField(world.db, world.acme.id, { resource: 'bid', name: 'height', type: 'integer' })
    await createField(world.db, world.acme.id, { resource: 'bid', name: 'note', type: 'text' })
    // Credentials remember the fields of their company for a second.
    await until(async () => (await world.acme.get('/bid?select=height,note')).status === 200)
  }, 60_000)

  const eventsOf = async (id: string, count: number) => {
    const read = async () => (await world.acme.get(`/event?row_id=eq.${id}`)).json
    await until(async () => (await read()).length === count)
    return read()
  }

  test('tell of their values, which of them changed, and what they were', async () => {
    const { json } = await world.acme.post('/bid', { bid_name: 'tall', height: 12 })
    await world.acme.patch(`/bid?id=eq.${json.id}`, { height: 15, note: 'grown' })
    await world.acme.delete(`/bid?id=eq.${json.id}`)
    const [made, changed, gone] = await eventsOf(json.id, 3)
    expect([made.row, made.changed]).toEqual([json, Object.keys(json)])
    expect(changed.row).toMatchObject({ bid_name: 'tall', height: 15, note: 'grown' })
    expect(changed.changed.toSorted()).toEqual(['height', 'note', 'updated_at'])
    expect(changed.previous).toMatchObject({ height: 12, note: null })
    expect([gone.type, gone.row]).toEqual(['bid.deleted', changed.row])
  })

  test('are streamed past a value that a field of the same name and another type could not have', async () => {
    const { id: companyId } = world.acme
    const { id } = await createField(world.db, companyId, { resource: 'bid', name: 'reused', type: 'text' })
    await until(async () => (await world.acme.get('/bid?select=reused')).status === 200)
    const stream = (query: string, lastId?: string) =>
      LiveReader.open(`${world.base}/rest/v1/bid?${query}`, {
        ...world.acme.headers,
        ...(lastId ? { 'Last-Event-ID': lastId } : {}),
      })
    const first = await stream('select=id')
    const { lastId } = first
    first.close()
    await world.acme.post('/bid', { bid_name: 'old', reused: 'no number' })
    await archiveField(world.db, { companyId, id })
    await deleteFields(world.db, new Date(Date.now() + 31 * 86_400_000))
    await settleNow(world.db)
    await createField(world.db, companyId, { resource: 'bid', name: 'reused', type: 'integer' })
    await until(async () => (await world.acme.get('/bid?reused=eq.7')).status === 200)
    const reader = await stream('reused=eq.7', lastId)
    await world.acme.post('/bid', { bid_name: 'new', reused: 7 })
    const [change] = await reader.take(1)
    reader.close()
    expect(change?.data.row).toMatchObject({ bid_name: 'new', reused: 7 })
  })

  test('have none of them in another company', async () => {
    const { json } = await world.rival.post('/bid', { bid_name: 'plain' })
    const read = async () => (await world.rival.get(`/event?row_id=eq.${json.id}`)).json
    await until(async () => (await read()).length === 1)
    expect((await read())[0].changed).toEqual(['id', 'bid_name', 'created_at', 'updated_at'])
  })
})
