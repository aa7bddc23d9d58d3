import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { endAll, residentMb, type Service, startService, until } from '../support/service.ts'
import { replyOf, type Tenant, type World } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const many = 500_000
const growthMaxMb = 64
/** A process of a busy machine may stand still alone, but not in each round. */
const roundsMax = 4

// To seed so many rows takes longer than a statement usually may, where the machine is busy.
onEachEngine(
  'a long list',
  (world, engine) => {
    let service: Service
    /** How long all rows take on this machine today. */
    let wholeMs = 0
    beforeAll(async () => {
      await seed(world, world.acme, many)
      await seed(world, world.rival, 20_000)
      service = await startService({ DATABASE_URL: world.databaseUrl, STATEMENT_TIMEOUT_MS: '300000' })
    }, 300_000)
    afterAll(() => service.stop())

    const get = (tenant: Tenant, query: string, headers = {}) =>
      fetch(`${service.base}/rest/v1/project${query}`, { headers: { ...tenant.headers, ...headers } })

    /** Runs something after a small request, and tells how much more memory the service had at its most. */
    async function growthMb(work: () => Promise<void>): Promise<number> {
      await (await get(world.acme, '?limit=10')).text()
      const before = residentMb(service.pid)
      let most = before
      const timer = setInterval(() => {
        most = Math.max(most, residentMb(service.pid))
      }, 10)
      try {
        await work()
      } finally {
        clearInterval(timer)
      }
      return Math.max(most, residentMb(service.pid)) - before
    }

    function report(what: string, startedAt: number, growth: number): void {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${engine.name}: ${what} in ${seconds} s, memory grew by ${growth.toFixed(1)} MB`)
    }

    test('of half a million projects is sent whole, in order, in little memory', async () => {
      const startedAt = performance.now()
      const growth = await growthMb(async () => {
        const answer = await get(world.acme, '')
        expect(answer.status).toBe(200)
        expect(await countInOrder(rowsOfArray(answer))).toBe(many + 1)
      })
      wholeMs = performance.now() - startedAt
      report('500,000 rows of JSON', startedAt, growth)
      expect(growth).toBeLessThan(growthMaxMb)
    })

    test('is sent whole as gzip, in as little memory', async () => {
      const startedAt = performance.now()
      const growth = await growthMb(async () => {
        const answer = await get(world.acme, `?limit=${many / 5}`, { 'Accept-Encoding': 'gzip' })
        expect(answer.headers.get('Content-Encoding')).toBe('gzip')
        expect(await countInOrder(rowsOfArray(answer))).toBe(many / 5)
      })
      report('100,000 rows of JSON as gzip', startedAt, growth)
      expect(growth).toBeLessThan(growthMaxMb)
    })

    test('is sent whole as lines of JSON too', async () => {
      const startedAt = performance.now()
      const growth = await growthMb(async () => {
        const answer = await get(world.acme, `?select=id&limit=${many / 4}`, { Accept: 'application/x-ndjson' })
        expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson; charset=utf-8')
        expect(await countInOrder(lines(answer, '\n'))).toBe(many / 4)
      })
      report('125,000 lines of NDJSON', startedAt, growth)
      expect(growth).toBeLessThan(growthMaxMb)
    })

    test('waits for a client that does not read, in little memory, and then goes on', async () => {
      const startedAt = performance.now()
      const growth = await growthMb(async () => {
        const { socket, read } = openRaw(service, world.acme, many)
        await until(() => read.bytes > 0)
        socket.pause()
        const before = read.bytes
        await Bun.sleep(2000)
        socket.resume()
        await until(() => isWhole(read))
        // It was sent what had room on the way, and no more.
        expect(read.bytes).toBeGreaterThan(before + 80_000_000)
        socket.destroy()
      })
      report('500,000 rows with a pause of 2 s', startedAt, growth)
      expect(growth).toBeLessThan(growthMaxMb)
    })

    test('that nobody wants any more leaves the service healthy', async () => {
      let tookMs = Number.POSITIVE_INFINITY
      for (let rounds = 0; tookMs >= wholeMs / 2 && rounds < roundsMax; rounds += 1) {
        const growth = await growthMb(async () => {
          for (let times = 0; times < 20; times += 1) {
            const control = new AbortController()
            const answer = await fetch(`${service.base}/rest/v1/project`, {
              headers: world.acme.headers,
              signal: control.signal,
            })
            await answer.body?.getReader().read()
            control.abort()
          }
        })
        expect(growth).toBeLessThan(growthMaxMb)
        expect((await fetch(`${service.base}/health/ready`)).status).toBe(200)
        const startedAt = performance.now()
        expect(await (await get(world.rival, '?limit=1')).json()).toHaveLength(1)
        tookMs = performance.now() - startedAt
      }
      // Work that went on for those who left would be in the way of everybody else.
      expect(tookMs).toBeLessThan(wholeMs / 2)
      expect(service.stderr).toBe('')
    })

    test('does not keep others waiting', async () => {
      let isUnderWay = false
      let slowestMs = Number.POSITIVE_INFINITY
      for (let rounds = 0; !(isUnderWay && slowestMs < wholeMs / 2) && rounds < roundsMax; rounds += 1) {
        const { socket, read } = openRaw(service, world.acme, many)
        await until(() => read.bytes > 0)
        slowestMs = 0
        for (let request = 0; request < 20; request += 1) {
          const startedAt = performance.now()
          await (await get(world.rival, '?limit=10')).text()
          slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        }
        isUnderWay = !isWhole(read)
        socket.destroy()
        console.log(`${engine.name}: slowest of 20 small requests beside a long list ${slowestMs.toFixed(0)} ms`)
      }
      expect(isUnderWay).toBe(true)
      expect(slowestMs).toBeLessThan(wholeMs / 2)
    })

    test('keeps an order that was asked for', async () => {
      const answer = await get(world.rival, '?select=id,project_name&order=project_name.desc')
      const rows: Named[] = []
      for await (const some of rowsOfArray(answer)) rows.push(...some.map((row) => JSON.parse(row)))
      expect(rows).toHaveLength(20_001)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(20_001)
      const misplaced = rows.filter((row, at) => {
        const before = rows[at - 1]
        return before && !isBefore(before, row)
      })
      expect(misplaced).toEqual([])
    })

    test.each([999, 1000, 1001, 1500, 16_001])('with a limit of %d has just as many rows', async (limit) => {
      const answer = await get(world.rival, `?select=id&limit=${limit}`)
      expect(answer.headers.get('Link')).toContain('rel="next"')
      expect(await countInOrder(rowsOfArray(answer))).toBe(limit)
    })

    test('goes on behind an offset', async () => {
      const ids = async (query: string) => {
        const { json } = await replyOf(await get(world.rival, `?select=id${query}`))
        return json.map(({ id }: Named) => id)
      }
      const all = await ids('')
      expect(all).toHaveLength(20_001)
      expect(await ids('&offset=17500')).toEqual(all.slice(17_500))
      expect(await ids('&offset=1500&limit=2500')).toEqual(all.slice(1500, 4000))
    })

    test('under way when the service is told to stop comes to its end', async () => {
      const stopping = await startService({ DATABASE_URL: world.databaseUrl, STOP_TIMEOUT_S: '300' })
      const { socket, read } = openRaw(stopping, world.acme, 200_000)
      await until(() => read.bytes > 0)
      socket.pause()
      stopping.kill('SIGTERM')
      await Bun.sleep(300)
      const before = read.bytes
      socket.resume()
      await until(() => read.isClosed)
      expect(isWhole(read)).toBe(true)
      expect(read.bytes).toBeGreaterThan(before + 20_000_000)
      expect(await stopping.ended).toBe(0)
    })
  },
  { STATEMENT_TIMEOUT_MS: '300000' },
)

interface Named {
  readonly id: string
  readonly project_name: string
}

/** Names that repeat, so that only their ids tell some rows apart. */
const isBefore = (a: Named, b: Named): boolean =>
  a.project_name > b.project_name || (a.project_name === b.project_name && a.id < b.id)

/** Straight into the table: what is tested is how rows come out. */
async function seed({ db }: World, { id, bid }: Tenant, count: number): Promise<void> {
  const startedAt = performance.now()
  const moment = '2026-01-01T00:00:00+00:00'
  const statement =
    db.dialect.name === 'sqlite'
      ? sql`with recursive series (n) as (select 1 union all select n + 1 from series where n < ${count})
          insert into project (company_id, id, bid_id, project_name, created_at, updated_at)
          select ${id}, printf('01900000-0000-7000-8000-%012x', n), ${bid},
            printf('Project %05d', n * 7919 % 10007), ${moment}, ${moment} from series`
      : sql`insert into project (company_id, id, bid_id, project_name, created_at, updated_at)
          select ${id}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${bid},
            'Project ' || lpad((n * 7919 % 10007)::text, 5, '0'), ${moment}, ${moment}
          from generate_series(1::bigint, ${count}::bigint) n`
  // So many look-ups of the same bid would take longer than all of the tests. Only a superuser may leave them out.
  const withoutChecks = sql`select set_config('session_replication_role', 'replica', true)
    from pg_roles where rolname = current_user and rolsuper`
  await db.transact(db.dialect.name === 'sqlite' ? [statement] : [withoutChecks, statement])
  console.log(`${db.dialect.name}: ${count} rows seeded in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** The rows of a list, each as its text, some at a time. */
async function* rowsOfArray(answer: Response): AsyncGenerator<string[]> {
  // The last row is held back until it is known to be the last: the end of the list is on it.
  let held = ''
  for await (const rows of lines(answer, ',\n')) {
    const all = held === '' ? [afterOpening(rows[0] ?? ''), ...rows.slice(1)] : [held, ...rows]
    held = all.pop() ?? ''
    yield all
  }
  if (!held.endsWith(']')) throw new Error(`The list ends with ${held}`)
  yield [held.slice(0, -1)]
}

function afterOpening(line: string): string {
  if (!line.startsWith('[')) throw new Error(`The list begins with ${line}`)
  return line.slice(1)
}

async function* lines({ body }: Response, separator: string): AsyncGenerator<string[]> {
  if (!body) throw new Error('There is no body')
  const utf8 = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const parts = (rest + utf8.decode(bytes, { stream: true })).split(separator)
    rest = parts.pop() ?? ''
    if (parts.length > 0) yield parts
  }
  if (rest !== '') yield [rest]
}

/** How many rows there are. Ids that only ever grow are in order, and none is there twice. */
async function countInOrder(batches: AsyncIterable<readonly string[]>): Promise<number> {
  let count = 0
  let last = ''
  for await (const rows of batches) {
    for (const row of rows) {
      const { id } = JSON.parse(row)
      if (id <= last) throw new Error(`${id} comes after ${last}`)
      last = id
    }
    count += rows.length
  }
  return count
}

const isWhole = ({ end }: { readonly end: string }): boolean => end.endsWith(']\r\n0\r\n\r\n')

/** A client that can stop reading: `fetch` would read ahead. */
function openRaw({ base }: Service, { headers }: Tenant, limit: number) {
  const read = { bytes: 0, end: '', isClosed: false }
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  const fields = Object.entries({ ...headers, Host: 'test' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('data', (bytes: Buffer) => {
    read.bytes += bytes.length
    read.end = (read.end + bytes.toString('latin1', Math.max(0, bytes.length - 20))).slice(-20)
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    read.isClosed = true
  })
  socket.write(`GET /rest/v1/project?limit=${limit} HTTP/1.1\r\n${fields.join('')}\r\n`)
  return { socket, read }
}
