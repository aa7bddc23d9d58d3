import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Hold } from '../../src/traffic/byte-budget.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Raw, sendRaw } from '../support/raw.ts'
import { until } from '../support/service.ts'
import { inTime, type Reply, type Tenant } from '../support/world.ts'

setDefaultTimeout(300_000)
const megabyte = 1024 * 1024
/** An answer that does not wait in memory after this time was taken whole. */
const takenWholeMs = 15_000

onEachEngine(
  'bytes in flight',
  (world) => {
    const held = () => world.bytes.load().held

    /** A body of 10 MB, of which as much is sent as is asked for. */
    const sendBody = ({ headers }: Tenant, megabytes: number): Raw => {
      const fields = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(10 * megabyte) }
      return sendRaw(world.base, 'POST /rest/v1/project', fields, ' '.repeat(megabytes * megabyte))
    }
    const unreadPath = '/bid?select=*,project(*)&project.limit=17000'
    /**
     * Answers that take 17 MB, to a client that does not read, until they hold so much memory. Where the kernel has room it
     * takes one whole, so that the service holds nothing for it.
     */
    const leaveUnread = async ({ headers }: Tenant, megabytes: number): Promise<Raw[]> => {
      const unread: Raw[] = []
      while (held() < megabytes * megabyte) {
        const before = held()
        const raw = sendRaw(world.base, `GET /rest/v1${unreadPath}`, headers)
        raw.socket.pause()
        unread.push(raw)
        const deadline = performance.now() + takenWholeMs
        while (held() < before + 12 * megabyte && performance.now() < deadline) await Bun.sleep(5)
      }
      return unread
    }
    const create = (tenant: Tenant) => tenant.post('/project', { bid_id: tenant.bid, project_name: 'Small' })

    beforeAll(async () => {
      const names = Array.from({ length: 5000 }, (_, at) => `${at} ${'x'.repeat(240)}`)
      for (const tenant of [world.acme, world.acme, world.acme, world.acme, world.rival]) await tenant.seed(names)
    }, 300_000)

    test('of bodies are refused past the share of a company, and nobody else notices', async () => {
      const bodies = Array.from({ length: 6 }, () => sendBody(world.acme, 8))
      await until(() => bodies.filter((body) => body.received().startsWith('HTTP/1.1 503')).length >= 3)
      expect(held()).toBeLessThanOrEqual(32 * megabyte)
      const refused = bodies.map((body) => body.received()).find((text) => text !== '') ?? ''
      expect(refused).toMatch(/^retry-after: \d/im)
      expect(refused).toContain('"code":"overloaded"')
      expect((await create(world.rival)).status).toBe(201)
      expect((await world.rival.get(unreadPath)).status).toBe(200)
      for (const { socket } of bodies) socket.destroy()
      await until(() => held() === 0)
      expect((await create(world.acme)).status).toBe(201)
    })

    test('of bodies are counted as they arrive, not as they are announced', async () => {
      const bodies = Array.from({ length: 40 }, () => sendBody(world.acme, 0))
      await Bun.sleep(200)
      expect(bodies.map((body) => body.received()).join('')).toBe('')
      expect((await create(world.acme)).status).toBe(201)
      for (const { socket } of bodies) socket.destroy()
      await until(() => held() === 0)
    })

    test('of answers are refused past the share of a company, and given back when the client goes', async () => {
      // Together more than a quarter of all.
      const unread = await leaveUnread(world.acme, 26)
      const { status, json, headers } = await world.acme.get(unreadPath)
      expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'overloaded', '1'])
      expect((await world.acme.get('/project?limit=20')).status).toBe(200)
      expect((await world.rival.get(unreadPath)).status).toBe(200)
      for (const { socket } of unread) socket.destroy()
      await until(() => held() === 0)
      expect((await world.acme.get(unreadPath)).json).toHaveLength(1)
      await until(() => held() === 0)
    })

    test('of what a write has done never hide that it was done', async () => {
      // With the answer to the write, more than a quarter of all.
      const unread = await leaveUnread(world.acme, 10)
      const rows = Array.from({ length: 10_000 }, () => ({ bid_id: world.acme.bid, project_name: 'x'.repeat(255) }))
      const { status, json } = await inTime(() => world.acme.post('/project', rows))
      expect([status, json.length]).toEqual([201, 10_000])
      for (const { socket } of unread) socket.destroy()
      await until(() => held() === 0)
    })

    const shown = { Prefer: 'return=representation' }
    /** Every row that a request may show, by a write of one. */
    const allOf = ({ bid }: Tenant) => `/bid?id=eq.${bid}&select=*,project(*)&project.limit=17000`
    const outcome = ({ status, json }: Reply) => [status, json?.code]
    const overloaded = [503, 'overloaded']
    /** Until it is released, a company has nothing left of its share. */
    const fill = ({ id }: Tenant): Hold => {
      const hold = world.bytes.hold(id)
      hold.hold(26 * megabyte)
      return hold
    }

    test('refuse a write that may show much before it is done, and no other one', async () => {
      const { acme, rival } = world
      const all = async () => [(await acme.get('/bid')).json, (await acme.get('/project?select=count')).json]
      const before = await all()
      const used = fill(acme)
      const change = (headers = {}) => acme.patch(allOf(acme), { bid_name: 'Changed' }, { ...shown, ...headers })
      const csv = (text: string) => acme.send('POST', '/bid', { ...shown, 'Content-Type': 'text/csv' }, text)
      const refused = [
        await change(),
        await change({ Prefer: 'return=representation, tx=rollback' }),
        await change({ 'Idempotency-Key': 'refused' }),
        await acme.delete('/project?project_name=like.1*', shown),
        await csv(`bid_name${'\nx'.repeat(1000)}`),
      ]
      expect(refused.map(outcome)).toEqual(refused.map(() => overloaded))
      expect(refused[0]?.headers.get('Retry-After')).toBe('1')
      expect(await all()).toEqual(before)
      const refusals = world.bytes.load().refused
      const [first] = await acme.seed(['1 to go'])
      expect((await acme.patch(`/project?id=eq.${first}`, { project_name: '1 to go soon' }, shown)).status).toBe(200)
      expect((await acme.delete('/project?project_name=like.1*soon', { Prefer: 'count=exact' })).status).toBe(204)
      expect((await inTime(() => rival.patch(allOf(rival), { bid_name: 'Theirs' }, shown))).status).toBe(200)
      expect(world.bytes.load().refused).toBe(refusals)
      used.release()
      const done = await inTime(() => change({ 'Idempotency-Key': 'refused', Prefer: 'return=minimal' }))
      expect([done.status, done.headers.get('Idempotent-Replayed')]).toEqual([204, null])
      await until(() => held() === 0)
    })

    test('refuse a large answer that is kept, and the repeat of one, until there is room', async () => {
      const { acme } = world
      await acme.seed(Array.from({ length: 500 }, () => 'k'.repeat(250)))
      const path = '/project?project_name=like.kkk*'
      const change = (key: string) =>
        acme.patch(path, { project_name: 'k'.repeat(255) }, { ...shown, 'Idempotency-Key': key })
      const first = await inTime(() => change('kept'))
      expect([first.status, first.json.length]).toEqual([200, 500])
      const used = fill(acme)
      expect([await change('kept'), await change('another')].map(outcome)).toEqual([overloaded, overloaded])
      used.release()
      const repeat = await inTime(() => change('kept'))
      expect([repeat.text === first.text, repeat.headers.get('Idempotent-Replayed')]).toEqual([true, 'true'])
      const other = await inTime(() => change('another'))
      expect([other.json.length, other.headers.get('Idempotent-Replayed')]).toEqual([500, null])
      await until(() => held() === 0)
    })

    test('of writes that begin at the same moment take no more than their share and one answer', async () => {
      const { acme } = world
      const fields = {
        ...acme.headers,
        'Content-Type': 'application/json',
        'Content-Length': '18',
        Prefer: 'return=representation, tx=rollback',
      }
      const logged = world.logged.length
      const writes = Array.from({ length: 12 }, () => {
        const raw = sendRaw(world.base, `PATCH /rest/v1${allOf(acme)}`, fields, '{"bid_name":"All"}')
        raw.socket.pause()
        return raw
      })
      let most = 0
      const statuses = () =>
        world.logged.slice(logged).flatMap((line) => /"method":"PATCH".*"status":(\d+)/.exec(line)?.[1] ?? [])
      await until(() => {
        most = Math.max(most, held())
        return statuses().length === 12
      })
      expect(most).toBeLessThanOrEqual(25 * megabyte + 16 * megabyte)
      // On a busy machine, the file is not locked for long enough for each.
      expect(statuses().filter((status) => !['200', '503', '504'].includes(status))).toEqual([])
      expect(statuses()).toContain('200')
      for (const { socket } of writes) socket.destroy()
      await until(() => held() === 0)
    })

    test('are given back by lists that nobody reads to their end', async () => {
      const lists = Array.from({ length: 5 }, () => {
        const raw = sendRaw(world.base, 'GET /rest/v1/project', world.acme.headers)
        raw.socket.pause()
        return raw
      })
      await until(() => held() > 0)
      await Bun.sleep(300)
      expect(held()).toBeLessThan(5 * megabyte)
      for (const { socket } of lists) socket.destroy()
      await until(() => held() === 0)
    })
  },
  // On a busy machine, what nobody reads has to be held for longer than usual, and takes longer to read.
  { MAX_BYTES_IN_FLIGHT: String(100 * megabyte), IDLE_TIMEOUT_S: '255', STATEMENT_TIMEOUT_MS: '300000' },
)
