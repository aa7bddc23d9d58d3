import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { filterOf, type KnownRow } from '../../src/plan/evaluate.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { ReadPlan } from '../../src/plan/plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { typeOf } from '../../src/resources/define.ts'
import { comparisonsWith } from '../property/sound-requests.ts'
import { engines } from '../support/engines.ts'
import { endAll, runCli, type Service, startService } from '../support/service.ts'
import { type Reply, replyOf, sendInTime, World } from '../support/world.ts'
import { task } from './task.ts'
import { preload } from './with-task.ts'

setDefaultTimeout(300_000)

const runs = Number(process.env.PROPERTY_RUNS ?? 400)
const shown = { Prefer: 'return=representation' }

const rows = [
  { hours: 1, cost: 10.5, share: 0.1, is_urgent: true, tags: ['a', 'b c'], extra: { a: [1, { b: null }] } },
  { hours: 2, cost: '0.105', share: 0.2, is_urgent: false, tags: [] },
  { hours: -9007199254740991, cost: -3, share: 1e21, is_urgent: null, tags: ['"', '\\', '{,}', 'null', ''] },
  { hours: '+0012', cost: '92233720368547758.07', share: -1e-7, is_urgent: 'yes', tags: '{x,"y z"}' },
  { hours: null, cost: 1e3, share: null, is_urgent: 'f', tags: null },
  { hours: 9007199254740991, cost: '-0.004', share: 123456789012345680, is_urgent: true, tags: ['ß', '😀', 'a'] },
].map((row, at) => ({ extra: null, id: `00000000-0000-4000-8000-00000000000${at}`, task_name: `t${at}`, ...row }))

const worlds = engines.map((engine) => ({ engine, world: new World({}) }))
const services: Service[] = []

beforeAll(async () => {
  for (const { engine, world } of worlds) {
    await world.open(engine)
    services.push(await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', LOG: 'off', ...preload }))
  }
  const given = rows.map((row) => ({ ...row, project_id: 'mine' }))
  const [one, ...others] = given
  for (const sent of [one, others])
    for (const { status, text } of await send('POST', '/task', sent))
      expect([status, text.slice(0, 200)]).toEqual([201, text.slice(0, 200)])
}, 300_000)

afterAll(async () => {
  for (const { world } of worlds) await world.close()
  await endAll()
})

type Body = Record<string, unknown>

/** The same request to every engine. `mine` stands for the company's project there. */
const send = (method: string, path: string, body?: Body | Body[], headers = {}): Promise<Reply[]> =>
  Promise.all(
    worlds.map(async ({ world }, at) => {
      const all = { ...world.acme.headers, 'Content-Type': 'application/json', ...headers }
      const sent = body === undefined ? {} : { body: JSON.stringify(body).replaceAll('mine', world.acme.project) }
      const url = `${services[at]?.base}/rest/v1${path}`
      return sendInTime(method, async () => replyOf(await fetch(url, { method, headers: all, ...sent })))
    }),
  )

/** What all engines say alike. */
async function agreed(path: string, headers = {}): Promise<Reply> {
  const [first, ...others] = await send('GET', path, undefined, headers)
  if (!first) throw new Error('There is no engine')
  for (const other of others)
    expect([path, other.status, other.text.slice(0, 2000)]).toEqual([path, first.status, first.text.slice(0, 2000)])
  return first
}

describe('columns of every type', () => {
  test('are shown as PostgreSQL spells them, whether a row came alone or with others', async () => {
    const { text } = await agreed('/task?select=hours,cost,share,is_urgent,tags&order=id')
    expect(text.split('\n')).toEqual([
      '[{"hours":1,"cost":10.50,"share":0.1,"is_urgent":true,"tags":["a","b c"]},',
      '{"hours":2,"cost":0.11,"share":0.2,"is_urgent":false,"tags":[]},',
      '{"hours":-9007199254740991,"cost":-3.00,"share":1e+21,"is_urgent":null,"tags":["\\"","\\\\","{,}","null",""]},',
      '{"hours":12,"cost":92233720368547758.07,"share":-1e-07,"is_urgent":true,"tags":["x","y z"]},',
      '{"hours":null,"cost":1000.00,"share":null,"is_urgent":false,"tags":null},',
      '{"hours":9007199254740991,"cost":0.00,"share":1.2345678901234568e+17,"is_urgent":true,"tags":["ß","😀","a"]}]',
    ])
  })

  test('keep their digits in every form', async () => {
    const path =
      '/task?select=task_name,hours,cost,share,is_urgent,tags,due_at&id=in.(' +
      rows[0]?.id +
      ',' +
      rows[3]?.id +
      ')&order=id'
    expect((await agreed(path, { Accept: 'text/csv' })).text.split('\n')).toEqual([
      'task_name,hours,cost,share,is_urgent,tags,due_at',
      't0,1,10.50,0.1,t,"{a,""b c""}",',
      't3,12,92233720368547758.07,-1e-07,t,"{x,""y z""}",',
    ])
    const stripped = await agreed(path, { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' })
    expect(stripped.text).toContain('"cost":92233720368547758.07')
    expect(stripped.text).not.toContain('due_at')
    expect((await agreed(path, { Prefer: 'timezone=Asia/Tokyo' })).text).toContain('"cost":92233720368547758.07')
  })

  test('add up exactly, and to 15 digits where they are doubles', async () => {
    const { text } = await agreed(
      '/task?select=h:hours.sum(),c:cost.sum(),s:share.sum(),ha:hours.avg(),ca:cost.avg(),n:tags.count(),u:is_urgent.count(),lo:cost.min(),hi:hours.max()',
    )
    expect(text).toBe(
      '[{"h":15,"c":92233720368548765.68,"s":1.00012345678901e+21,"ha":3.0000000000000000,"ca":15372286728091460.95,"n":5,"u":5,"lo":-3.00,"hi":9007199254740991}]',
    )
    const groups = await agreed('/task?select=is_urgent,cost.sum(),hours.avg()&order=is_urgent.desc.nullslast')
    expect(groups.text).toContain('{"is_urgent":true,"sum":92233720368547768.57,"avg":3002399751580334.6667}')
    expect(groups.text).toContain('{"is_urgent":null,"sum":-3.00,"avg":-9007199254740991.0000}')
    const empty = await agreed('/task?select=hours.sum(),cost.avg(),share.sum()&task_name=eq.none')
    expect(empty.text).toBe('[{"sum":null,"avg":null,"sum":null}]'.replace(',"sum":null}', '}'))
  })

  test('that hold JSON are shown as it is, cast to text and compared with null alone', async () => {
    const path = '/task?select=task_name,extra,text:extra::text'
    expect((await agreed(`${path}&extra=not.is.null`)).text).toBe(
      '[{"task_name":"t0","extra":{"a":[1,{"b":null}]},"text":"{\\"a\\":[1,{\\"b\\":null}]}"}]',
    )
    expect((await agreed(`${path}&extra=is.null`)).json).toHaveLength(rows.length - 1)
    expect((await agreed('/task?select=extra.count()')).text).toBe('[{"count":1}]')
    const csv = await agreed('/task?select=extra&task_name=eq.t0', { Accept: 'text/csv' })
    expect(csv.text).toBe('extra\n"{""a"":[1,{""b"":null}]}"')
  })

  test.each([
    ['0 and 1', [0, 1]],
    ['thirds', [1, 1, 2]],
    ['cents', [0.01, 0.02, 0.02]],
    ['many digits', [99999999.99, 0.01, 12345.67, -5]],
    ['below zero', [-0.01, -0.02, 0.02]],
    ['ten thousands', [9999.99, 10000.01, 3]],
  ])('have the averages of PostgreSQL: %s', async (_, costs) => {
    const added = costs.map((cost) => ({ project_id: 'mine', task_name: 'averaged', cost, hours: Math.round(cost) }))
    await send('POST', '/task', added)
    await agreed('/task?task_name=eq.averaged&select=cost.avg(),h:hours.avg(),s:cost.sum()')
    await send('DELETE', '/task?task_name=eq.averaged')
  })

  test.each([
    ['cost=eq.10.5', 't0'],
    ['cost=eq.10.505', ''],
    ['cost=gt.10.499&cost=lt.10.501', 't0'],
    ['cost=in.(10.50,-3)', 't0 t2'],
    ['cost=gte(any).{1000,2000}', 't3 t4'],
    ['cost=gt(all).{9,10.499}', 't0 t3 t4'],
    ['cost=lt(any).{-5,-2.995,-4}', 't2'],
    ['cost=eq(all).{10.5,10.50}', 't0'],
    ['cost=eq(all).{10.5,1000}', ''],
    ['hours=gt(any).{12,2}', 't3 t5'],
    ['hours=not.gt(any).{12,2}', 't0 t1 t2'],
    ['hours=not.eq(all).{1,2}', 't0 t1 t2 t3 t5'],
    ['share=lt(all).{Infinity,0.15,1}', 't0 t3'],
    ['is_urgent=gt(any).{true,false}', 't0 t3 t5'],
    ['hours=gt.2', 't3 t5'],
    ['hours=not.in.(1,2)', 't2 t3 t5'],
    ['hours=isdistinct.1', 't1 t2 t3 t4 t5'],
    ['share=lt.0', 't3'],
    ['share=lt.Infinity&share=gt.1', 't2 t5'],
    ['is_urgent=is.true', 't0 t3 t5'],
    ['is_urgent=is.false', 't1 t4'],
    ['is_urgent=is.unknown', 't2'],
    ['is_urgent=not.is.true', 't1 t2 t4'],
    ['is_urgent=eq.true', 't0 t3 t5'],
    ['is_urgent=gt.false', 't0 t3 t5'],
    ['tags=cs.{a}', 't0 t5'],
    ['tags=cs.{}', 't0 t1 t2 t3 t5'],
    ['tags=not.cs.{a}', 't1 t2 t3'],
    ['tags=cd.{a,"b c",z}', 't0 t1'],
    ['tags=ov.{"y z",ß}', 't3 t5'],
    ['tags=eq.{a,"b c"}', 't0'],
    ['tags=neq.{}', 't0 t2 t3 t5'],
    ['tags=is.null', 't4'],
    ['or=(tags.cs.{a},cost.lt.0)', 't0 t2 t5'],
  ])('are compared: %s', async (query, names) => {
    const { json } = await agreed(`/task?select=task_name&order=id&${query}`)
    expect(json.map(({ task_name }: { task_name: string }) => task_name).join(' ')).toBe(names)
  })

  test.each([
    ['hours=eq.1.5', '22P02'],
    ['hours=eq.9223372036854775808', '22003'],
    ['cost=eq.ten', '22P02'],
    ['share=eq.NaN', '22P02'],
    ['is_urgent=eq.perhaps', '22P02'],
    ['tags=cs.a', '22P02'],
    ['tags=cs.{a%00}', 'PGRST100'],
    ['hours=eq.1%00', 'PGRST100'],
    ['tags=cs.{a,NULL}', '22P02'],
    ['tags=cs.{a,{b}}', '22P02'],
    ['tags=eq(any).{a}', '42883'],
    ['tags=gt.{a}', '42883'],
    ['tags=like.a*', '42883'],
    ['hours=cs.{1}', '42883'],
    ['hours=is.true', '42804'],
    ['order=tags', '42883'],
    ['order=extra', '42883'],
    ['extra=eq.{}', '42883'],
    ['select=extra,count()', '42883'],
    ['select=extra::uuid', '42846'],
    ['select=is_urgent.max()', '42883'],
    ['select=hours::text.sum()', '42883'],
    ['select=hours::uuid', '42846'],
  ])('refuse what PostgreSQL refuses: %s', async (query, code) => {
    const { status, json } = await agreed(`/task?${query}`)
    expect([status, json.code]).toEqual([400, code])
  })

  test.each([
    [{ hours: 1.5 }, '22P02'],
    [{ hours: 9007199254740992 }, '22003'],
    [{ hours: true }, '22P02'],
    [{ cost: 1e15 }, '22003'],
    [{ cost: '92233720368547758.08' }, '22003'],
    [{ cost: {} }, '22P02'],
    [{ share: 1e301 }, '22003'],
    [{ share: 'NaN' }, '22P02'],
    [{ is_urgent: 1 }, '22P02'],
    [{ tags: 'a' }, '22P02'],
    [{ tags: [1] }, '22P02'],
    [{ tags: [null] }, '22P02'],
    [{ tags: Array.from({ length: 11 }, () => 'a') }, '23514'],
    [{ tags: ['a'.repeat(51)] }, '23514'],
    [{ cost: null }, '23502'],
    [{ extra: [1] }, '22P02'],
    [{ extra: 'text' }, '22P02'],
    [{ extra: { a: 'x'.repeat(100) } }, '23514'],
  ])('take no value that is none of theirs: %j', async (change, code) => {
    for (const { status, json } of await send('PATCH', '/task?task_name=eq.t1', change))
      expect([status, json.code]).toEqual([400, code])
  })

  test('are changed, merged and cast', async () => {
    const change = { hours: 3, cost: 7.005, share: 2.5, is_urgent: true, tags: ['n'] }
    const path = `/task?id=eq.${rows[1]?.id}&select=hours,cost,share,is_urgent,tags`
    for (const { text } of await send('PATCH', path, change, shown))
      expect(text).toBe('[{"hours":3,"cost":7.01,"share":2.5,"is_urgent":true,"tags":["n"]}]')
    const casts = 'hours::text,cost::text,share::text,is_urgent::text,tags::text,n:cost::numeric,b:is_urgent::bool'
    expect((await agreed(`/task?id=eq.${rows[1]?.id}&select=${casts}`)).text).toBe(
      '[{"hours":"3","cost":"7.01","share":"2.5","is_urgent":"true","tags":"{n}","n":7.01,"b":true}]',
    )
    const merge = { Prefer: 'resolution=merge-duplicates, return=representation' }
    const original = { ...rows[1], project_id: 'mine' }
    for (const { text } of await send('POST', '/task?select=cost,tags', original, merge))
      expect(text).toBe('[{"cost":0.11,"tags":[]}]')
  })

  test('are shown through embeds of one and of many', async () => {
    const many = await agreed('/project?select=task(cost,is_urgent,tags)&task.order=id&task.limit=1')
    expect(many.text).toBe('[{"task":[{"cost":10.50,"is_urgent":true,"tags":["a","b c"]}]}]')
    const spread = await agreed('/project?select=...task(cost,is_urgent,tags,share)&task.order=id&task.limit=2')
    expect(spread.text).toBe(
      '[{"cost":[10.50,0.11],"is_urgent":[true,false],"tags":[["a","b c"],[]],"share":[0.1,0.2]}]',
    )
  })

  test('are read in the order of each, part by part where there are many', async () => {
    const many = Array.from({ length: 2300 }, (_, at) => ({
      project_id: 'mine',
      task_name: 'many',
      cost: `${(at * 7919) % 1009}.${at % 10}`,
      share: ((at * 31) % 97) / 7,
      hours: at % 50,
    }))
    for (const { status, text } of await send('POST', '/task', many, { Prefer: 'return=minimal' }))
      expect([status, text]).toEqual([201, ''])
    for (const order of ['cost', 'cost.desc', 'share,cost', 'hours.desc,cost']) {
      const { json } = await agreed(`/task?task_name=eq.many&select=cost,share,hours&order=${order}`)
      expect(json).toHaveLength(2300)
    }
    await send('DELETE', '/task?task_name=eq.many')
  })

  test('are copied to the other engine and back, and stay what they were', async () => {
    for (const [at, { world }] of worlds.entries()) {
      const other = worlds[1 - at]
      if (!other) throw new Error('There is no other engine')
      const [there, back] = [await other.engine.makePlace(), await worlds[at]?.engine.makePlace()]
      if (!back) throw new Error('There is no engine')
      const copy = async (from: string, to: string) => {
        const env = { DATABASE_URL: from, ...preload }
        const { exitCode, stdout } = await runCli(['copy', '--to', to, '--json'], env)
        expect(exitCode).toBe(0)
        return JSON.parse(stdout)
      }
      const first = await copy(world.databaseUrl, there.url)
      expect(first.tables.find(({ table }: { table: string }) => table === 'task').rows).toBe(rows.length)
      expect((await copy(there.url, back.url)).tables).toEqual(first.tables)
      await there.remove()
      await back.remove()
    }
  })

  test('are documented as what they are', async () => {
    const { components } = (await agreed('/')).json
    const { hours, cost, share, is_urgent, tags } = components.schemas.task.properties
    expect([hours.type, cost.type, share.type, is_urgent.type, tags.type]).toEqual([
      ['integer', 'null'],
      'number',
      ['number', 'null'],
      ['boolean', 'null'],
      ['array', 'null'],
    ])
    expect([cost.default, tags.items]).toEqual([0, { type: 'string' }])
  })

  test('belong to a company: another one finds nothing, by no value', async () => {
    for (const [at, { world }] of worlds.entries()) {
      for (const query of ['cost=gt.0', 'tags=cs.{a}', 'is_urgent=is.true', 'hours=not.is.null']) {
        const answer = await fetch(`${services[at]?.base}/rest/v1/task?${query}`, { headers: world.rival.headers })
        expect(await answer.json()).toEqual([])
      }
    }
  })
})

const values: Record<string, fc.Arbitrary<string>> = {
  hours: fc.constantFrom('0', '1', '-2', '12', '9007199254740991', ' 3 ', '1.5', 'x', '9223372036854775807'),
  cost: fc.constantFrom('0', '10.5', '10.505', '-3', '1e3', '.5', '-0.0', '92233720368547758.07', '1e30', 'x'),
  share: fc.constantFrom('0.1', '0.2', '1e21', '-1e-7', '0', '-infinity', '1e400', '123456789012345680', 'x'),
  is_urgent: fc.constantFrom('true', 'f', 'yes', 'OFF', '1', 'x'),
  tags: fc.constantFrom('{a}', '{}', '{a,"b c"}', '{x, "y z"}', '{"\\"","\\\\","{,}","null",""}', 'a', '{a'),
}
const filter = fc.oneof(
  ...Object.entries(values).map(([name, own]) => {
    const column = task.columns.get(name)
    if (!column) throw new Error(`There is no column ${name}`)
    return comparisonsWith(typeOf(column), own).map((comparison) => ({ name, comparison }))
  }),
)

/** A row as it was shown → as it is stored. */
const stored = (row: Record<string, unknown>): KnownRow =>
  Object.fromEntries(
    [...task.columns.values()].map((column) => {
      const value = row[column.name] ?? null
      return [column.name, value === null ? null : typeOf(column).parse(value, column.name)]
    }),
  )

function readOf(query: string): ReadPlan {
  const request = parseRequest('GET', query, new Headers())
  const payload = { text: '', single: false, rows: [] }
  const plan = makePlan({ request, payload, resource: task, companyId: 'any', actor: null, rowsMax: null })
  if (plan.kind !== 'read') throw new Error('A GET is a read')
  return plan
}

test('every comparison finds the same rows on both engines and in memory', async () => {
  const whole = (await agreed('/task?select=id,hours,cost::text,share,is_urgent,tags&order=id')).json
  await fc.assert(
    fc.asyncProperty(filter, fc.boolean(), async ({ name, comparison }, isNegated) => {
      const condition = `${isNegated ? 'not.' : ''}${comparison}`
      const query = `${name}=${encodeURIComponent(condition)}`
      const { status, json } = await agreed(`/task?select=id&order=id&${query}`)
      if (status !== 200) return expect(() => readOf(query)).toThrow()
      const { where, values } = readOf(query)
      const meets = filterOf(where, values)
      const found = whole.filter((row: Record<string, unknown>) => meets(stored(row)))
      expect(found.map(({ id }: { id: string }) => ({ id }))).toEqual(json)
    }),
    { numRuns: runs },
  )
})
