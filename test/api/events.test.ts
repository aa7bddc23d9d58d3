import { expect, test } from 'bun:test'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore, Database } from '../../src/store/database.ts'
import { deleteCompany } from '../../src/store/delete-company.ts'
import { numberEvents } from '../../src/store/events/number-events.ts'
import { readEvents } from '../../src/store/events/read-events.ts'
import { sweepEvents } from '../../src/store/events/sweep-events.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { growthOf } from '../support/growth.ts'
import { companyWithLargeEvents, countEvents } from '../support/large-events.ts'
import { until } from '../support/service.ts'
import { withTransact } from '../support/with-transact.ts'
import type { Reply, Tenant } from '../support/world.ts'

interface Event {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly row_id: string
  readonly row: Readonly<Record<string, unknown>>
  readonly changed: readonly string[]
  readonly previous: Readonly<Record<string, unknown>> | null
  readonly actor_kind: string
  readonly actor_id: string | null
}

const shown = { Prefer: 'return=representation' }
const merge = { Prefer: 'resolution=merge-duplicates' }

onEachEngine('events', (world) => {
  const all = async (tenant: Tenant): Promise<Event[]> => (await tenant.get('/event')).json

  /** The events that `work` makes, once there are so many. */
  async function eventsOf(tenant: Tenant, count: number, work: () => Promise<unknown>): Promise<Event[]> {
    const before = await settled(tenant)
    await work()
    await until(async () => (await all(tenant)).length >= before + count)
    return (await all(tenant)).slice(before)
  }

  /** How many there are, once none is on its way: one more comes behind all that are. */
  async function settled(tenant: Tenant): Promise<number> {
    const { id } = (await tenant.post('/bid', { bid_name: 'marker' })).json
    let found: Event[] = []
    await until(async () => {
      found = await all(tenant)
      return found.at(-1)?.row_id === id
    })
    return found.length
  }

  const short = ({ type, changed, previous }: Event) => [type, changed.join(), previous]

  test('tell of a new row: what it is, who made it, and all of its columns', async () => {
    let made: Reply | null = null
    const [event] = await eventsOf(world.acme, 1, async () => {
      made = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'q"uote\u2028 ü' })
    })
    expect(event).toMatchObject({
      type: 'project.created',
      row: (made as Reply | null)?.json,
      previous: null,
      actor_kind: 'credential',
      actor_id: world.acme.credentialId,
    })
    expect(event?.changed).toEqual(['id', 'bid_id', 'project_name', 'created_at', 'updated_at'])
  })

  test('tell of an update what has changed, and what was before', async () => {
    const [{ id }] = (await world.acme.post('/bid', [{ bid_name: 'before' }], shown)).json
    const [event] = await eventsOf(world.acme, 1, () => world.acme.patch(`/bid?id=eq.${id}`, { bid_name: 'after' }))
    expect(event && short(event).slice(0, 2)).toEqual(['bid.updated', 'bid_name,updated_at'])
    expect([event?.row.bid_name, event?.previous?.bid_name]).toEqual(['after', 'before'])
    const [same] = await eventsOf(world.acme, 1, () => world.acme.patch(`/bid?id=eq.${id}`, { bid_name: 'after' }))
    expect(same?.changed).toEqual(['updated_at'])
  })

  test('tell of a deleted row what it was', async () => {
    const { json } = await world.acme.post('/bid', { bid_name: 'short-lived' })
    const [event] = await eventsOf(world.acme, 1, () => world.acme.delete(`/bid?id=eq.${json.id}`))
    expect(event).toMatchObject({ type: 'bid.deleted', row_id: json.id, row: json, previous: null })
  })

  test('are one for each of many rows, in the order in which they were sent', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => ({ bid_name: `many ${at}` }))
    const created = await eventsOf(world.rival, 1200, () => world.rival.post('/bid', rows))
    expect(created.map(({ row }) => row.bid_name)).toEqual(rows.map(({ bid_name }) => bid_name))
    const numbers = created.map(({ sequence }) => sequence)
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
    const path = '/bid?bid_name=like.many*'
    const updated = await eventsOf(world.rival, 1200, () => world.rival.patch(path, { bid_name: 'many more' }, shown))
    expect(new Set(updated.map(({ row_id }) => row_id)).size).toBe(1200)
    expect(new Set(updated.map((event) => `${event.type} ${event.row.bid_name}`))).toEqual(
      new Set(['bid.updated many more']),
    )
    const deleted = await eventsOf(world.rival, 1200, () => world.rival.delete(path))
    expect(new Set(deleted.map(({ type, row_id }) => `${type} ${row_id}`)).size).toBe(1200)
  })

  test('tell apart what an upsert creates, changes and leaves alone', async () => {
    const [first, second, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await world.acme.post('/bid', { id: first, bid_name: 'one' })
    const rows = [
      { id: first, bid_name: 'uno' },
      { id: second, bid_name: 'dos' },
    ]
    const merged = await eventsOf(world.acme, 2, () => world.acme.post('/bid', rows, merge))
    expect(merged.map(({ type, row_id }) => [type, row_id])).toEqual([
      ['bid.updated', first],
      ['bid.created', second],
    ])
    expect(merged[0]?.previous?.bid_name).toBe('one')
    const more = [...rows, { id: third, bid_name: 'tres' }]
    const ignore = { Prefer: 'resolution=ignore-duplicates' }
    const ignored = await eventsOf(world.acme, 1, () => world.acme.post('/bid', more, ignore))
    expect(ignored.map(({ type, row_id }) => [type, row_id])).toEqual([['bid.created', third]])
    const put = { id: third, bid_name: 'four' }
    const replaced = await eventsOf(world.acme, 1, () => world.acme.put(`/bid?id=eq.${third}`, put))
    expect(replaced.map(({ type, row }) => [type, row.bid_name])).toEqual([['bid.updated', 'four']])
  })

  test('of an upsert of many rows are in the order in which they were sent, too', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => ({ id: crypto.randomUUID(), bid_name: `mixed ${at}` }))
    const present = rows.filter((_, at) => at % 2 === 1)
    await eventsOf(world.rival, 600, () => world.rival.post('/bid', present))
    const mixed = await eventsOf(world.rival, 1200, () => world.rival.post('/bid', rows, merge))
    expect(mixed.map(({ type, row_id }) => [type, row_id])).toEqual(
      rows.map(({ id }, at) => [at % 2 === 1 ? 'bid.updated' : 'bid.created', id]),
    )
  })

  test('are none of what was refused, tried out, or repeated', async () => {
    const [id, key] = [crypto.randomUUID(), { 'Idempotency-Key': crypto.randomUUID() }]
    const { json: bid } = await world.acme.post('/bid', { bid_name: 'kept', id }, key)
    const before = await settled(world.acme)
    const rows = [{ bid_name: 'good' }, { bid_name: 'bad', id }]
    const answers = [
      await world.acme.post(
        '/bid',
        rows.map((row, at) => ({ id: at === 0 ? crypto.randomUUID() : id, ...row })),
      ),
      await world.acme.post('/bid', { bid_name: 'trial' }, { Prefer: 'tx=rollback' }),
      await world.acme.patch(`/bid?id=eq.${id}`, { bid_name: 'trial' }, { Prefer: 'tx=rollback' }),
      await world.acme.patch(`/bid?id=eq.${id}`, { bid_name: 'x' }, { Prefer: 'max-affected=0, handling=strict' }),
      await world.acme.patch(`/bid?id=eq.${id}`, { bid_name: 'x' }, { 'If-Match': '"other"' }),
      await world.acme.delete(`/bid?id=eq.${world.acme.bid}`),
      await world.acme.post('/bid', { bid_name: 'kept', id }, key),
      await world.acme.patch(`/bid?id=eq.${crypto.randomUUID()}`, { bid_name: 'nobody' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 201, 204, 400, 412, 409, 201, 204])
    expect(bid.id).toBe(id)
    expect(await settled(world.acme)).toBe(before + 1)
  })

  test('are exactly one for each change where many write the same rows at once', async () => {
    const ids = Array.from({ length: 4 }, () => crypto.randomUUID())
    const before = await settled(world.acme)
    const counts = await Promise.all(
      Array.from({ length: 96 }, async (_, at) => {
        const id = ids[at % 4] ?? ''
        const row = { id, bid_name: `v${at}` }
        const reply = await [
          () => world.acme.post('/bid', row, { Prefer: 'resolution=merge-duplicates, return=representation' }),
          () => world.acme.patch(`/bid?id=eq.${id}`, { bid_name: `p${at}` }, shown),
          () => world.acme.delete(`/bid?id=eq.${id}&select=id`, shown),
          () => world.acme.post('/bid', row, { Prefer: 'resolution=ignore-duplicates, return=representation' }),
          () => world.acme.patch(`/bid?bid_name=like.v*&id=in.(${ids})`, { bid_name: `w${at}` }, shown),
          () => world.acme.post('/bid', row, shown),
        ][(at >> 2) % 6]?.()
        return reply && reply.status < 300 ? (reply.json as unknown[]).length : 0
      }),
    )
    const written = counts.reduce((sum, count) => sum + count, 0)
    expect(await settled(world.acme)).toBe(before + written + 1)
    // Each row went through the states that its events tell, in their order.
    const events = (await all(world.acme)).slice(before)
    const first = events[0]?.sequence ?? 0
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => first + at))
    for (const id of ids) {
      const own = events.filter(({ row_id }) => row_id === id)
      for (const [at, event] of own.entries()) {
        const last = own[at - 1]
        if (!last || last.type === 'bid.deleted') expect(event.type).not.toBe('bid.deleted')
        else if (event.type === 'bid.deleted') expect(event.row).toEqual(last.row)
        else if (event.previous) expect(event.previous.bid_name ?? event.row.bid_name).toBe(last.row.bid_name)
      }
      const { json } = await world.acme.get(`/bid?id=eq.${id}`)
      const last = own.at(-1)
      expect(json).toEqual(last === undefined || last.type === 'bid.deleted' ? [] : [last.row])
    }
  })

  test('are numbered once and without a gap, however many instances do it at once', async () => {
    const before = await settled(world.acme)
    const theirs = await settled(world.rival)
    const companies = [world.acme.id, world.rival.id]
    let isWriting = true
    const numberers = Array.from({ length: 6 }, async (_, at) => {
      for (; isWriting; await Bun.sleep(1)) await numberEvents(world.db, at % 2 ? companies : companies.toReversed())
    })
    await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        await world.acme.post('/bid', [{ bid_name: `a${at}` }, { bid_name: `b${at}` }])
        await world.rival.post('/bid', { bid_name: `c${at}` })
      }),
    )
    isWriting = false
    await Promise.all(numberers)
    expect(await settled(world.acme)).toBe(before + 121)
    expect(await settled(world.rival)).toBe(theirs + 61)
    const events = await all(world.acme)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => (events[0]?.sequence ?? 0) + at))
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })

  test('are filtered, paged and counted in the dialect, by their number, type, row and time', async () => {
    const events = await all(world.acme)
    const half = events[Math.floor(events.length / 2)]
    const after = (await world.acme.get(`/event?sequence=gt.${half?.sequence}&select=sequence`)).json
    expect(after).toEqual(
      events.filter((one) => one.sequence > (half?.sequence ?? 0)).map(({ sequence }) => ({ sequence })),
    )
    const ofRow = (await world.acme.get(`/event?row_id=eq.${half?.row_id}&type=like.*.created`)).json
    expect(ofRow.every(({ row_id }: Event) => row_id === half?.row_id)).toBe(true)
    const named = (await world.acme.get('/event?changed=cs.{bid_name}&previous=not.is.null&select=type')).json
    expect(new Set(named.map(({ type }: Event) => type))).toEqual(new Set(['bid.updated']))
    expect((await world.acme.get('/event?created_at=gt.2100-01-01')).json).toEqual([])
    expect((await world.acme.post('/event', {})).status).toBe(405)
  })

  test('are the company’s own', async () => {
    const [own] = await all(world.acme)
    expect((await world.rival.get(`/event?row_id=eq.${own?.row_id}`)).json).toEqual([])
    const unscoped = await fetch(`${world.base}/rest/v1/event`, { headers: { apikey: world.acme.apiKey } })
    expect(await unscoped.json()).toEqual([])
    const before = (await all(world.rival)).length
    await world.acme.post('/bid', { bid_name: 'not theirs' })
    await settled(world.acme)
    expect(await all(world.rival)).toHaveLength(before)
  })

  test('are deleted when they are old, and the numbers go on', async () => {
    const count = await settled(world.rival)
    const last = (await all(world.rival)).at(-1)?.sequence ?? 0
    await sweepEvents(world.db, 3_600_000)
    expect(await all(world.rival)).toHaveLength(count)
    await sweepEvents(world.db, -60_000)
    expect(await all(world.rival)).toEqual([])
    await world.rival.post('/bid', { bid_name: 'after the sweep' })
    await until(async () => (await all(world.rival)).length === 1)
    expect((await all(world.rival))[0]?.sequence).toBe(last + 1)
  })

  test('are read in time that does not grow with large ones behind them', async () => {
    const own = await companyWithLargeEvents(world.db, 120)
    const growth = await growthOf(15, async (size) => {
      const behind = size === 15 ? 15 : 120
      const { events, hasMore } = await readEvents(own, 120 - behind, 200)
      expect([events.map(({ sequence }) => sequence), hasMore]).toEqual([[121 - behind], true])
    })
    // Eight times as many are behind.
    expect(growth).toBeLessThan(3)
    await deleteCompany(world.db, own.companyId)
  })

  const deletions: readonly [what: string, work: (db: Database, own: CompanyStore) => Promise<void>][] = [
    ['when they are old', (db) => sweepEvents(db, 3_600_000)],
    ['with their company', (db, { companyId }) => deleteCompany(db, companyId)],
  ]
  test.each(deletions)('are deleted in parts of few bytes %s', async (_, work) => {
    const own = await companyWithLargeEvents(world.db, 30)
    const left = [await countEvents(own)]
    const watched = withTransact(world.db, (transact) => async (...given) => {
      const result = await transact(...given)
      left.push(await countEvents(own))
      return result
    })
    await work(watched, own)
    const deleted = left.slice(1).map((count, at) => (left[at] ?? 0) - count)
    expect(left.at(-1)).toBe(0)
    // About a megabyte.
    expect(Math.max(...deleted)).toBeWithin(5, 10)
  })

  test('are not written where the company wants none', async () => {
    await settled(world.rival)
    const own = world.db.forRows(world.rival.id)
    const stored = async () => {
      const [[events] = []] = await own.read(sql`select count(*) from ${companyRows('event', own)}`)
      const [[waiting] = []] = await own.read(sql`select count(*) from ${companyRows('event_inbox', own)}`)
      return Number(events) + Number(waiting)
    }
    const before = await stored()
    await world.db.transact([sql`update company set events = 'off' where id = ${world.rival.id}`])
    // A credential is remembered for a second.
    await Bun.sleep(1100)
    const { json } = await world.rival.post('/bid', { bid_name: 'quiet' })
    await world.rival.patch(`/bid?id=eq.${json.id}`, { bid_name: 'still' })
    await world.rival.delete(`/bid?id=eq.${json.id}`)
    expect(await stored()).toBe(before)
    await world.db.transact([sql`update company set events = 'on' where id = ${world.rival.id}`])
  })
})
