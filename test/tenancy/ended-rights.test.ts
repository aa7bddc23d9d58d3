import { afterEach, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { failure } from '../../src/errors/index.ts'
import { Exchange } from '../../src/exchange.ts'
import { type Authenticate, createAuthenticate } from '../../src/keys/authenticate.ts'
import { changeAccess, revokeCredential } from '../../src/keys/change.ts'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import { createRest } from '../../src/rest.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { holdPost, sendRaw } from '../support/raw.ts'
import { until } from '../support/service.ts'
import type { Tenant } from '../support/world.ts'

setDefaultTimeout(300_000)
afterEach(() => void setSystemTime())

/** A credential is remembered for a second; a moment more, and it must have been read again. */
const rememberedMs = 1200

onEachEngine('a right that ends', (world) => {
  const ref = ({ id: companyId, credentialId: id }: Tenant) => ({ companyId, id })
  const hold = (tenant: Tenant, name: string) =>
    holdPost(world.base, '/rest/v1/project', tenant.headers, { bid_id: tenant.bid, project_name: name })
  const narrowToProjects = (tenant: Tenant) =>
    changeAccess(world.db, ref(tenant), (known) => ({ ...known, resources: ['project'] }), commandLine)
  const made = async (name: string) => (await world.acme.get(`/project?project_name=eq.${name}`)).json

  /** As another process would do it: nobody here is told. */
  async function elsewhere(change: (db: Database) => Promise<unknown>): Promise<void> {
    const db = openDatabase(readConfig({ DATABASE_URL: world.databaseUrl }, false))
    await change(db)
    await db.close()
    await Bun.sleep(rememberedMs)
  }

  test.each([
    ['at once where it is revoked', (tenant: Tenant) => revokeCredential(world.db, ref(tenant)), 401],
    ['after a second elsewhere', (tenant: Tenant) => elsewhere((db) => revokeCredential(db, ref(tenant))), 401],
    [
      'with the secret',
      (tenant: Tenant) => rotateCredential(world.db, ref(tenant), { graceSeconds: 0, by: commandLine }),
      403,
    ],
    [
      'with the access to write',
      (tenant: Tenant) =>
        elsewhere((db) => db.transact([sql`update credential set access = 'read' where id = ${tenant.credentialId}`])),
      403,
    ],
  ])('has no effect on a body that is still on its way: %s', async (how, end, status) => {
    const tenant = await world.acme.withCredential('read-write')
    expect((await tenant.get('/project?limit=1')).status).toBe(200)
    const name = how.replaceAll(' ', '-')
    const held = hold(tenant, name)
    const neighbour = hold(world.rival, name)
    await Bun.sleep(100)
    await end(tenant)
    expect(await held.finish()).toStartWith(`HTTP/1.1 ${status} `)
    expect(await made(name)).toEqual([])
    expect(await neighbour.finish()).toStartWith('HTTP/1.1 201 ')
  })

  test('has no effect on a body that is still on its way: by its expiry', async () => {
    const tenant = await world.acme.withCredential('read-write', new Date(Date.now() + 3_600_000))
    const held = hold(tenant, 'expired')
    await Bun.sleep(100)
    setSystemTime(new Date(Date.now() + 3_700_000))
    expect(await held.finish()).toStartWith('HTTP/1.1 401 ')
    setSystemTime()
    expect(await made('expired')).toEqual([])
  })

  test('has no effect on a body that is still on its way: to what the answer would show beside the row', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const row = { bid_id: tenant.bid, project_name: 'beside' }
    const headers = { ...tenant.headers, Prefer: 'return=representation' }
    const held = holdPost(world.base, '/rest/v1/project?select=*,bid(*)', headers, row)
    await Bun.sleep(100)
    await narrowToProjects(tenant)
    expect(await held.finish()).toStartWith('HTTP/1.1 403 ')
    expect(await made('beside')).toEqual([])
  })

  test('lets a body that took its time through where nothing has ended', async () => {
    const held = hold(world.acme, 'patient')
    await Bun.sleep(rememberedMs)
    expect(await held.finish()).toStartWith('HTTP/1.1 201 ')
    expect(await made('patient')).toHaveLength(1)
  })

  test('is confirmed by what was read as short a time ago as is asked for', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const authenticate = createAuthenticate(world.db)
    const key = tenant.headers.apikey ?? ''
    const http = new Request('http://test/rest/v1/project', { headers: tenant.headers })
    const caller = await authenticate(authenticate.read(http.headers), 'somebody', new Exchange(http))
    await world.db.transact([sql`update credential set access = 'read' where id = ${tenant.credentialId}`])
    const anHourMs = 3_600_000
    expect(await authenticate.confirm(key, caller, anHourMs)).toMatchObject({ access: 'read-write' })
    expect(await authenticate.confirm(key, caller, 0)).toMatchObject({ access: 'read' })
    expect(await authenticate.confirm(key, caller, anHourMs)).toMatchObject({ access: 'read' })
  })

  test('is not kept by a clock that is set back', async () => {
    const tenant = await world.acme.withCredential('read-write')
    expect((await tenant.get('/project?limit=1')).status).toBe(200)
    setSystemTime(new Date(Date.now() - 3_600_000))
    expect((await tenant.get('/project?limit=1')).status).toBe(200)
    await elsewhere((db) => revokeCredential(db, ref(tenant)))
    expect((await tenant.get('/project?limit=1')).status).toBe(401)
    expect((await world.rival.get('/project?limit=1')).status).toBe(200)
  })

  test('is asked for again where a read has taken long, before it is shown', async () => {
    const known = createAuthenticate(world.db)
    const ended = { ...known, confirm: () => Promise.reject(failure.keyInvalid()) }
    const authenticate = Object.assign((...asked: Parameters<Authenticate>) => known(...asked), ended)
    const config = readConfig({}, false)
    const rest = createRest({ db: world.db, authenticate, limits: config, rates: config })
    const read = async (tookMs: number) => {
      const http = new Request('http://test/rest/v1/project?limit=1', { headers: world.acme.headers })
      const exchange = Object.assign(new Exchange(http), { startedAt: performance.now() - tookMs })
      return rest(http, { name: 'project', queryText: 'limit=1' }, exchange)
    }
    // However slow the machine is, this one has not taken long.
    expect(await read(-60_000)).toMatchObject({ status: 200 })
    await expect(read(5000)).rejects.toMatchObject({ status: 401 })
  })

  test('is asked for again once a part of a long list is read, before it is sent', async () => {
    await world.acme.seed(Array.from({ length: 2500 }, (_, at) => `in parts ${at}`))
    const done: string[] = []
    const known = createAuthenticate(world.db)
    const confirm: Authenticate['confirm'] = (...asked) => {
      done.push('asked')
      return known.confirm(...asked)
    }
    const authenticate = Object.assign((...asked: Parameters<Authenticate>) => known(...asked), { ...known, confirm })
    const forRows: Database['forRows'] = (companyId) => {
      const own = world.db.forRows(companyId)
      const readPart: typeof own.readPart = (statement) => {
        done.push('read')
        return own.readPart(statement)
      }
      return { ...own, readPart }
    }
    const config = readConfig({}, false)
    const rest = createRest({ db: { ...world.db, forRows }, authenticate, limits: config, rates: config })
    const http = new Request('http://test/rest/v1/project', { headers: world.acme.headers })
    const { body } = await rest(http, { name: 'project', queryText: '' }, new Exchange(http))
    for await (const _ of body as AsyncIterable<string>);
    expect(done.join(' ')).toMatch(/^read asked( read asked)+$/)
  })

  test('cuts a list whose embedded rows may no longer be shown, and no other', async () => {
    await world.acme.seed(Array.from({ length: 2500 }, (_, at) => `embedding ${at}`))
    const config = readConfig({}, false)
    const rest = createRest({ db: world.db, authenticate: createAuthenticate(world.db), limits: config, rates: config })
    const partsAfter = async (queryText: string) => {
      const tenant = await world.acme.withCredential('read-write')
      const http = new Request('http://test/rest/v1/project', { headers: tenant.headers })
      const { body } = await rest(http, { name: 'project', queryText }, new Exchange(http))
      const parts = (body as AsyncIterable<string>)[Symbol.asyncIterator]()
      await parts.next()
      await narrowToProjects(tenant)
      return parts.next()
    }
    expect(await partsAfter('select=*')).toMatchObject({ done: false })
    await expect(partsAfter('select=*,bid(*)')).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' })
  })

  test('cuts a list that is read slowly, and the log says why', async () => {
    const tenant = await world.acme.withCredential('read')
    const names = Array.from({ length: 2500 }, (_, at) => `${at} ${'x'.repeat(240)}`)
    // Far more than the kernel takes for a client that does not read.
    for (let part = 0; part < 20; part += 1) await world.acme.seed(names)
    const slow = sendRaw(world.base, 'GET /rest/v1/project', { ...tenant.headers, Connection: 'close' })
    await until(() => slow.received().length > 0)
    slow.socket.pause()
    await Bun.sleep(300)
    await revokeCredential(world.db, ref(tenant))
    slow.socket.resume()
    const answer = await slow.ended
    expect(answer).toStartWith('HTTP/1.1 200 ')
    expect(answer.endsWith('0\r\n\r\n')).toBe(false)
    const line = () =>
      world.logged
        .join('')
        .split('\n')
        .find((one) => one.includes(tenant.credentialId))
    await until(() => line() !== undefined)
    expect(line()).toContain('"code":"invalid_api_key"')
  })
})
