import { beforeAll, expect, test } from 'bun:test'
import { Exchange } from '../../src/exchange.ts'
import { revokeCredential } from '../../src/keys/change.ts'
import { makeToken } from '../../src/keys/token.ts'
import { createRequestLog } from '../../src/request-log/create-request-log.ts'
import { listRequests } from '../../src/request-log/read-requests.ts'
import { sweepRequests, trimRequests } from '../../src/request-log/trim-requests.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { mistyped } from '../support/mistyped.ts'
import { withTransact } from '../support/with-transact.ts'
import type { Tenant, World } from '../support/world.ts'
import { type Browser, behindProxy, outcome, signedIn } from './support.ts'

const unknown = '00000000-0000-4000-8000-000000000000'

/** An exchange of a credential that opened its company. */
const exchangeOf = ({ id, credentialId }: Tenant): Exchange =>
  Object.assign(new Exchange(), {
    caller: {
      ...{ credentialId, companyId: id, secretId: unknown, access: 'read', scope: { companyId: id } },
      ...{ ratePolicy: null, isExposed: false },
    } as const,
  })

const plain = () => new Request('http://localhost/rest/v1/project')

async function rowsOf({ db }: World, { id, credentialId }: Tenant): Promise<number> {
  const [[count] = []] = await db.read(
    sql`select count(*) from request_log where company_id = ${id} and credential_id = ${credentialId}`,
  )
  return Number(count)
}

onEachEngine(
  'the request log',
  (world) => {
    let owner: Browser
    let rival: Browser
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'viewer')
      rival = await signedIn(world, world.rival.id, 'owner')
    }, 120_000)

    /** What the page is told, newest first. */
    const list = async (query: string, browser = owner) => {
      await world.requestLog.flush()
      const { json } = await browser.get(`/requests?${query}`)
      return json.requests
    }

    test('has what was asked, how it was answered, and how to fix it', async () => {
      const tenant = await world.acme.withCredential('read-write')
      const good = await tenant.get('/project?select=id&limit=1', { 'User-Agent': 'curl/8' })
      const bad = await tenant.get('/project?select=nothing')
      const [failed, done] = await list(`credential=${tenant.credentialId}`)
      expect(done).toMatchObject({
        ...{ id: good.headers.get('x-request-id'), credential_id: tenant.credentialId, method: 'GET', outcome: 'ok' },
        ...{ path: '/rest/v1/project?select=id&limit=1', status: 200, code: null, message: null, hint: null },
        ...{ user_agent: 'curl/8', left_out: 0 },
      })
      expect(done.credential_name).not.toBe('')
      expect(done.ms).toBeGreaterThan(0)
      expect(Math.abs(Date.parse(done.at) - Date.now())).toBeLessThan(600_000)
      expect(done.address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
      expect(failed).toMatchObject({
        ...{ id: bad.headers.get('x-request-id'), status: 400, outcome: 'refused', code: '42703' },
        message: 'column project.nothing does not exist',
      })
      expect(failed.hint).toContain('Columns: id')
      expect((await owner.get(`/requests/${failed.id}`)).json).toEqual(failed)
    })

    test('has nothing of a body, a secret or a long value', async () => {
      const tenant = await world.acme.withCredential('read-write')
      await tenant.post('/project', { bid_id: 'told in confidence', project_name: 'x' })
      await tenant.get(`/project?project_name=eq.${tenant.apiSecret}`, { 'User-Agent': `leaky ${tenant.apiSecret}` })
      await tenant.get(`/project?project_name=eq.${'long'.repeat(100)}`)
      await tenant.get(`/project?id=eq.${'long'.repeat(100)}`)
      const found = await list(`credential=${tenant.credentialId}`)
      expect(found).toHaveLength(4)
      const text = JSON.stringify(found)
      expect(text).not.toContain('confidence')
      expect(text).not.toContain(tenant.apiSecret.slice(4, 14))
      expect(text).not.toContain('long'.repeat(51))
      expect(found[3]).toMatchObject({ status: 400, code: '22P02', message: null })
      expect(found[3].hint).toContain('UUID')
    })

    test('has requests without their secret, with a key that has ended, and with one that is mistyped', async () => {
      const tenant = await world.acme.withCredential('read-write')
      const send = (apikey: string) => fetch(`${world.base}/rest/v1/project`, { headers: { apikey } })
      await send(tenant.apiKey)
      await send(mistyped(tenant.apiKey))
      await revokeCredential(world.db, { companyId: tenant.id, id: tenant.credentialId })
      await send(tenant.apiKey)
      const found: { status: number; code: string }[] = await list(`credential=${tenant.credentialId}&outcome=failed`)
      expect(found.map(({ status, code }) => `${status} ${code}`).toSorted()).toEqual([
        '200 secret_missing',
        '401 invalid_api_key',
        '401 invalid_api_key',
      ])
    })

    test('has requests to /mcp', async () => {
      const tenant = await world.acme.withCredential('read-write')
      const call = { name: 'read_project', arguments: { id: 'told in confidence' } }
      const response = await fetch(`${world.base}/mcp`, {
        method: 'POST',
        headers: {
          ...{ Authorization: `Bearer ${tenant.apiKey}.${tenant.apiSecret}`, 'Content-Type': 'application/json' },
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      })
      expect(response.status).toBe(200)
      const found = await list(`credential=${tenant.credentialId}`)
      expect(found).toHaveLength(1)
      expect(found[0]).toMatchObject({ method: 'POST', path: '/mcp', status: 200 })
      expect(JSON.stringify(found)).not.toContain('confidence')
    })

    test('is filtered by outcome and credential, and read page by page', async () => {
      const tenant = await world.acme.withCredential('read-write')
      for (const path of ['/project', '/project?no=1', '/bid', '/project?no=2']) await tenant.get(path)
      const paths = async (query: string) =>
        (await list(`credential=${tenant.credentialId}&${query}`)).map(({ path }: { path: string }) => path)
      expect(await paths('outcome=ok')).toEqual(['/rest/v1/bid', '/rest/v1/project'])
      expect(await paths('outcome=failed')).toEqual(['/rest/v1/project?no=2', '/rest/v1/project?no=1'])
      expect(await paths('outcome=not_scoped')).toEqual([])
      expect(await paths('status=400&method=get')).toEqual(['/rest/v1/project?no=2', '/rest/v1/project?no=1'])
      expect(await paths('status=400&outcome=ok')).toEqual([])
      expect(await paths('method=DELETE')).toEqual([])
      const { json: first } = await owner.get(`/requests?credential=${tenant.credentialId}&limit=3`)
      expect(first.requests).toHaveLength(3)
      const { json: second } = await owner.get(
        `/requests?credential=${tenant.credentialId}&limit=3&before=${first.next}`,
      )
      expect(second.requests.map(({ path }: { path: string }) => path)).toEqual(['/rest/v1/project'])
      expect(second.next).toBe(null)
      const all = await list('outcome=failed&limit=200')
      expect(all.every(({ outcome }: { outcome: string }) => outcome !== 'ok')).toBe(true)
    })

    test('is filtered by a part of the path, in any case, as it was sent or as people read it', async () => {
      const tenant = await world.acme.withCredential('read-write')
      const sent = ['/project?project_name=eq.50%25', '/bid?bid_name=eq.%E6%96%B0', '/project?order=bid_id']
      for (const path of sent) await tenant.get(path)
      const paths = async (path: string) =>
        (await list(`credential=${tenant.credentialId}&${new URLSearchParams({ path })}`)).map(
          (one: { path: string }) => one.path,
        )
      const [percent, encoded, ordered] = sent.map((path) => `/rest/v1${path}`)
      expect(await paths('/PROJECT')).toEqual([ordered, percent])
      expect(await paths('bid_id')).toEqual([ordered])
      // What was typed means itself: neither sign stands for others.
      expect(await paths('%')).toEqual([encoded, percent])
      expect(await paths('/project_')).toEqual([])
      expect(await paths('eq.新')).toEqual([encoded])
      expect(await paths('%e6%96')).toEqual([encoded])
      expect(await paths('/invoice')).toEqual([])
      expect(await paths('  ')).toHaveLength(3)
    })

    test('is searched for a path beside the thread of the service, however few requests there are', async () => {
      const inThread = (): never => {
        throw new Error('In the thread')
      }
      const store = { ...world.db.forCompany(world.acme.id), read: inThread, readReport: inThread }
      const filter = { credentialId: null, outcome: null, before: null }
      expect(await listRequests(store, { ...filter, path: 'nothing like it' }, 1)).toEqual([])
      await expect(listRequests(store, filter, 1)).rejects.toThrow('In the thread')
    })

    test.each([
      'limit=0',
      'limit=x',
      'outcome=bad',
      'credential=7',
      'before=%00',
      'path=%00',
      `path=${'x'.repeat(201)}`,
    ])('refuses %s', async (query) => {
      expect(outcome(await owner.get(`/requests?${query}`))).toEqual([400, 'invalid_settings_body'])
    })

    test('shows nothing of another company', async () => {
      await world.acme.get('/project?id=eq.tell-tale')
      const [found] = await list('limit=1')
      expect(found.path).toContain('tell-tale')
      expect(outcome(await rival.get(`/requests/${found.id}`))).toEqual([404, 'request_unknown'])
      expect(outcome(await rival.get(`/requests/${unknown}`))).toEqual([404, 'request_unknown'])
      const replies = await Promise.all(
        ['', `credential=${world.acme.credentialId}`, 'outcome=failed', 'path=tell-tale', `before=${makeLater()}`].map(
          (query) => rival.get(`/requests?limit=200&${query}`),
        ),
      )
      for (const { status, text } of replies) {
        expect(status).toBe(200)
        expect(text).not.toContain('tell-tale')
        expect(text).not.toContain(world.acme.credentialId)
      }
    })

    test('keeps the first of each minute, and the number of the others', async () => {
      const tenant = await world.acme.withCredential('read')
      const log = createRequestLog(world.db)
      // Within one minute, whenever the test is run.
      while (Date.now() % 60_000 > 50_000) await Bun.sleep(1000)
      for (let times = 0; times < 500; times += 1) {
        log.record(plain(), exchangeOf(tenant), { status: 200, ms: 1, error: undefined })
        log.record(plain(), exchangeOf(tenant), { status: 404, ms: 1, error: undefined })
      }
      await log.stop()
      expect(await rowsOf(world, tenant)).toBe(360)
      const found: { left_out: number; outcome: string }[] = []
      for (let before = ''; ; ) {
        const { json } = await owner.get(`/requests?credential=${tenant.credentialId}&limit=200${before}`)
        found.push(...json.requests)
        if (json.next === null) break
        before = `&before=${json.next}`
      }
      const told = found.filter(({ left_out }) => left_out > 0)
      expect(told.map(({ outcome, left_out }) => `${outcome} ${left_out}`).toSorted()).toEqual([
        'ok 440',
        'refused 200',
      ])
    }, 120_000)

    test('writes again what could not be written, and nothing twice', async () => {
      const tenant = await world.acme.withCredential('read')
      let isAway = true
      const errors: unknown[] = []
      const db = withTransact(world.db, (transact) => async (statements, check) => {
        const written = await transact(statements, check)
        if (isAway) throw new Error('The answer was lost')
        return written
      })
      const log = createRequestLog(db, (error) => errors.push(error))
      for (let times = 0; times < 3; times += 1)
        log.record(plain(), exchangeOf(tenant), { status: 200, ms: 1, error: undefined })
      await log.flush()
      isAway = false
      await log.stop()
      expect(errors).toHaveLength(1)
      expect(await rowsOf(world, tenant)).toBe(3)
    })

    test('loses nothing of others where a company is gone', async () => {
      const tenant = await world.acme.withCredential('read')
      const gone = { id: unknown, credentialId: unknown } as Tenant
      const errors: unknown[] = []
      const log = createRequestLog(world.db, (error) => errors.push(error))
      for (const one of [gone, tenant, gone, tenant])
        log.record(plain(), exchangeOf(one), { status: 200, ms: 1, error: undefined })
      await log.stop()
      expect([await rowsOf(world, tenant), await rowsOf(world, gone), errors]).toEqual([2, 0, []])
    })

    test('is kept for seven days', async () => {
      const [tenant, other] = [await world.acme.withCredential('read'), await world.rival.withCredential('read')]
      await world.requestLog.flush()
      const days = (count: number) => Bun.randomUUIDv7('hex', Date.now() - count * 86_400_000)
      for (const { id, credentialId } of [tenant, other])
        await world.db.transact(
          [6, 8, 400].map(
            (age) => sql`insert into request_log
              (company_id, id, credential_id, created_at, method, path, outcome, status, ms, left_out)
              values (${id}, ${days(age)}, ${credentialId}, '2026-01-01T00:00:00Z', 'GET', '/', 'ok', 200, 1, 0)`,
          ),
        )
      await sweepRequests(world.db)
      expect([await rowsOf(world, tenant), await rowsOf(world, other)]).toEqual([1, 1])
    })

    test('keeps the newest of a company that has too many, and all of another', async () => {
      const tenant = await world.acme.withCredential('read')
      const log = createRequestLog(world.db)
      for (let times = 0; times < 300; times += 1)
        log.record(plain(), exchangeOf(tenant), { status: 404, ms: times, error: undefined })
      await log.stop()
      await world.requestLog.flush()
      const others = async () =>
        (await world.db.read(sql`select id from request_log where company_id = ${world.rival.id} order by id`)).flat()
      const before = await others()
      expect(before.length).toBeGreaterThan(0)
      await trimRequests(world.db, world.acme.id, 7)
      const left: { ms: number }[] = await list('limit=200')
      expect(left.map(({ ms }) => ms)).toEqual([299, 298, 297, 296, 295, 294, 293])
      expect(await others()).toEqual(before)
    })

    test('tells how long requests took', async () => {
      const tenant = await world.acme.withCredential('read')
      for (let times = 0; times < 5; times += 1) await tenant.get('/project')
      await world.usage.flush()
      for (const span of ['24h', '30d']) {
        const { json } = await owner.get(`/usage?span=${span}&credential=${tenant.credentialId}`)
        const used = json.bars.filter(({ ok }: { ok: number }) => ok > 0)
        for (const { p50_ms, p95_ms } of used) {
          expect(p50_ms).toBeGreaterThan(0)
          expect(p95_ms).toBeGreaterThanOrEqual(p50_ms)
        }
        expect(json.bars[0]).toMatchObject({ p50_ms: null, p95_ms: null })
      }
    })

    test('a key that nobody has is nobody’s', async () => {
      const count = async () => Number((await world.db.read(sql`select count(*) from request_log`))[0]?.[0])
      await world.requestLog.flush()
      const before = await count()
      await fetch(`${world.base}/rest/v1/project`, { headers: { apikey: makeToken('key') } })
      await fetch(`${world.base}/rest/v1/project`)
      await world.requestLog.flush()
      expect(await count()).toBe(before)
    })
  },
  behindProxy,
)

const makeLater = (): string => Bun.randomUUIDv7('hex', Date.now() + 86_400_000)
