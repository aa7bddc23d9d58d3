import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { Agent, eras, joined } from './agent.ts'

const absent = '01890a5d-ac96-774b-bcce-b302099a8057'

onEachEngine('tools for agents', (world) => {
  let agent: Agent

  beforeAll(async () => {
    agent = await Agent.connect(world, joined(world.acme))
  })
  afterAll(() => agent.close())

  for (const era of eras) {
    test(`list, create, get, update and delete (${JSON.stringify(era.mode)})`, async () => {
      const own = await Agent.connect(world, world.acme.headers, era)
      const made = await own.call('create_project', { bid_id: world.acme.bid, project_name: 'Bridge' })
      expect([made.isError, made.json.project_name]).toEqual([false, 'Bridge'])
      const { id } = made.json
      expect((await own.call('get_project', { id })).json).toEqual(made.json)
      const found = await own.call('list_project', {
        filters: { project_name: 'eq.Bridge' },
        select: 'id,bid(bid_name)',
      })
      expect(found.json).toEqual({ rows: [{ id, bid: { bid_name: "Acme's bid" } }], next_cursor: null })
      const changed = await own.call('update_project', { id, project_name: 'Tunnel' })
      expect(changed.json).toMatchObject({ id, project_name: 'Tunnel', bid_id: world.acme.bid })
      expect((await own.call('delete_project', { id })).json).toEqual(changed.json)
      expect(await own.call('get_project', { id })).toMatchObject({ isError: true, json: { code: 'PGRST116' } })
      await own.close()
    })
  }

  test('show a row as it is, also where it looks like a secret', async () => {
    const project_name = 'https://u:pw@host/?token=abcdefgh123&x=1 invitation/abcdefghijk'
    const { json } = await agent.call('create_project', { bid_id: world.acme.bid, project_name })
    expect(json.project_name).toBe(project_name)
    expect((await agent.call('get_project', { id: json.id })).json.project_name).toBe(project_name)
    await agent.call('delete_project', { id: json.id })
  })

  test('are there for every resource, with sound schemas', async () => {
    const tools = await agent.tools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_project', 'get_project', 'create_project', 'update_project', 'delete_project'],
      ...['list_bid', 'get_bid', 'create_bid', 'update_bid', 'delete_bid'],
      ...['list_event', 'get_event', 'list_field', 'get_field'],
    ])
    const ajv = new Ajv2020({ strictTypes: true, allowUnionTypes: true })
    addFormats.default(ajv)
    for (const { inputSchema } of tools) expect(ajv.validateSchema(inputSchema)).toBe(true)
    const create = ajv.compile(tools.find(({ name }) => name === 'create_project')?.inputSchema ?? {})
    expect(create({ bid_id: world.acme.bid, project_name: 'Bridge' })).toBe(true)
    expect(create({ project_name: 'Bridge' })).toBe(false)
  })

  test('say which of them only read, and which destroy', async () => {
    const hints = new Map((await agent.tools()).map(({ name, annotations }) => [name, annotations]))
    expect(hints.get('list_bid')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.get('create_bid')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.get('delete_bid')).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })

  test('that write are neither shown nor done with a credential that only reads', async () => {
    const reader = await Agent.connect(world, joined(await world.acme.withCredential('read')))
    expect((await reader.tools()).map(({ name }) => name)).toEqual([
      'list_project',
      'get_project',
      'list_bid',
      'get_bid',
      'list_event',
      'get_event',
      'list_field',
      'get_field',
    ])
    expect((await reader.call('get_bid', { id: world.acme.bid })).isError).toBe(false)
    const refused = await reader.call('delete_project', { id: world.acme.project })
    expect(refused).toMatchObject({ isError: true, json: { code: 'insufficient_scope' } })
    expect(refused.json.hint).toContain('read-write')
    expect((await world.acme.get(`/project?id=eq.${world.acme.project}`)).json).toHaveLength(1)
    await reader.close()
  })

  // A row of another company must look absent, whatever is done with it.
  test('find nothing of another company', async () => {
    const { project, bid } = world.rival
    for (const tool of ['get_project', 'delete_project', 'update_project']) {
      const more = tool === 'update_project' ? { project_name: 'Mine' } : {}
      const foreign = await agent.call(tool, { id: project, ...more })
      expect([tool, foreign.json]).toEqual([tool, (await agent.call(tool, { id: absent, ...more })).json])
      expect(foreign.isError).toBe(true)
    }
    const { json } = await agent.call('list_project', { filters: { id: `in.(${project},${absent})` } })
    expect(json).toEqual({ rows: [], next_cursor: null })
    const made = await agent.call('create_project', { bid_id: bid, project_name: 'Dam' })
    expect(made).toMatchObject({ isError: true, json: { code: '23503' } })
    expect((await world.rival.get('/project')).json).toHaveLength(1)
  })

  const failing: readonly [string, string, Record<string, unknown>, string, RegExp][] = [
    ['an unknown field', 'create_bid', { bid_nmae: 'x' }, 'PGRST204', /bid_name/],
    ['a field that is missing', 'create_bid', {}, '23502', /"bid_name"/],
    ['an id that is none', 'get_bid', { id: '7' }, '22P02', /UUID/],
    ['no id', 'delete_bid', {}, 'invalid_argument', /"id"/],
    ['an unknown argument', 'get_bid', { id: absent, columns: 'id' }, 'invalid_argument', /id, select/],
    ['nothing to change', 'update_bid', { id: absent }, 'invalid_argument', /bid_name/],
    ['an unknown column', 'list_bid', { filters: { bid_nmae: 'eq.x' } }, '42703', /bid_name/],
    ['a parameter as a filter', 'list_bid', { filters: { limit: '1000' } }, '42703', /bid_name/],
    ['a filter that is no text', 'list_bid', { filters: { id: 7 } }, 'invalid_argument', /operator/],
    ['filters that are a list', 'list_bid', { filters: ['id.eq.7'] }, 'invalid_argument', /column/],
    ['an operator that is none', 'list_bid', { filters: { bid_name: 'Dam' } }, 'PGRST100', /^/],
    ['too high a limit', 'list_bid', { limit: 101 }, 'invalid_argument', /next_cursor/],
    ['a cursor that is none', 'list_bid', { cursor: 'x' }, 'invalid_argument', /next_cursor/],
    ['an order that is no text', 'list_bid', { order: ['id'] }, 'invalid_argument', /"order"/],
  ]
  for (const [what, tool, given, code, hint] of failing) {
    test(`refuse ${what} with a hint`, async () => {
      const { isError, json } = await agent.call(tool, given)
      expect([isError, json.code]).toEqual([true, code])
      expect(json.hint ?? '').toMatch(hint)
    })
  }

  test('leave the code of what failed in the log', async () => {
    await agent.call('get_bid', { id: '7' })
    const wanted = /"route":"\/mcp","status":200,.*"code":"22P02"/
    await until(() => world.logged.some((line) => wanted.test(line)))
    expect(world.logged.some((line) => wanted.test(line))).toBe(true)
  })

  test('that failed are refused requests, in the counts as in the request log', async () => {
    const tenant = await world.acme.withCredential('read')
    const own = await Agent.connect(world, joined(tenant))
    await own.call('get_bid', { id: '7' })
    await own.close()
    await world.usage.flush()
    await world.requestLog.flush()
    const { id, credentialId } = tenant
    for (const table of [sql`credential_usage`, sql`request_log`]) {
      const refused = await world.db.read(
        sql`select 1 from ${table} where company_id = ${id} and credential_id = ${credentialId} and outcome = 'refused'`,
      )
      expect(refused).toHaveLength(1)
    }
  })

  test('that do not exist are an error of the protocol', async () => {
    await expect(agent.call('drop_project')).rejects.toThrow('There is no tool "drop_project"')
  })
})

onEachEngine('pages for agents', (world) => {
  let agent: Agent
  const names = Array.from({ length: 45 }, (_, at) => `${String(at).padStart(2, '0')} ${'x'.repeat(240)}`)

  beforeAll(async () => {
    await world.acme.delete('/project?id=not.is.null')
    await world.acme.seed(names)
    agent = await Agent.connect(world, joined(world.acme))
  })
  afterAll(() => agent.close())

  /** All pages, and what is done between two of them. */
  async function readAll(given: Record<string, unknown>, between: (names: string[]) => Promise<void> = async () => {}) {
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const { json }: Awaited<ReturnType<Agent['call']>> = await agent.call('list_project', {
        ...given,
        ...(cursor === null ? {} : { cursor }),
      })
      pages.push(json.rows.map(({ project_name }: { project_name: string }) => project_name))
      cursor = json.next_cursor
      await between(pages.at(-1) ?? [])
    } while (cursor !== null)
    return pages
  }

  describe('hold twenty rows unless asked otherwise', () => {
    test('in the order of creation', async () => {
      const pages = await readAll({})
      expect([pages.map(({ length }) => length), pages.flat()]).toEqual([[20, 20, 5], names])
    })

    test('in another order, with some of the columns', async () => {
      const pages = await readAll({ order: 'project_name.desc', select: 'project_name', limit: 30 })
      expect([pages.map(({ length }) => length), pages.flat()]).toEqual([[30, 15], names.toReversed()])
    })
  })

  test('are cut where a model could not read them', async () => {
    const pages = await readAll({ select: '*,bid(*,project(project_name))', limit: 10 })
    expect(pages.flat()).toEqual(names)
    expect(pages.length).toBeGreaterThan(5)
    const whole = await agent.call('list_bid', { select: '*,project(*,bid(*,project(*)))' })
    expect(whole).toMatchObject({ isError: true, json: { code: 'result_too_long' } })
    const one = await agent.call('get_bid', { id: world.acme.bid, select: '*,project(*,bid(*,project(*)))' })
    expect(one).toMatchObject({ isError: true, json: { code: 'result_too_long' } })
    const short = await agent.call('list_bid', { select: '*,project(*)', filters: { 'project.limit': '2' } })
    expect(short.json.rows[0].project).toHaveLength(2)
  })

  // An agent that deletes what it has read must meet every row.
  test('skip none where rows before them are deleted', async () => {
    const seen = await readAll({ limit: 10 }, async (page) => {
      await world.acme.delete(`/project?project_name=in.(${page.map((name) => `"${name}"`).join(',')})`)
    })
    expect(seen.flat()).toEqual(names)
  })
})
