import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { endAll, runCli, type Service, startService } from '../support/service.ts'
import { type Reply, replyOf, sendInTime, type Tenant, World } from '../support/world.ts'
import { preload } from './with-task.ts'

const shown = { Prefer: 'return=representation' }

interface Task {
  readonly task_name: string
}

for (const engine of engines) {
  describe(`a new resource, on a database that is filled and in use (${engine.name})`, () => {
    const world = new World({})
    let service: Service

    beforeAll(async () => {
      await world.open(engine)
      service = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', LOG: 'off', ...preload })
      const rows = [
        { task_name: 'a', note: 'first', due_at: '2026-02-01T00:00:00Z', due_on: '2026-2-1' },
        { task_name: 'b', note: null, due_at: null, due_on: null },
        { task_name: 'c', note: 'second', due_at: null, due_on: '2026-01-31T23:00:00-05' },
        { task_name: 'd', note: null, due_at: '2026-01-01T00:00:00Z', due_on: 'infinity' },
      ]
      await send(
        world.acme,
        'POST',
        '/task',
        rows.map((row) => ({ project_id: world.acme.project, ...row })),
      )
    }, 300_000)

    afterAll(async () => {
      await world.close()
      await endAll()
    })

    async function send(by: Tenant, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const all = { ...by.headers, 'Content-Type': 'application/json', ...headers }
      const once = async () => replyOf(await fetch(`${service.base}/rest/v1${path}`, { method, headers: all, ...sent }))
      return sendInTime(method, once)
    }

    const get = (path: string, headers = {}): Promise<Reply> => send(world.acme, 'GET', path, undefined, headers)

    /** The names of the tasks that meet some conditions, in their order. */
    const namesOf = async (query: string): Promise<string> =>
      (await get(`/task?select=task_name&task_name=in.(a,b,c,d)&${query}`)).json
        .map(({ task_name }: Task) => task_name)
        .join('')

    test('leaves what was there as it was, for the version before, too', async () => {
      const projects = (await get('/project')).json
      expect(projects).toHaveLength(1)
      expect((await world.acme.get('/project')).json).toEqual(projects)
    })

    test('fills in what is not sent: a default, or no value', async () => {
      const made = await send(world.acme, 'POST', '/task', { project_id: world.acme.project, task_name: 'new' }, shown)
      expect(made.status).toBe(201)
      expect(made.json[0]).toMatchObject({ note: null, state: 'open', due_at: null })
      expect((await get(`/task?id=eq.${made.json[0].id}`)).json).toEqual(made.json)
      await send(world.acme, 'DELETE', '/task?task_name=eq.new')
    })

    test('takes a default for what is missing from some rows, if that is preferred, and null otherwise', async () => {
      const rows = [
        { project_id: world.acme.project, task_name: 'x', state: 'done' },
        { project_id: world.acme.project, task_name: 'y', note: 'n' },
      ]
      const path = '/task?columns=project_id,task_name,state,note&select=task_name,state,note&order=task_name'
      const filled = await send(world.acme, 'POST', path, rows, { Prefer: 'missing=default, return=representation' })
      expect(filled.json).toEqual([
        { task_name: 'x', state: 'done', note: null },
        { task_name: 'y', state: 'open', note: 'n' },
      ])
      const refused = await send(world.acme, 'POST', path, rows)
      expect([refused.status, refused.json.code]).toEqual([400, '23502'])
      await send(world.acme, 'DELETE', '/task?task_name=in.(x,y)')
    })

    test.each([
      ['note=is.null', 'bd'],
      ['note=not.is.null', 'ac'],
      ['note=is.not_null', 'ac'],
      ['note=eq.first', 'a'],
      ['note=neq.first', 'c'],
      ['note=not.eq.first', 'c'],
      ['note=isdistinct.first', 'bcd'],
      ['note=in.(first,third)', 'a'],
      ['note=not.in.(first,third)', 'c'],
      ['note=not.like.f*', 'c'],
      ['note=not.ilike.F*', 'c'],
      ['note=not.match.^f', 'c'],
      ['note=not.fts.first', 'c'],
      ['note=like(any).{f*,x*}', 'a'],
      ['note=not.like(any).{f*,x*}', 'c'],
      ['note=not.like(all).{f*,x*}', 'ac'],
      ['note=gt(all).{e,f}', 'ac'],
      ['note=not.gt(all).{e,g}', 'a'],
      ['or=(note.eq.first,due_at.is.null)', 'abc'],
      ['not.or=(note.eq.first,due_at.is.null)', ''],
      ['not.and=(note.eq.first,due_at.not.is.null)', 'bc'],
      ['due_at=lt.2026-01-15', 'd'],
      ['due_on=gt.2026-01-31', 'ad'],
      ['due_on=not.in.(2026-01-31,infinity)', 'a'],
      ['due_on=eq(any).{2026-02-01,2026-02-02}', 'a'],
    ])('compares what may be null as PostgreSQL does: %s', async (query, names) => {
      expect(await namesOf(`${query}&order=task_name`)).toBe(names)
    })

    test.each([
      ['note,task_name', 'acbd'],
      ['note.desc,task_name', 'bdca'],
      ['note.nullsfirst,task_name', 'bdac'],
      ['note.desc.nullslast,task_name', 'cabd'],
      ['due_at,task_name', 'dabc'],
      ['due_at.desc,task_name', 'bcad'],
      ['due_on,task_name', 'cadb'],
    ])('puts nulls in their place: order=%s', async (order, names) => {
      expect(await namesOf(`order=${order}`)).toBe(names)
      expect(await namesOf(`order=${order}&limit=2&offset=1`)).toBe(names.slice(1, 3))
      const written = await send(
        world.acme,
        'PATCH',
        `/task?state=eq.open&select=task_name&order=${order}`,
        { state: 'open' },
        shown,
      )
      expect(written.json.map(({ task_name }: Task) => task_name).join('')).toBe(names)
    })

    test('counts and compares values alone in aggregates', async () => {
      const { json } = await get('/task?select=count(),notes:note.count(),due_at.max(),note.min()')
      expect(json).toEqual([{ count: 4, notes: 2, max: '2026-02-01T00:00:00+00:00', min: 'first' }])
      const groups = await get('/task?select=note,count()&order=note.desc')
      expect(groups.json.map(({ note }: { note: string | null }) => note)).toEqual([null, 'second', 'first'])
    })

    test('shows null in every form', async () => {
      const path = '/task?select=task_name,note,due_at&task_name=eq.b'
      expect((await get(path, { Prefer: 'timezone=Asia/Tokyo' })).json).toEqual([
        { task_name: 'b', note: null, due_at: null },
      ])
      expect((await get(path, { Accept: 'text/csv' })).text).toBe('task_name,note,due_at\nb,,')
      const stripped = await get(path, { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' })
      expect(stripped.json).toEqual([{ task_name: 'b' }])
      expect((await get('/task?select=n:note::text,d:due_at::date&task_name=eq.b')).json).toEqual([
        { n: null, d: null },
      ])
    })

    test('has days as PostgreSQL spells them', async () => {
      const { json } = await get('/task?select=due_on,text:due_on::text&task_name=eq.c')
      expect(json).toEqual([{ due_on: '2026-01-31', text: '2026-01-31' }])
      expect((await get('/task?select=due_on.min(),due_on.max()')).json).toEqual([
        { min: '2026-01-31', max: 'infinity' },
      ])
      expect((await get('/task?due_on=lt.epoch')).json).toEqual([])
      expect((await get('/task?select=due_on&due_on=eq.20260131&task_name=eq.c')).json).toEqual([
        { due_on: '2026-01-31' },
      ])
      const refusals = [
        ['next week', '22007', 'invalid input syntax for type date: "next week"'],
        ['2026-02-30', '22008', 'date/time field value out of range: "2026-02-30"'],
      ]
      for (const [wrong, ...told] of refusals) {
        const refused = await get(`/task?due_on=eq.${wrong}`)
        expect([refused.status, refused.json.code, refused.json.message]).toEqual([400, ...told])
      }
      const impossible = await get('/task?select=due_on::uuid')
      expect([impossible.status, impossible.json.code]).toEqual([400, '42846'])
    })

    test('takes a time without an offset for one in the zone of the request', async () => {
      const at = { ...shown, Prefer: `${shown.Prefer}, timezone=Europe/Berlin` }
      const path = '/task?task_name=eq.a&select=due_at,local:due_at::timestamp'
      const before = (await get('/task?select=due_at&task_name=eq.a')).json[0]
      const changed = await send(world.acme, 'PATCH', path, { due_at: '2026-01-15 12:00' }, at)
      expect(changed.json).toEqual([{ due_at: '2026-01-15T12:00:00+01:00', local: '2026-01-15T12:00:00' }])
      expect((await get(path)).json).toEqual([{ due_at: '2026-01-15T11:00:00+00:00', local: '2026-01-15T11:00:00' }])
      await send(world.acme, 'PATCH', path, before)
    })

    test('is changed to null and back, and merged', async () => {
      const emptied = await send(world.acme, 'PATCH', '/task?task_name=eq.a&select=id,note', { note: null }, shown)
      expect(emptied.json[0].note).toBeNull()
      const refused = await send(world.acme, 'PATCH', '/task?task_name=eq.a', { state: null })
      expect([refused.status, refused.json.code]).toEqual([400, '23502'])
      const [{ id }] = emptied.json
      const row = { id, project_id: world.acme.project, task_name: 'a', note: 'first' }
      const merge = { Prefer: 'resolution=merge-duplicates, return=representation' }
      expect((await send(world.acme, 'POST', '/task?select=note,state', [row], merge)).json).toEqual([
        { note: 'first', state: 'open' },
      ])
    })

    test('is embedded two levels deep, in both directions', async () => {
      const down = await get(
        '/bid?select=bid_name,project(project_name,task(task_name))&project.task.order=task_name&project.task.limit=2',
      )
      expect(down.json[0].project[0].task).toEqual([{ task_name: 'a' }, { task_name: 'b' }])
      const up = await get('/task?select=task_name,project(bid(bid_name))&task_name=eq.c')
      expect(up.json).toEqual([{ task_name: 'c', project: { bid: { bid_name: down.json[0].bid_name } } }])
    })

    test('is listed whole where it is long, in an order with nulls', async () => {
      const project_id = world.rival.project
      const rows = Array.from({ length: 2500 }, (_, at) => ({
        project_id,
        task_name: `t${at}`,
        note: at % 3 ? `n${at % 7}` : null,
      }))
      expect((await send(world.rival, 'POST', '/task', rows, { Prefer: 'return=minimal' })).status).toBe(201)
      const { json } = await send(world.rival, 'GET', '/task?select=task_name,note&order=note.desc')
      expect(new Set(json.map(({ task_name }: Task) => task_name)).size).toBe(2500)
      const notes = json.map(({ note }: { note: string | null }) => note)
      expect(notes).toEqual(notes.toSorted((a: string | null, b: string | null) => rank(b) - rank(a)))
      await send(world.rival, 'DELETE', '/task?task_name=like.t*')
    })

    test('is a company’s own: another one neither sees it nor can point at its projects', async () => {
      expect((await send(world.rival, 'GET', '/task?task_name=in.(a,b,c,d)')).json).toEqual([])
      const refused = await send(world.rival, 'POST', '/task', { project_id: world.acme.project, task_name: 'theirs' })
      expect([refused.status, refused.json.code]).toEqual([409, '23503'])
      expect((await send(world.rival, 'GET', '/project?select=task(task_name)')).json).toEqual([{ task: [] }])
    })

    test('is documented, with what may be null and what is filled in', async () => {
      const { components, paths } = (await get('/')).json
      expect(components.schemas.task.properties.note.type).toEqual(['string', 'null'])
      expect(components.schemas.task.properties.state.default).toBe('open')
      expect(components.schemas.task_new.required).toEqual(['project_id', 'task_name'])
      const conflictsOf = ({ responses }: { responses: Record<string, OpenApiAnswer> }) =>
        Object.keys(responses[409]?.content['application/json'].examples ?? {})
      expect(conflictsOf(paths['/task'].post)).toContain('referenceMissing')
      expect(conflictsOf(paths['/project'].delete)).toContain('stillReferenced')
      expect(conflictsOf(paths['/task'].delete)).not.toContain('stillReferenced')
      const { stdout } = await runCli(['types'], { DATABASE_URL: world.databaseUrl, ...preload })
      expect(stdout).toContain('note: string | null; state: string; due_at: string | null; due_on: string | null')
      expect(stdout).toContain('task_name: string; note?: string | null; state?: string; due_at?: string | null')
    })

    test('has tools for agents, which show numbers with all of their digits', async () => {
      const call = async (name: string, given: unknown) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
        const headers = { ...world.acme.headers, 'Content-Type': 'application/json' }
        const reply = await replyOf(await fetch(`${service.base}/mcp`, { method: 'POST', headers, body }))
        return reply.json.result.content[0].text
      }
      const cost = '12345678901234567.89'
      const made = await call('create_task', { project_id: world.acme.project, task_name: 'costly', cost })
      expect(made).toContain(`"cost":${cost}`)
      const { id } = JSON.parse(made)
      expect(await call('list_task', { filters: { id: `eq.${id}` } })).toBe(`{"rows":[${made}],"next_cursor":null}`)
      expect(await call('delete_task', { id })).toBe(made)
    })
  })
}

interface OpenApiAnswer {
  readonly content: { readonly 'application/json': { readonly examples: Readonly<Record<string, unknown>> } }
}

/** The place of a note in the order. */
const rank = (note: string | null): number => (note === null ? 100 : Number(note.slice(1)))
