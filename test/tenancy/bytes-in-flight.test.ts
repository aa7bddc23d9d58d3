import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { type Raw, sendRaw } from '../support/raw.ts'
import { until } from '../support/service.ts'
import { inTime, type Tenant } from '../support/world.ts'

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
