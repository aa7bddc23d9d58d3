import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test'
import { SQL } from 'bun'
import { keyword } from '../../src/store/sql.ts'
import type { Moment, TcpProxy } from '../support/proxy.ts'
import { until } from '../support/service.ts'
import { type Reply, World } from '../support/world.ts'
import { expectUnavailable, isSearchOver, openBehindProxy, searchesMax } from './support.ts'

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

  /** Sends what loses its connection; again, under another name, where the machine stood still until nobody looked for it any more. */
  async function lose(
    text: string,
    drop: (name: string) => Promise<void>,
    send: (name: string, lost: Promise<void>) => Promise<Reply>,
  ): Promise<{ readonly name: string; readonly reply: Reply }> {
    for (let searches = 1; ; searches += 1) {
      const name = searches === 1 ? text : `${text} ${searches}`
      let lostAt = 0
      const lost = drop(name).then(() => {
        lostAt = performance.now()
      })
      const reply = await send(name, lost)
      await lost
      if (searches === searchesMax || !isSearchOver(reply, lostAt)) return { name, reply }
    }
  }

  describe.each(moments)('%s', (moment) => {
    const drop = (name: string) => proxy.dropAt(name, moment)

    test('is nothing that the client of a create sees, and makes one row', async () => {
      const { name, reply } = await lose(`Create ${moment}`, drop, (name) =>
        world.acme.post('/project?select=*,bid(id)', row(name)),
      )
      const { status, json, headers } = reply
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
      const rowsOf = (name: string) => ['c', 'a', 'b'].map((letter) => row(`${name} ${letter}`))
      const { name, reply } = await lose(`Many ${moment}`, drop, (name) => world.acme.post('/project', rowsOf(name)))
      expect(reply.status).toBe(201)
      expect(reply.json).toMatchObject(rowsOf(name))
      expect((await world.acme.get(`/project?project_name=like.${name} *`)).json).toHaveLength(3)
    })

    test('does not take a row that was there before for the one that was sent', async () => {
      const takenOf = (name: string) => name.replace('Again', 'Taken')
      const { name, reply } = await lose(`Again ${moment}`, drop, async (name) => {
        // Both are of the same millisecond, so that only their values differ.
        setSystemTime(new Date())
        const [existing] = await world.acme.seed([takenOf(name)])
        const again = await world.acme.post('/project', { id: existing, ...row(name) })
        setSystemTime()
        return again
      })
      expect([reply.status, reply.json.code]).toEqual([409, '23505'])
      expect(await named(takenOf(name))).toHaveLength(1)
    })

    test('answers an upsert as it would have been', async () => {
      const [old] = await world.acme.seed([`Old ${moment}`])
      let ids: unknown[] = []
      const { name, reply: merged } = await lose(`Upsert ${moment}`, drop, (name) => {
        ids = [Bun.randomUUIDv7(), old]
        const rows = ids.map((id) => ({ id, ...row(name) }))
        return world.acme.post('/project', rows, { Prefer: 'resolution=merge-duplicates' })
      })
      expect(merged.status).toBe(201)
      expect(merged.json.map(({ id }: { id: string }) => id)).toEqual(ids)
      expect(await named(name)).toHaveLength(2)

      const wholeOf = (name: string) => ({ id: old, ...row(name) })
      const { name: newName, reply: replaced } = await lose(`Replaced ${moment}`, drop, (name) =>
        world.acme.put(`/project?id=eq.${old}`, wholeOf(name), { Prefer: 'return=representation' }),
      )
      expect([replaced.status, replaced.json]).toMatchObject([200, [wholeOf(newName)]])
      expect(await named(newName)).toMatchObject([{ id: old }])
    })

    test('shows only the new rows where known ones are left as they are', async () => {
      const [known] = await world.acme.seed([`Known ${moment}`])
      let fresh = ''
      const { reply } = await lose(`Ignore ${moment}`, drop, (name) => {
        fresh = Bun.randomUUIDv7()
        const rows = [known, fresh].map((id) => ({ id, ...row(name) }))
        return world.acme.post('/project', rows, { Prefer: 'resolution=ignore-duplicates' })
      })
      expect([reply.status, reply.json.length, reply.json[0]?.id]).toEqual([201, 1, fresh])
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
      let id: string | undefined
      const keyOf = (name: string) => name.replaceAll(' ', '-')
      const send = (name: string) =>
        world.acme.send(
          method,
          method === 'POST' ? '/project' : `/project?id=eq.${id}`,
          { 'Idempotency-Key': keyOf(name), 'Content-Type': 'application/json', Prefer: 'return=representation' },
          method === 'DELETE' ? undefined : JSON.stringify(row(`Keyed ${name}`)),
        )
      const dropAtCommit = (name: string) => proxy.dropAtCommitOf(keyOf(name), moment)
      const { name, reply: first } = await lose(`${method} ${moment}`, dropAtCommit, async (name) => {
        ;[id] = await world.acme.seed([`Key ${name}`])
        return send(name)
      })
      expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([method === 'POST' ? 201 : 200, null])
      const again = await send(name)
      expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true'])
      expect(await named(`Keyed ${name}`)).toHaveLength(method === 'DELETE' ? 0 : 1)
      expect((await world.acme.get(`/project?id=eq.${id}`)).json).toHaveLength(method === 'DELETE' ? 0 : 1)
    })
  })

  // The server does not notice that nobody listens any more: it goes on, and commits later.
  test('while the server still works on the statement makes no second row', async () => {
    const drop = (name: string) => proxy.dropAt(name, 'sent')
    const { name, reply } = await lose('Held up', drop, async (name, lost) => {
      const holder = await direct.reserve()
      await holder.unsafe('begin')
      await holder.unsafe('select 1 from bid where id = $1 for update', [world.acme.bid])
      const answer = world.acme.post('/project', row(name))
      await lost
      await Bun.sleep(300)
      await holder.unsafe('commit')
      holder.release()
      return answer
    })
    expect(reply.status).toBe(201)
    expect(await named(name)).toEqual([reply.json])
  })

  test('in silence is noticed, and the create is found or made on a new one', async () => {
    // Others are served meanwhile, unless they wait behind the silent one: those are cut off with it.
    const { name, reply } = await lose('Silent', proxy.freezeAt, (name) => world.acme.post('/project', row(name)))
    expect(reply.status).toBe(201)
    expect(await named(name)).toEqual([reply.json])
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
    let id = ''
    const drop = (name: string) => proxy.dropAt(name, 'answered')
    const { name, reply } = await lose('Ours', drop, async (name) => {
      id = Bun.randomUUIDv7()
      await world.rival.post('/project', { id, bid_id: world.rival.bid, project_name: 'Theirs' })
      return world.acme.post('/project', { id, ...row(name) })
    })
    expect([reply.status, reply.json.project_name]).toEqual([201, name])
    expect((await world.rival.get(`/project?id=eq.${id}`)).json[0].project_name).toBe('Theirs')
  })
})
