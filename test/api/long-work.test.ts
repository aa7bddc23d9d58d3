import { beforeAll, describe, expect, test } from 'bun:test'
import { failure } from '../../src/errors/index.ts'
import type { Steps } from '../../src/store/database.ts'
import type { Dialect } from '../../src/store/dialect.ts'
import { openDatabase } from '../../src/store/open.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { untilConnected } from '../support/until-connected.ts'
import { inTime, type Tenant, type World } from '../support/world.ts'

/** More than a company may have for its rows to be read in the thread that serves. */
const many = 8000
const long = 'a'.repeat(250)

interface Project {
  readonly id: string
  readonly project_name: string
}

onEachEngine('a company of many rows', (world) => {
  beforeAll(async () => {
    await seed(world, many)
    await world.rival.seed(['aab', 'abb'])
  }, 300_000)

  const named = async (path: string, headers = {}): Promise<Project[]> => (await world.acme.get(path, headers)).json

  test('is filtered without an index, and no row of another is found', async () => {
    const found = await named(`/project?project_name=like.*b&select=id,project_name`)
    expect(found.map(({ project_name }) => project_name)).toEqual(
      Array.from({ length: many / 1000 }, (_, at) => `${long.slice(1)}${at}b`),
    )
    expect((await world.rival.get('/project?project_name=like.*b&select=project_name')).json).toEqual([
      { project_name: 'aab' },
      { project_name: 'abb' },
    ])
  })

  test('is counted, grouped and ordered', async () => {
    const counted = await world.acme.get('/project?select=id&limit=1', { Prefer: 'count=exact' })
    expect(counted.headers.get('Content-Range')).toBe(`0-0/${many + 1}`)
    expect((await world.acme.get('/project?select=count()')).json).toEqual([{ count: many + 1 }])
    const [last] = await named('/project?order=project_name.desc&limit=1&select=project_name')
    expect(last?.project_name).toBe(long)
    const rows = await named('/project?order=project_name.desc&select=id,project_name')
    expect(rows).toHaveLength(many + 1)
    expect(rows.every((row, at) => at === 0 || isBehind(row, rows[at - 1]))).toBe(true)
  })

  test('embeds more than a page holds, and goes on as a stream', async () => {
    const { status, headers, json } = await world.acme.get('/project?select=id,bid(project(id,project_name))&limit=3')
    expect([status, json.length, headers.get('ETag')]).toEqual([200, 3, null])
    expect([headers.get('Content-Range'), headers.has('Link')]).toEqual(['0-2/*', true])
    for (const { bid } of json) expect(bid.project).toHaveLength(many + 1)
  })

  test('shows one object that is larger than a page, and refuses two', async () => {
    const object = { Accept: 'application/vnd.pgrst.object+json' }
    const path = '/project?select=id,bid(project(id,project_name),again:project(id,project_name))'
    const one = await world.acme.get(`${path}&id=eq.${world.acme.project}`, object)
    expect([one.status, one.json.bid.again.length]).toEqual([200, many + 1])
    const two = await world.acme.get(`${path}&limit=2`, object)
    expect([two.status, two.json.code]).toEqual([406, 'PGRST116'])
  })

  test('is told that one row would be too large', async () => {
    const aliases = Array.from({ length: 9 }, (_, at) => `n${at}:project_name`).join(',')
    const { status, json } = await world.acme.get(`/bid?select=id,project(${aliases})`)
    expect([status, json.code]).toEqual([400, '54000'])
    const limited = await world.acme.get(`/bid?select=id,project(${aliases})&project.limit=10`)
    expect(limited.json[0].project).toHaveLength(10)
  })

  test('is told that one row would take too long to convert', async () => {
    const path = '/bid?select=id,project(id,project_name,created_at,bid_id)'
    expect((await world.acme.get(path)).status).toBe(200)
    const converted = [
      { Prefer: 'timezone=Asia/Tokyo' },
      { Accept: 'text/csv' },
      { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    ]
    for (const headers of converted) {
      const { status, json } = await world.acme.get(path, headers)
      expect([status, json.code]).toEqual([400, '54000'])
      expect((await world.acme.get(`${path}&project.limit=10`, headers)).status).toBe(200)
    }
  })

  test('has a page with an ETag where its rows turn out to be small', async () => {
    const { headers, json } = await world.acme.get('/bid?select=id,project(id)&project.project_name=like.*b')
    expect([headers.has('ETag'), json[0].project.length]).toEqual([true, many / 1000])
  })

  test('streams wide rows part by part, each row once', async () => {
    const aliases = Array.from({ length: 6 }, (_, at) => `n${at}:project_name`).join(',')
    const rows = await named(`/project?select=id,${aliases}`)
    expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([many + 1, many + 1])
  })
})

onEachEngine('a write of many rows', (world) => {
  beforeAll(() => seed(world, many), 300_000)

  test('changes all that match, or none', async () => {
    const { acme, rival } = world
    const changed = await inTime(() =>
      acme.patch('/project?project_name=like.*b', { project_name: 'Renamed' }, { Prefer: 'count=exact' }),
    )
    expect([changed.status, changed.headers.get('Content-Range')]).toEqual([204, `0-${many / 1000 - 1}/${many / 1000}`])
    const few = { Prefer: 'handling=strict, max-affected=5' }
    const refused = await inTime(() => acme.patch('/project?project_name=like.a*', { project_name: 'No' }, few))
    expect([refused.status, refused.json.code]).toEqual([400, 'PGRST124'])
    expect((await acme.get('/project?project_name=eq.No&select=id')).json).toEqual([])
    expect((await rival.get('/project?select=project_name')).json).toEqual([{ project_name: "Rival's project" }])
  })

  test('shows what it changed, unless that is too much', async () => {
    const { acme } = world
    const shown = await acme.patch(
      '/project?project_name=eq.Renamed&select=project_name',
      { project_name: 'Again' },
      { Prefer: 'return=representation' },
    )
    expect(shown.json).toEqual(Array.from({ length: many / 1000 }, () => ({ project_name: 'Again' })))
    const wide = Array.from({ length: 12 }, (_, at) => `n${at}:project_name`).join(',')
    const path = `/project?project_name=like.a*&select=${wide}`
    const refused = await inTime(() => acme.patch(path, { project_name: long }, { Prefer: 'return=representation' }))
    expect([refused.status, refused.json.code]).toEqual([400, '54000'])
  })

  test('shows thousands of rows in another time zone', async () => {
    const { acme } = world
    const path = '/project?project_name=like.a*&select=id,created_at&order=id'
    const zone = { Prefer: 'return=representation, timezone=Asia/Tokyo' }
    const changed = await inTime(() => acme.patch(path, { project_name: 'abc' }, zone))
    expect(changed.json.length).toBeGreaterThan(many / 2)
    expect(changed.json[0].created_at).toEndWith('+09:00')
    expect(changed.json).toEqual((await acme.get(path, zone)).json)
  })

  test('inserts thousands of rows, all or none', async () => {
    const { acme, rival } = world
    const rows = Array.from({ length: 3000 }, (_, at) => ({ bid_id: acme.bid, project_name: `New ${at}` }))
    const insert = (all: object[]) => inTime(() => acme.post('/project', all, { Prefer: 'return=minimal' }))
    expect((await insert(rows)).status).toBe(201)
    const foreign = await insert([...rows, { bid_id: rival.bid, project_name: 'Foreign' }])
    expect([foreign.status, foreign.json.code]).toEqual([409, '23503'])
    const counted = await acme.get('/project?project_name=like.New*&limit=1', { Prefer: 'count=exact' })
    expect(counted.headers.get('Content-Range')).toBe('0-0/3000')
  })

  test('is done once under a key', async () => {
    const { acme } = world
    const rows = Array.from({ length: 1500 }, (_, at) => ({ bid_id: acme.bid, project_name: `Once ${at}` }))
    const send = () => acme.post('/project', rows, { Prefer: 'return=minimal', 'Idempotency-Key': 'bulk' })
    const [first, second] = [await inTime(send), await send()]
    expect([first.status, second.status, second.headers.get('Idempotent-Replayed')]).toEqual([201, 201, 'true'])
    const counted = await acme.get('/project?project_name=like.Once*&limit=1', { Prefer: 'count=exact' })
    expect(counted.headers.get('Content-Range')).toBe('0-0/1500')
  })

  test.each([
    ['while nobody else asks', 0],
    ['while another company has all of the shared connections', 8],
  ])('is undone where the right to it has ended before its commit, %s', async (_, others) => {
    const { acme, rival, db } = world
    const isServer = db.dialect.name === 'postgres'
    let asked = 0
    const right = () => {
      asked += 1
      throw failure.keyInvalid()
    }
    let name = ''
    let late: unknown
    // On a server, the right of a write that takes no time need not be confirmed again. This process may stand still for as long.
    for (let seconds = 1; seconds <= 5 && asked === 0; seconds += 1) {
      const busy = Array.from({ length: isServer ? others : 0 }, () =>
        db.forCompany(rival.id).read(sql`select pg_sleep(${seconds + 1})::text`),
      )
      name = `a late one of ${others} and ${seconds}`
      const rename = sql`update "project" set "project_name" = ${name} where "project"."company_id" = ${acme.id}`
      const wait = isServer ? [sql`select pg_sleep(${seconds})::text`] : []
      function* work(): Steps {
        yield [rename, ...wait]
      }
      late = await db
        .forCompany(acme.id)
        .transactLong(work(), [], right)
        .catch((error) => error.code)
      await Promise.all(busy)
    }
    expect([late, asked]).toEqual(['invalid_api_key', 1])
    expect((await acme.get(`/project?project_name=eq.${name}&select=id`)).json).toEqual([])
  })

  test('deletes them, while others write', async () => {
    const { acme, rival } = world
    const counted = await acme.get('/project?project_name=like.a*&limit=1', { Prefer: 'count=exact' })
    const count = Number(counted.headers.get('Content-Range')?.split('/')[1])
    expect(count).toBeGreaterThan(many / 2)
    const [deleted, ...others] = await Promise.all([
      inTime(() => acme.delete('/project?project_name=like.a*', { Prefer: 'count=exact' })),
      ...Array.from({ length: 20 }, (_, at) => rival.post('/project', { bid_id: rival.bid, project_name: `W ${at}` })),
    ])
    expect([deleted?.status, deleted?.headers.get('Content-Range')]).toEqual([204, `*/${count}`])
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 201))
    expect((await acme.get('/project?project_name=like.a*&select=id')).json).toEqual([])
  })
})

describe('what takes too long', () => {
  onEachEngine(
    'is ended',
    (world) => {
      // Twenty patterns are matched with each of so many names in seconds, on the fastest machine.
      beforeAll(() => seed(world, 100_000), 300_000)

      test('and the next request is served', async () => {
        const patterns = Array.from({ length: 20 }, (_, at) => `project_name.imatch.[abc]*z${at}`)
        const slow = `/project?or=(${patterns.join(',')})`
        const { status, json } = await world.acme.get(slow)
        expect([status, json.code]).toEqual([504, '57014'])
        expect((await inTime(() => world.acme.get('/project?select=id&limit=1'))).status).toBe(200)
        expect((await inTime(() => world.rival.get('/project?select=project_name'))).json).toEqual([
          { project_name: "Rival's project" },
        ])
      })
    },
    { STATEMENT_TIMEOUT_MS: '3000' },
  )

  onEachEngine(
    'in one write',
    (world, { name }) => {
      test.skipIf(name !== 'postgres')(
        'is ended also where no statement of it is long, but all are together',
        async () => {
          const { acme, rival, db } = world
          let steps = 0
          function* work(): Steps {
            yield [sql`update "project" set "project_name" = 'Late' where "project"."company_id" = ${acme.id}`]
            for (; steps < 1000; steps += 1)
              yield [sql`select pg_sleep(0.05)::text from company where company.id = ${acme.id}`]
          }
          let isEnded = false
          const ended = db
            .forCompany(acme.id)
            .transactInSteps(work())
            .catch((error: unknown) => error)
            .finally(() => {
              isEnded = true
            })
          // What others do is not cut off with it: one of these is under way at that moment, whenever it comes.
          while (!isEnded) expect(await db.forCompany(rival.id).read(sql`select pg_sleep(0.5)::text`)).toHaveLength(1)
          expect(await ended).toMatchObject({ status: 504, code: '57014' })
          expect(steps).toBeLessThan(1000)
          expect((await acme.get('/project?project_name=eq.Late&select=id')).json).toEqual([])
        },
      )
    },
    // Each statement takes a small part of it, on a busy machine as well.
    { STATEMENT_TIMEOUT_MS: '10000' },
  )
})

const isBehind = (row: Project, before: Project | undefined): boolean =>
  before !== undefined &&
  (row.project_name < before.project_name || (row.project_name === before.project_name && row.id > before.id))

/** Long names of Acme, every thousandth of which ends in a number and a b. Straight into the table, some at a time. */
async function seed({ acme, config }: World, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => [
    `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    at % 1000 === 999 ? `${long.slice(1)}${Math.floor(at / 1000)}b` : long,
  ])
  // The limit of one of the worlds is short for a busy machine.
  const db = openDatabase({ ...config, statementTimeoutMs: 300_000 })
  try {
    for (let at = 0; at < count; at += portion) {
      const insertion = insertionOf(acme, rows.slice(at, at + portion), db.dialect.name)
      await untilConnected(() => db.transact([insertion]))
    }
  } finally {
    await db.close()
  }
}

const portion = 1000

function insertionOf({ id, bid }: Tenant, rows: readonly (readonly string[])[], engine: Dialect['name']): Sql {
  const moment = '2026-01-01T00:00:00+00:00'
  const source =
    engine === 'sqlite'
      ? sql`${id}, value ->> 0, ${bid}, value ->> 1, ${moment}, ${moment} from json_each(${JSON.stringify(rows)})`
      : sql`${id}::uuid, (value ->> 0)::uuid, ${bid}::uuid, value ->> 1, ${moment}::timestamptz, ${moment}::timestamptz
          from json_array_elements(${JSON.stringify(rows)}::text::json)`
  return sql`insert into project (company_id, id, bid_id, project_name, created_at, updated_at) select ${source}`
}
