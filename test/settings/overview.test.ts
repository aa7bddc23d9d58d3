import { beforeAll, expect, test } from 'bun:test'
import { auditStatement, commandLine } from '../../src/people/audit.ts'
import { countEvents } from '../../src/people/audit-log.ts'
import { createCompany } from '../../src/people/companies.ts'
import { onEachEngine } from '../support/engines.ts'
import { withinOneHour } from '../support/one-hour.ts'
import { type Browser, behindProxy, outcome, signedIn } from './support.ts'

const inThread = (): never => {
  throw new Error('In the thread')
}

onEachEngine(
  'the overview',
  (world) => {
    const people: { viewer: Browser; newcomer: Browser } = Object.create(null)
    beforeAll(async () => {
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
      people.newcomer = await signedIn(world, (await createCompany(world.db, 'Newcomer')).id, 'owner')
    }, 300_000)

    test('of a new company has every day, and nothing in it', async () => {
      await withinOneHour()
      const { json } = await people.newcomer.get('/overview')
      expect(json).toMatchObject({ last_request: null, credentials: 0, rows: { bid: 0, project: 0 } })
      expect(json.not_scoped).toEqual({ credentials: 0, most: [] })
      expect(json.days).toHaveLength(30)
      expect(json.days.at(-1)).toEqual({
        day: new Date().toISOString().slice(0, 10),
        ok: 0,
        refused: 0,
        not_scoped: 0,
      })
      expect(json.days.map(({ day }: { day: string }) => day)).toEqual(
        json.days.map(({ day }: { day: string }) => day).toSorted(),
      )
    }, 300_000)

    test('shows a first request by itself, and what was wrong with it', async () => {
      await withinOneHour()
      const { json: made } = await people.newcomer.post('/credentials', { name: 'First', access: 'read' })
      await fetch(`${world.base}/rest/v1/project`, { headers: { apikey: made.api_key } })
      const last = async () => (await people.newcomer.get('/overview')).json.last_request
      while ((await last()) === null) await Bun.sleep(20)
      expect(await last()).toMatchObject({
        credential_id: made.id,
        credential_name: 'First',
        outcome: 'not_scoped',
        status: 200,
        code: 'secret_missing',
        method: 'GET',
      })
      const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret }
      await fetch(`${world.base}/rest/v1/project`, { headers })
      while ((await last()).outcome !== 'ok') await Bun.sleep(20)
      const { json } = await people.newcomer.get('/overview')
      expect(json.days.at(-1)).toMatchObject({ ok: 1, refused: 0, not_scoped: 1 })
      expect(json.not_scoped).toEqual({
        credentials: 1,
        most: [{ credential_id: made.id, name: 'First', requests: 1 }],
      })
      expect(json.credentials).toBe(1)
    }, 300_000)

    test('has a chart of the requests by hour or day, of all credentials or one, and of no other company', async () => {
      const [{ id }] = (await people.newcomer.get('/credentials')).json
      type Bar = { at: string; ok: number; not_scoped: number }
      const bars = async (query: string, by = people.newcomer): Promise<Bar[]> =>
        (await by.get(`/usage${query}`)).json.bars
      const sums = (found: readonly Bar[]) => [
        found.reduce((sum, { ok }) => sum + ok, 0),
        found.reduce((sum, { not_scoped }) => sum + not_scoped, 0),
      ]
      for (const [span, length] of [
        ['24h', 24],
        ['7d', 7],
        ['30d', 30],
        ['90d', 90],
      ] as const) {
        const found = await bars(`?span=${span}&credential=${id}`)
        expect([span, found.length, ...sums(found)]).toEqual([span, length, 1, 1])
        const times = found.map(({ at }) => Date.parse(at))
        expect(times).toEqual(times.toSorted((one, other) => one - other))
      }
      expect(sums(await bars(''))).toEqual([1, 1])
      expect(sums(await bars(`?credential=${id}`, people.viewer))).toEqual([0, 0])
      for (const query of ['?span=1y', '?credential=x', '?span='])
        expect(outcome(await people.newcomer.get(`/usage${query}`))).toEqual([400, 'invalid_settings_body'])
    })

    test('knows how many credentials lack their secret, and names those with the most requests', async () => {
      const { most: before } = (await people.newcomer.get('/overview')).json.not_scoped
      for (let at = 0; at < 6; at += 1) {
        const { json: made } = await people.newcomer.post('/credentials', { name: `Job ${at}`, access: 'read' })
        for (let sent = 0; sent < 2; sent += 1)
          await fetch(`${world.base}/rest/v1/project`, { headers: { apikey: made.api_key } })
      }
      type Seen = { days: { not_scoped: number }[]; not_scoped: { credentials: number; most: unknown[] } }
      const seen = async (): Promise<Seen> => (await people.newcomer.get('/overview')).json
      const total = ({ days }: Seen) => days.reduce((sum, day) => sum + day.not_scoped, 0)
      while (total(await seen()) < 13) await Bun.sleep(20)
      const { credentials, most } = (await seen()).not_scoped
      expect([credentials, most.length]).toEqual([7, 5])
      expect(most).not.toContainEqual(before[0])
    })

    test('counts what the company has, and nothing of others', async () => {
      const { json } = await people.viewer.get('/overview')
      expect([json.rows, json.credentials]).toEqual([{ bid: 1, project: 1 }, 1])
    })
  },
  behindProxy,
)

onEachEngine(
  'the activity',
  (world) => {
    const people: { viewer: Browser; rival: Browser } = Object.create(null)
    beforeAll(async () => {
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
      people.rival = await signedIn(world, world.rival.id, 'owner')
      const event = { ...commandLine, companyId: world.acme.id, action: 'company.renamed', details: {} } as const
      for (let at = 0; at < 5; at += 1)
        await world.db.transact([auditStatement({ ...event, actor: 'Ann 100%', target: `Event ${at}` })])
      await world.db.transact([
        auditStatement({ ...event, actor: '=1+1', target: '@x, "y"\nz', details: { before: '-2' }, address: '+1' }),
      ])
    }, 300_000)

    const targets = (events: { target: string }[]) => events.map(({ target }) => target)

    test('is newest first, or oldest first, by pages, and knows how many there are', async () => {
      const path = '/activity?action=company.renamed&limit=2'
      const { json: first } = await people.viewer.get(path)
      expect([targets(first.events), first.total]).toEqual([['@x, "y"\nz', 'Event 4'], 6])
      const { json: third } = await people.viewer.get(`${path}&offset=4`)
      expect(targets(third.events)).toEqual(['Event 1', 'Event 0'])
      const { json: oldest } = await people.viewer.get(`${path}&order=asc`)
      expect(targets(oldest.events)).toEqual(['Event 0', 'Event 1'])
      expect((await people.viewer.get(`${path}&offset=6`)).json).toEqual({ events: [], total: 6 })
    })

    test('can be narrowed by action, actor, target, time and any text', async () => {
      const countOf = async (query: string) => (await people.viewer.get(`/activity?${query}`)).json.total
      expect(await countOf('actor=ann')).toBe(5)
      expect(await countOf('actor=100%25')).toBe(5)
      expect(await countOf('actor=1_0')).toBe(0)
      expect(await countOf('target=event 3')).toBe(1)
      expect([await countOf('q=EVENT'), await countOf('q=ann'), await countOf('q=%2B1')]).toEqual([5, 5, 1])
      const soon = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())
      expect([await countOf(`since=${soon}`), await countOf(`actor=ann&until=${soon}`)]).toEqual([0, 5])
      const { json: made } = await people.viewer.get('/activity?action=credential.created')
      expect(made.events).toMatchObject([{ actor: 'command line', target: 'Acme', details: { access: 'read-write' } }])
      expect((await people.viewer.get('/activity?action=nothing')).json).toEqual({ events: [], total: 0 })
    })

    test('is searched beside the thread of the service, however few events there are', async () => {
      const store = world.db.forCompany(world.acme.id)
      const all = { action: null, actor: null, target: null, search: null, since: null, until: null }
      const log = { ...store, read: inThread, readReport: inThread }
      for (const name of ['actor', 'target', 'search'])
        expect(await countEvents(log, { ...all, [name]: 'nobody' })).toBe(0)
      await expect(countEvents(log, all)).rejects.toThrow('In the thread')
    })

    test('refuses a page, a time or a text that is none', async () => {
      for (const query of [
        'limit=0',
        'limit=201',
        'limit=x',
        'offset=-1',
        'offset=x',
        'since=x',
        'until=99999-01-01',
        'q=%00',
        ...['q', 'actor', 'target'].map((name) => `${name}=${'x'.repeat(201)}`),
      ]) {
        expect(outcome(await people.viewer.get(`/activity?${query}`))).toEqual([400, 'invalid_settings_body'])
      }
    })

    test('can be downloaded, and no cell of it is a formula', async () => {
      const { status, headers, text } = await people.viewer.get('/activity.csv?action=company.renamed')
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
      expect(headers.get('Content-Disposition')).toBe('attachment; filename="activity.csv"')
      const [head, first, ...others] = text.split('\r\n')
      expect(head).toBe('created_at,actor,action,target,details,address,user_agent,request_id')
      expect(first).toEndWith(`,'=1+1,company.renamed,"'@x, ""y""\nz","{""before"":""-2""}",'+1,,`)
      expect(others).toHaveLength(6)
      expect(text).not.toMatch(/(^|,|\n)"?[=+@-]/)
    })

    test('of another company is not shown', async () => {
      const { text } = await people.rival.get('/activity')
      expect(text).not.toContain('Event')
      expect((await people.rival.get('/activity.csv')).text).not.toContain('Event')
      expect((await people.rival.get('/activity?q=event')).json).toEqual({ events: [], total: 0 })
    })
  },
  behindProxy,
)
