import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test'
import { SQL } from 'bun'
import { keyword } from '../../src/store/sql.ts'
import type { Moment, TcpProxy } from '../support/proxy.ts'
import { until } from '../support/service.ts'
import { type Reply, World } from '../support/world.ts'
import { expectUnavailable, openBehindProxy } from './support.ts'

setDefaultTimeout(300_000)

/** A connection to PostgreSQL that is lost while a write is under way. The write's own text tells the proxy where. */
describe('a connection that is lost', () => {
  const world = new World({ DATABASE_CONNECTIONS: '4', STATEMENT_TIMEOUT_MS: '15000' })
  let proxy: TcpProxy
  let direct: SQL

  beforeAll(async () => {
    const opened = await openBehindProxy(world)
    proxy = opened.proxy
    direct = new SQL(opened.url, { max: 2 })
  })
  afterEach(() => proxy.pass())
  afterAll(async () => {
    await direct.close()
    await world.close()
    await proxy.close()
  })

  const named = async (name: string) => (await world.acme.get(`/project?project_name=eq.${name}&order=id`)).json
  const row = (project_name: string) => ({ bid_id: world.acme.bid, project_name })
  const expectUnknown = (reply: Reply): void => {
    expectUnavailable(reply, 'outcome_unknown')
    expect(reply.json.hint).toContain('Idempotency-Key')
    expect(reply.headers.get('Retry-After')).toBe('1')
  }
  const moments: readonly Moment[] = ['before', 'sent', 'answered']

  describe.each(moments)('%s', (moment) => {
    test('is nothing that the client of a create sees, and makes one row', async () => {
      const name = `Create ${moment}`
      const lost = proxy.dropAt(name, moment)
      const { status, json, headers } = await world.acme.post('/project?select=*,bid(id)', row(name))
      await lost
      expect(status).toBe(201)
      expect(await named(name)).toMatchObject([{ id: json.id }])
      expect(json).toEqual({ ...(await named(name))[0], bid: { id: world.acme.bid } })
      expect(headers.get('Location')).toBe(`/rest/v1/project?id=eq.${json.id}`)
    })

    test('is nothing that the client of a read sees', async () => {
      const name = `Read ${moment}`
      const [id] = await world.acme.seed([name])
      const lost = proxy.dropAt(name, moment)
      const { status, json } = await world.acme.get(`/project?project_name=eq.${name}`)
      await lost
      expect([status, json]).toMatchObject([200, [{ id }]])
      expect((await world.rival.get(`/project?project_name=eq.${name}`)).json).toEqual([])
    })

    test('leaves many rows whole, and in the order in which they were sent', async () => {
      const rows = ['c', 'a', 'b'].map((letter) => row(`Many ${moment} ${letter}`))
      const lost = proxy.dropAt(`Many ${moment}`, moment)
      const { status, json } = await world.acme.post('/project', rows)
      await lost
      expect(status).toBe(201)
      expect(json).toMatchObject(rows)
      expect((await world.acme.get(`/project?project_name=like.Many ${moment}*`)).json).toHaveLength(3)
    })

    test('does not take a row that was there before for the one that was sent', async () => {
      // Both are of the same millisecond, so that only their values differ.
      setSystemTime(new Date())
      const [existing] = await world.acme.seed([`Taken ${moment}`])
      const lost = proxy.dropAt(`Again ${moment}`, moment)
      const { status, json } = await world.acme.post('/project', { id: existing, ...row(`Again ${moment}`) })
      setSystemTime()
      await lost
      expect([status, json.code]).toEqual([409, '23505'])
      expect(await named(`Taken ${moment}`)).toHaveLength(1)
    })

    test('answers an upsert as it would have been', async () => {
      const [old] = await world.acme.seed([`Old ${moment}`])
      const rows = [Bun.randomUUIDv7(), old].map((id) => ({ id, ...row(`Upsert ${moment}`) }))
      const lost = proxy.dropAt(`Upsert ${moment}`, moment)
      const merged = await world.acme.post('/project', rows, { Prefer: 'resolution=merge-duplicates' })
      await lost
      expect(merged.status).toBe(201)
      expect(merged.json.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id))
      expect(await named(`Upsert ${moment}`)).toHaveLength(2)

      const lostAgain = proxy.dropAt(`Replaced ${moment}`, moment)
      const whole = { id: old, ...row(`Replaced ${moment}`) }
      const replaced = await world.acme.put(`/project?id=eq.${old}`, whole, { Prefer: 'return=representation' })
      await lostAgain
      expect([replaced.status, replaced.json]).toMatchObject([200, [whole]])
      expect(await named(`Replaced ${moment}`)).toMatchObject([{ id: old }])
    })

    test('shows only the new rows where known ones are left as they are', async () => {
      const [known] = await world.acme.seed([`Known ${moment}`])
      const fresh = Bun.randomUUIDv7()
      const rows = [known, fresh].map((id) => ({ id, ...row(`Ignore ${moment}`) }))
      const lost = proxy.dropAt(`Ignore ${moment}`, moment)
      const { status, json } = await world.acme.post('/project', rows, { Prefer: 'resolution=ignore-duplicates' })
      await lost
      expect([status, json.length, json[0]?.id]).toEqual([201, 1, fresh])
      expect(await named(`Known ${moment}`)).toHaveLength(1)
    })

    test('says of a change that nobody can know, and that reading tells', async () => {
      const [id] = await world.acme.seed([`Change ${moment}`])
      const lost = proxy.dropAtCommitOf(`Changed ${moment}`, moment)
      const reply = await world.acme.patch(`/project?id=eq.${id}`, { project_name: `Changed ${moment}` })
      await lost
      expectUnknown(reply)
      const expected = moment === 'before' ? `Change ${moment}` : `Changed ${moment}`
      // The server may still be at work on what it was sent.
      await until(async () => (await named(expected)).length === 1)
      expect(await named(expected)).toMatchObject([{ id }])
    })

    test('in the middle of a change leaves everything as it was', async () => {
      const [id] = await world.acme.seed([`Begin ${moment}`])
      const lost = proxy.dropAt(`Begun ${moment}`, moment)
      const reply = await world.acme.patch(`/project?id=eq.${id}`, { project_name: `Begun ${moment}` })
      await lost
      expectUnknown(reply)
      expect(await named(`Begin ${moment}`)).toMatchObject([{ id }])
      // Nothing holds the row any more.
      const again = await world.acme.patch(`/project?id=eq.${id}`, { project_name: `Done ${moment}` })
      expect(again.status).toBe(204)
      expect(await named(`Done ${moment}`)).toMatchObject([{ id }])
    })

    test.each(['POST', 'PATCH', 'DELETE'])('is nothing that a %s with an Idempotency-Key shows', async (method) => {
      const [id] = await world.acme.seed([`Key ${method} ${moment}`])
      const path = method === 'POST' ? '/project' : `/project?id=eq.${id}`
      const body = method === 'DELETE' ? undefined : JSON.stringify(row(`Keyed ${method} ${moment}`))
      const headers = {
        'Idempotency-Key': `${method}-${moment}`,
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
      }
      const lost = proxy.dropAtCommitOf(`${method}-${moment}`, moment)
      const first = await world.acme.send(method, path, headers, body)
      await lost
      expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([method === 'POST' ? 201 : 200, null])
      const again = await world.acme.send(method, path, headers, body)
      expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true'])
      expect(await named(`Keyed ${method} ${moment}`)).toHaveLength(method === 'DELETE' ? 0 : 1)
      expect((await world.acme.get(`/project?id=eq.${id}`)).json).toHaveLength(method === 'DELETE' ? 0 : 1)
    })
  })

  // The server does not notice that nobody listens any more: it goes on, and commits later.
  test('while the server still works on the statement makes no second row', async () => {
    const holder = await direct.reserve()
    await holder.unsafe('begin')
    await holder.unsafe('select 1 from bid where id = $1 for update', [world.acme.bid])
    const lost = proxy.dropAt('Held up', 'sent')
    const answer = world.acme.post('/project', row('Held up'))
    await lost
    await Bun.sleep(300)
    await holder.unsafe('commit')
    holder.release()
    const { status, json } = await answer
    expect(status).toBe(201)
    expect(await named('Held up')).toEqual([json])
  })

  test('in silence is noticed, and the create is found or made on a new one', async () => {
    const lost = proxy.freezeAt('Silent')
    const answer = world.acme.post('/project', row('Silent'))
    await lost
    // Others are served meanwhile, unless they wait behind the silent one: those are cut off with it.
    const { status, json } = await answer
    expect(status).toBe(201)
    expect(await named('Silent')).toEqual([json])
  })

  // The server is not told either, and would keep the key claimed.
  test('in the middle of a transaction lets go of what it holds', async () => {
    const headers = { 'Idempotency-Key': 'stuck-key' }
    const lost = proxy.freezeAt('stuck-key')
    const first = world.acme.post('/project', row('Stuck'), headers)
    await lost
    expect([201, 409, 503]).toContain((await first).status)
    await until(async () => (await world.acme.post('/project', row('Stuck'), headers)).status === 201)
    expect(await named('Stuck')).toHaveLength(1)
  })

  test('for one that knows no prepared statement is refused at most, and served on', async () => {
    await Promise.all(Array.from({ length: 12 }, () => world.db.read(keyword('deallocate all'))))
    expect((await world.acme.get('/project?limit=1')).status).toBe(200)
    expect((await world.acme.post('/project', row('Unprepared'))).status).toBe(201)
    await until(async () => {
      const reply = await world.acme.post('/project', row('Unprepared'), { 'Idempotency-Key': 'unprepared' })
      if (reply.status !== 201) expectUnavailable(reply, 'PGRST001')
      return reply.status === 201
    })
    expect(await named('Unprepared')).toHaveLength(2)
  })

  test('leaves what another company has alone', async () => {
    const id = Bun.randomUUIDv7()
    await world.rival.post('/project', { id, bid_id: world.rival.bid, project_name: 'Theirs' })
    const lost = proxy.dropAt('Ours', 'answered')
    const { status, json } = await world.acme.post('/project', { id, ...row('Ours') })
    await lost
    expect([status, json.project_name]).toEqual([201, 'Ours'])
    expect((await world.rival.get(`/project?id=eq.${id}`)).json[0].project_name).toBe('Theirs')
  })
})
