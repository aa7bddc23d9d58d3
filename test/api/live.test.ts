import { afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import type { EventFeed } from '../../src/events/event-feed.ts'
import { createLive } from '../../src/events/live/create-live.ts'
import { createLiveHub } from '../../src/events/live/live-hub.ts'
import { LiveStream } from '../../src/events/live/live-stream.ts'
import { archiveField } from '../../src/fields/change-field.ts'
import { createField } from '../../src/fields/fields.ts'
import { changeAccess, revokeCredential } from '../../src/keys/change.ts'
import { commandLine } from '../../src/people/audit.ts'
import type { ReadPlan } from '../../src/plan/plan.ts'
import { bid } from '../../src/resources/bid.ts'
import { updateCompanyRows } from '../../src/store/compile/company-rows.ts'
import type { Right } from '../../src/store/database.ts'
import { lastSequence, readEvents } from '../../src/store/events/read-events.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { LiveReader, settled } from '../support/live-reader.ts'
import { until } from '../support/service.ts'
import { burn, countTurns } from '../support/turns-of-loop.ts'
import type { Tenant } from '../support/world.ts'

onEachEngine(
  'live changes',
  (world) => {
    beforeAll(() => settled(world))

    const opened: LiveReader[] = []
    const open = async (tenant: Tenant, path: string, headers = {}) => {
      const reader = await LiveReader.open(`${world.base}/rest/v1${path}`, { ...tenant.headers, ...headers })
      opened.push(reader)
      return reader
    }
    /** What a new stream is answered with; it is closed at once. */
    const statusOf = async (tenant: Tenant): Promise<number> => {
      const { response } = await open(tenant, '/bid')
      opened.pop()?.close()
      return response.status
    }
    afterEach(() => {
      for (const reader of opened.splice(0)) reader.close()
    })

    test('arrive as they are made, each with its row', async () => {
      const reader = await open(world.acme, '/bid', { 'Accept-Encoding': 'gzip' })
      expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(reader.response.headers.get('content-encoding')).toBeNull()
      const { json } = await world.acme.post('/bid', { bid_name: 'live\nbid' })
      await world.acme.patch(`/bid?id=eq.${json.id}`, { bid_name: 'changed' })
      await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'another resource' })
      await world.acme.delete(`/bid?id=eq.${json.id}`)
      const changes = await reader.take(3)
      expect(changes.map(({ event, data }) => [event, data.row.bid_name, data.matches])).toEqual([
        ['bid.created', 'live\nbid', true],
        ['bid.updated', 'changed', true],
        ['bid.deleted', 'changed', false],
      ])
      expect(changes[0]?.data.row).toEqual(json)
      expect(changes.map(({ id }) => Number(id))).toEqual(changes.map(({ data }) => data.sequence))
      expect(changes[1]?.data.changed).toEqual(['bid_name', 'updated_at'])
    })

    test('are narrowed by filters: a row that comes, stays or leaves is told of', async () => {
      const reader = await open(world.acme, '/bid?bid_name=like.in*&select=name:bid_name')
      const { json } = await world.acme.post('/bid', { bid_name: 'out' })
      for (const bid_name of ['in', 'inside', 'out again', 'far out', 'in at the end'])
        await world.acme.patch(`/bid?id=eq.${json.id}`, { bid_name })
      const changes = await reader.take(4)
      expect(changes.map(({ data }) => [data.row, data.matches])).toEqual([
        [{ name: 'in' }, true],
        [{ name: 'inside' }, true],
        [{ name: 'out again' }, false],
        [{ name: 'in at the end' }, true],
      ])
    })

    test('tell of a row that may have left the list, where what it was before is not known', async () => {
      const { json } = await world.acme.post('/bid', { bid_name: 'near' })
      await world.acme.patch(`/bid?id=eq.${json.id}`, { bid_name: 'far' })
      const events = async () => (await world.acme.get(`/event?row_id=eq.${json.id}&order=sequence`)).json
      await until(async () => (await events()).length === 2)
      const [{ sequence }] = await events()
      const after = { 'Last-Event-ID': `${sequence}` }
      const changesOf = async (path: string) => {
        const reader = await open(world.acme, path, after)
        await world.acme.post('/bid', { bid_name: 'near the end' })
        await until(() => reader.changes.some(({ data }) => data.row.bid_name === 'near the end'))
        reader.close()
        return reader.changes.map(({ data }) => [data.row.bid_name, data.matches]).slice(0, 1)
      }
      expect(await changesOf('/bid?bid_name=like.near*')).toEqual([['far', false]])
      // It was out of this list before, and is so now.
      expect(await changesOf('/bid?bid_name=eq.near the end')).toEqual([['near the end', true]])
      // As where two clients create a row at the same time, and one of them has changed that of the other.
      const own = world.db.forRows(world.acme.id)
      const unknown = updateCompanyRows('event', own, sql`previous = null`)
      await own.transact([sql`${unknown} and row_id = ${json.id}`])
      expect(await changesOf('/bid?bid_name=eq.near the end')).toEqual([['far', false]])
      expect(await changesOf('/bid?bid_name=eq.near the end&select=id,bid_name')).toEqual([['far', false]])
      expect((await world.rival.get(`/event?row_id=eq.${json.id}`)).json).toEqual([])
    })

    test('go on where a reader was, without a gap', async () => {
      const first = await open(world.acme, '/bid?bid_name=like.gap*')
      await world.acme.post('/bid', { bid_name: 'gap 0' })
      await first.take(1)
      const { lastId } = first
      first.close()
      const rows = Array.from({ length: 450 }, (_, at) => ({ bid_name: `gap ${at + 1}` }))
      await world.acme.post('/bid', rows)
      const again = await open(world.acme, '/bid?bid_name=like.gap*', { 'Last-Event-ID': lastId })
      await world.acme.post('/bid', { bid_name: 'gap 451' })
      const names = (await again.take(451)).map(({ data }) => data.row.bid_name)
      expect(names).toEqual([...rows.map(({ bid_name }) => bid_name), 'gap 451'])
    })

    test('read large events in parts, and have them all', async () => {
      const { acme, db } = world
      await createField(db, acme.id, { resource: 'bid', name: 'story', type: 'text', rules: { max_length: 4000 } })
      const lastId = (await open(acme, '/bid')).lastId
      // So that PostgreSQL cannot make them much smaller.
      const story = () => Array.from({ length: 30 }, () => Bun.randomUUIDv7('base64url')).join('')
      const rows = Array.from({ length: 180 }, (_, at) => ({ bid_name: `large ${at}`, story: story() + story() }))
      await acme.post('/bid', rows, { Prefer: 'return=minimal' })
      const own = db.forRows(acme.id)
      const reader = await open(acme, '/bid?bid_name=like.large*&select=bid_name', { 'Last-Event-ID': lastId })
      expect((await reader.take(180)).map(({ data }) => data.row.bid_name)).toEqual(rows.map((row) => row.bid_name))
      const { events, hasMore } = await readEvents(own, Number(lastId), 200)
      expect([events.length > 0, events.length < 180, hasMore]).toEqual([true, true, true])
      expect(await readEvents(own, await lastSequence(own), 200)).toEqual({ events: [], hasMore: false })
    })

    test('are shown to many streams in many turns of the event loop', async () => {
      const own = world.db.forRows(world.rival.id)
      const turns = countTurns()
      const show = (): null => {
        burn()
        turns.note()
        return null
      }
      const [wakers, last]: [(() => void)[], number] = [[], await lastSequence(own)]
      const subscribe: EventFeed['subscribe'] = (_, wake) => {
        wakers.push(wake)
        return () => {}
      }
      const hub = createLiveHub(own, { subscribe }, (error) => expect(error).toBeNull())
      const streams = Array.from({ length: 8 }, () => new LiveStream({ show }, last, undefined, () => {}))
      for (const stream of streams) hub.join(stream)
      // From the second one on, all of them are shown the event together.
      for (const round of [1, 2, 3]) {
        await world.rival.post('/bid', { bid_name: `round ${round}` })
        await until(() => {
          for (const wake of wakers) wake()
          return streams.every(({ position }) => position === last + round)
        })
      }
      for (const stream of streams) hub.leave(stream)
      turns.stop()
      expect(turns.mostInOne()).toBeLessThanOrEqual(2)
    })

    test('tell the id that a row had before', async () => {
      const { json } = await world.acme.post('/bid', { bid_name: 'moves' })
      await until(async () => (await world.acme.get(`/event?row_id=eq.${json.id}`)).json.length === 1)
      const reader = await open(world.acme, `/bid?id=eq.${json.id}`)
      const other = crypto.randomUUID()
      await world.acme.patch(`/bid?id=eq.${json.id}`, { id: other })
      const [change] = await reader.take(1)
      expect(change?.data).toMatchObject({ row_id: other, previous_row_id: json.id, matches: false })
    })

    test('are the company’s own', async () => {
      const rival = await open(world.rival, '/bid')
      const own = await open(world.acme, '/bid')
      await world.acme.post('/bid', { bid_name: 'secret of acme' })
      await own.take(1)
      await world.rival.post('/bid', { bid_name: 'of rival' })
      expect((await rival.take(1)).map(({ data }) => data.row.bid_name)).toEqual(['of rival'])
    })

    test('end when the credential is revoked', async () => {
      const other = await world.acme.withCredential('read')
      const [ended, kept] = [await open(other, '/bid'), await open(world.acme, '/bid')]
      await revokeCredential(world.db, { companyId: world.acme.id, id: other.credentialId })
      await until(() => ended.isEnded)
      expect(kept.isEnded).toBe(false)
    })

    test('confirm their right so often, and by so recent a look-up, that it ends within a second', async () => {
      const every = spyOn(globalThis, 'setInterval')
      const live = createLive(world.db, world.feed, { liveStreamsMax: 10, idleTimeoutS: 60 })
      const confirmMs = Number(every.mock.calls[0]?.[1])
      every.mockRestore()
      const asked: number[] = []
      const right: Right = (readMsMax) => void asked.push(readMsMax ?? Number.POSITIVE_INFINITY)
      // All that a stream reads of its plan.
      const plan = { resource: bid, where: [], values: [world.acme.id], selection: [] } as unknown as ReadPlan
      await live.open({ companyId: world.acme.id, plan, lastEventId: null, right })
      expect(asked).toHaveLength(1)
      await until(() => asked.length > 2)
      live.stop()
      // What is left is for the look-up itself.
      expect(confirmMs + Math.max(...asked)).toBeLessThanOrEqual(900)
      expect(Math.max(...asked)).toBeGreaterThan(confirmMs)
    })

    test('end when the address may no longer ask, and go on while it may', async () => {
      const openFrom = async (addresses: readonly string[] | null) => {
        const tenant = await world.acme.withCredential('read')
        const ref = { companyId: tenant.id, id: tenant.credentialId }
        const narrow = (to: readonly string[] | null) =>
          changeAccess(world.db, ref, (known) => ({ ...known, addresses: to }), commandLine)
        await narrow(addresses)
        return { narrow, stream: await open(tenant, '/bid') }
      }
      const ended = await openFrom(null)
      const kept = await openFrom(['127.0.0.0/8', '::1/128'])
      await ended.narrow(['10.0.0.0/8'])
      await until(() => ended.stream.isEnded)
      await Bun.sleep(1200)
      await world.acme.post('/bid', { bid_name: 'for those who may' })
      await kept.stream.take(1)
      expect(kept.stream.isEnded).toBe(false)
    })

    test('are refused where they cannot be had', async () => {
      const refusals: readonly [path: string, headers: Record<string, string>, status: number, code: string][] = [
        ['/bid', { 'X-API-Secret': '' }, 403, '42501'],
        ['/bid?select=*,project(*)', {}, 400, 'live_unsupported'],
        ['/bid?select=count()', {}, 400, 'live_unsupported'],
        ['/bid?select=id::text', {}, 400, 'live_unsupported'],
        ['/bid?created_at=lt.now', {}, 400, 'live_unsupported'],
        ['/bid?or=(bid_name.eq.A,not.and(updated_at.gt(any).{2026-01-31,Today}))', {}, 400, 'live_unsupported'],
        ['/bid?bid_name=match.a&or=(bid_name.match.b,id.is.null)', {}, 400, 'live_unsupported'],
        ['/bid?none=eq.1', {}, 400, '42703'],
        ['/bid', { 'Last-Event-ID': 'x' }, 400, 'last_event_invalid'],
        ['/bid', { 'Last-Event-ID': '999999999' }, 410, 'events_gone'],
        ['/event', {}, 406, 'PGRST107'],
      ]
      for (const [path, headers, status, code] of refusals) {
        const { response } = await open(world.acme, path, headers)
        expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
          path,
          status,
          code,
        ])
      }
      expect((await open(world.acme, '/bid?bid_name=eq.now&created_at=gt.epoch')).response.status).toBe(200)
      const written = await world.acme.post('/bid', { bid_name: 'x' }, { Accept: 'text/event-stream' })
      expect(written.status).toBe(406)
    })

    test('end when a field of the company changes, so that nobody waits for one that is gone', async () => {
      const field = await createField(world.db, world.rival.id, { resource: 'bid', name: 'phase', type: 'text' })
      await until(async () => (await world.rival.get('/bid?phase=eq.x')).status === 200)
      const [reader, other] = [await open(world.rival, '/bid?phase=eq.x'), await open(world.acme, '/bid')]
      await archiveField(world.db, { companyId: world.rival.id, id: field.id }, commandLine)
      await until(() => reader.isEnded)
      const { response } = await open(world.rival, '/bid?phase=eq.x')
      expect([response.status, other.isEnded]).toEqual([400, false])
    })

    test('are refused where the company has turned its events off, and end', async () => {
      const reader = await open(world.rival, '/bid')
      await world.db.transact([sql`update company set events = 'off' where id = ${world.rival.id}`])
      // A credential is remembered for a second.
      await until(async () => (await statusOf(world.rival)) === 409)
      await until(() => reader.isEnded)
      await world.db.transact([sql`update company set events = 'on' where id = ${world.rival.id}`])
      await until(async () => (await statusOf(world.rival)) === 200)
    })

    test('have room for some streams of a company, and again when one ends', async () => {
      const readers = [await open(world.acme, '/bid'), await open(world.acme, '/bid')]
      const { response } = await open(world.acme, '/bid')
      const { code } = (await response.json()) as { code: string }
      expect([response.status, code, response.headers.get('retry-after')]).toEqual([429, 'too_many_streams', '5'])
      expect((await open(world.rival, '/bid')).response.status).toBe(200)
      readers[0]?.close()
      await until(async () => (await statusOf(world.acme)) === 200)
    })
  },
  { MAX_LIVE_STREAMS: '20' },
)

/** Longer than the runtime leaves a connection open on which nothing is sent. */
const outlastMs = 10_000

onEachEngine(
  'a quiet live stream',
  (world) => {
    test('is kept alive', async () => {
      let lastedMs = 0
      // The runtime ends one where this process stands still until its time is over.
      for (let rounds = 0; rounds < 4 && lastedMs < outlastMs; rounds += 1) {
        const openedAt = performance.now()
        const reader = await LiveReader.open(`${world.base}/rest/v1/bid`, world.rival.headers)
        await until(() => {
          lastedMs = performance.now() - openedAt
          return lastedMs >= outlastMs || reader.isEnded
        })
        expect(reader.text).toContain(': heartbeat\nid: ')
        reader.close()
      }
      expect(lastedMs).toBeGreaterThanOrEqual(outlastMs)
    })
  },
  { IDLE_TIMEOUT_S: '2' },
)
