import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/store/open.ts'
import { identifier, keyword, sql } from '../../src/store/sql.ts'
import { runProgram } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { findProgram } from '../support/debian.ts'
import { startPostgres } from '../support/postgres.ts'
import { programs } from '../support/programs.ts'
import { endAll, runCli, type Service, startService, until } from '../support/service.ts'
import { type Reply, replyOf, sendInTime } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

/** A backup by the commands that an operator has, and a database made of it. */
interface Engine {
  readonly name: string
  makeDatabase(folder: string): Promise<{ readonly url: string; remove(): Promise<void> }>
  backUp(url: string, file: string): Promise<void>
  /** Where the restored database is. */
  restore(url: string, file: string): Promise<string>
  /** Sends a create, again where a server stood still. */
  create(once: () => Promise<Reply>): Promise<Reply>
}

const sqlite: Engine = {
  name: 'sqlite',
  makeDatabase: async (folder) => ({ url: join(folder, 'live.db'), remove: async () => {} }),
  backUp: async (url, file) => {
    expect((await runCli(['backup', file], { DATABASE_URL: url })).stderr).toBe('')
  },
  restore: async (url, file) => {
    const restored = `${url}-of-${file.slice(-1)}`
    expect((await runProgram(['restore', file], { DATABASE_URL: restored })).stderr).toBe('')
    return restored
  },
  create: (once) => once(),
}

/** The commands are run as they are printed, by a role that may read nothing but its own schema. */
const postgres: Engine = {
  name: 'postgres',
  makeDatabase: async () => {
    findProgram(programs.postgresTools)
    const { url, stop } = await startPostgres()
    const admin = new SQL(url, { max: 1 })
    await admin.unsafe('create role app login createdb')
    await admin.unsafe('create schema app authorization app')
    await admin.unsafe('create table public.of_others ()')
    await admin.close()
    return { url: `${url.replace('postgres@', 'app@')}?schema=app`, remove: stop }
  },
  backUp: async (url, file) => runPrinted((await runCli(['backup', file], { DATABASE_URL: url })).stderr),
  restore: async (url, file) => {
    const name = `restored_${file.slice(-1)}`
    const { stderr } = await runProgram(['restore', file], { DATABASE_URL: url })
    expect(stderr).toContain('postgres_restored')
    runPrinted(stderr.replaceAll('postgres_restored', name))
    return url.replace('/postgres?', `/${name}?`)
  },
  create: (once) => sendInTime('POST', once),
}

function runPrinted(text: string): void {
  const lines = text.split('\n').filter((line) => line.startsWith('  '))
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', line])
    expect([line, exitCode, stderr.toString()]).toEqual([line, 0, ''])
  }
}

interface Client {
  readonly headers: Record<string, string>
  readonly bid: string
}

/** One request of a client: the ids of its rows, and whether it was answered with 201. */
interface Sent {
  readonly ids: readonly string[]
  readonly key: string
  isAcknowledged: boolean
}

const clientsOfEach = 4
const companies = ['Acme', 'Rival']
/** Before the backup, and again after it. */
const acknowledgedMin = 200

for (const engine of [sqlite, postgres]) {
  describe(`a drill on ${engine.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'project-api-drill-'))
    let database: Awaited<ReturnType<Engine['makeDatabase']>> | null = null
    afterAll(async () => {
      await database?.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    test('proves a backup that was made under load, and one of a quiet moment, row for row', async () => {
      database = await engine.makeDatabase(folder)
      const { url } = database
      const clients = await Promise.all(companies.map((name) => makeClient(url, name)))

      const service = await startService({ DATABASE_URL: url, DEMO: 'off', LOG: 'off' })
      const load = startLoad(service, clients, engine)
      await until(() => load.acknowledged().size > acknowledgedMin)
      let before = load.acknowledged()
      let during = 0
      // On a busy machine, the service may stand still for as long as one backup takes.
      for (let tries = 0; during === 0 && tries < 5; tries += 1) {
        rmSync(join(folder, 'busy-1'), { force: true })
        before = load.acknowledged()
        await engine.backUp(url, join(folder, 'busy-1'))
        during = load.acknowledged().size - before.size
      }
      await until(() => load.acknowledged().size > before.size + during + acknowledgedMin)
      await load.stop()
      await untilNumbered(url)
      await service.stop()
      // The service went on meanwhile.
      expect(during).toBeGreaterThan(0)

      const source = await readAll(url)
      const busy = await engine.restore(url, join(folder, 'busy-1'))
      const restored = await readAll(busy)
      expectOneMoment(restored, load.sent, before)
      expectPartOf(restored, source)
      expectEvents(restored, source)
      // A drill that could not fail would prove nothing.
      const missing = { ...restored, project: restored.project?.slice(1) ?? [] }
      expect(() => expectOneMoment(missing, load.sent, before)).toThrow()
      const foreign = { ...restored, project: [...(restored.project ?? []), '["of nobody"]'] }
      expect(() => expectPartOf(foreign, source)).toThrow()
      const silent = { ...restored, event: restored.event?.slice(1) ?? [] }
      expect(() => expectEvents(silent, source)).toThrow()
      await expectUsable(busy, clients, restored)

      const idle = await startService({ DATABASE_URL: url, DEMO: 'off', LOG: 'off' })
      await engine.backUp(url, join(folder, 'quiet-2'))
      await idle.stop()
      expect(await readAll(await engine.restore(url, join(folder, 'quiet-2')))).toEqual(source)
      const rows = Object.values(source).flat().length
      console.log(
        `${engine.name}: ${rows} rows restored and compared; ${before.size} creates acknowledged before the backup under load, ${during} during it`,
      )
    })
  })
}

async function makeClient(url: string, company: string): Promise<Client> {
  const run = async (...args: string[]) =>
    JSON.parse((await runProgram([...args, '--json'], { DATABASE_URL: url })).stdout)
  await createTables(url)
  await run('company', 'create', company)
  const { id: bid } = await run('bid', 'create', '--company', company, '--name', 'Bridge')
  const made = await run('credential', 'create', '--company', company, '--name', 'Drill')
  const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
  return { headers, bid }
}

/** Each client creates three rows at a time, one request after the other. */
function startLoad(service: Service, clients: readonly Client[], { create }: Engine) {
  const sent: Sent[][] = []
  let isOver = false
  const work = async ({ headers, bid }: Client, own: Sent[]): Promise<void> => {
    while (!isOver) {
      const request: Sent = {
        ids: [1, 2, 3].map(() => Bun.randomUUIDv7()),
        key: Bun.randomUUIDv7(),
        isAcknowledged: false,
      }
      own.push(request)
      const body = JSON.stringify(request.ids.map((id) => ({ id, bid_id: bid, project_name: `Project ${id}` })))
      const init = { method: 'POST', headers: { ...headers, 'Idempotency-Key': request.key }, body }
      const { status, json } = await create(async () => replyOf(await fetch(`${service.base}/rest/v1/project`, init)))
      expect([status, json]).toEqual([201, expect.any(Array)])
      request.isAcknowledged = true
    }
  }
  const all = clients.flatMap((client) =>
    Array.from({ length: clientsOfEach }, () => {
      const own: Sent[] = []
      sent.push(own)
      return work(client, own)
    }),
  )
  return {
    sent,
    acknowledged: () =>
      new Set(
        sent
          .flat()
          .filter(({ isAcknowledged }) => isAcknowledged)
          .map(({ key }) => key),
      ),
    stop: () => {
      isOver = true
      return Promise.all(all)
    },
  }
}

/** PostgreSQL gives numbers to events after their commit; what still waits would get them from the next service. */
async function untilNumbered(url: string): Promise<void> {
  const db = openDatabase(readConfig({ DATABASE_URL: url }, false))
  await until(async () => (await db.read(sql`select 1 from event_inbox limit 1`)).length === 0)
  await db.close()
}

type Tables = Readonly<Record<string, readonly string[]>>

const tableNames = {
  sqlite: sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by 1`,
  postgres: sql`select tablename::text from pg_tables where schemaname = current_schema() order by 1`,
}

/** Every row of every table, as text and in order. Only the time of the last backup comes later than the backup. */
async function readAll(url: string): Promise<Tables> {
  const db = openDatabase(readConfig({ DATABASE_URL: url }, false))
  try {
    const names = (await db.read(tableNames[db.dialect.name])).map(([name]) => String(name))
    const tables = await Promise.all(
      names.map(async (name) => {
        const rows = await db.read(sql`${keyword('select * from')} ${identifier(name)}`)
        const texts = rows.map((row) => JSON.stringify(row)).filter((text) => !text.includes('last_backup_at'))
        return [name, texts.sort()] as const
      }),
    )
    return Object.fromEntries(tables)
  } finally {
    await db.close()
  }
}

/** All that was acknowledged before is there; of each client, nothing is there without what it sent before; no request is there by half. */
function expectOneMoment(restored: Tables, sent: readonly Sent[][], before: ReadonlySet<string>): void {
  const projects = keysOf(restored.project)
  const records = keysOf(restored.idempotency)
  for (const own of sent) {
    const found = own.map(({ ids, key }) => [...ids.map((id) => projects.has(id)), records.has(key)])
    const isThere = found.map((one) => one.every(Boolean))
    expect(found.filter((one) => one.some(Boolean) && !one.every(Boolean))).toEqual([])
    expect(isThere.indexOf(false) === -1 || isThere.lastIndexOf(true) < isThere.indexOf(false)).toBe(true)
    expect(own.filter(({ key }, at) => before.has(key) && !isThere[at])).toEqual([])
  }
}

/** Both tables have the company first and the key after it. */
const keysOf = (rows: readonly string[] = []): Set<string> => new Set(rows.map((row) => JSON.parse(row)[1]))

/** Counts go on while the service runs, and events get numbers; every other row in the copy is a row of the database it was made of. */
function expectPartOf(restored: Tables, source: Tables): void {
  expect(Object.keys(restored)).toEqual(Object.keys(source))
  for (const [name, rows] of Object.entries(restored)) {
    if (/^(credential_(usage|last_use)|request_(log|latency)|event_(counter|inbox))$/.test(name)) continue
    const known = new Set(source[name])
    expect([name, rows.filter((row) => !known.has(row))]).toEqual([name, []])
  }
}

/** Every project has its event, with a number or still without; numbers have no gaps up to the counter; the source has them all. */
function expectEvents(restored: Tables, source: Tables): void {
  const numbered = eventsOf(restored.event)
  const all = [...numbered, ...eventsOf(restored.event_inbox)]
  expect(new Set(all.filter(({ isOfProject }) => isOfProject).map(({ row }) => row))).toEqual(keysOf(restored.project))
  for (const [company, last] of (restored.event_counter ?? []).map((row) => JSON.parse(row))) {
    const own = numbered.filter((event) => event.company === company).map(({ place }) => Number(place))
    expect(own.sort((a, b) => a - b)).toEqual(Array.from({ length: Number(last) }, (_, at) => at + 1))
  }
  const known = new Set(eventsOf(source.event).map(({ id }) => id))
  expect(all.filter(({ id }) => !known.has(id))).toEqual([])
}

/** Both tables of events begin alike. The place is the number, or the time of those that have none yet. */
const eventsOf = (rows: readonly string[] = []) =>
  rows.map((text) => {
    const [company, place, id, , resource, row] = JSON.parse(text)
    return { company, place, id, isOfProject: resource === 'project', row }
  })

/** The credentials open it, each its own company's rows, and new rows can be made. */
async function expectUsable(url: string, clients: readonly Client[], restored: Tables): Promise<void> {
  const service = await startService({ DATABASE_URL: url, DEMO: 'off', LOG: 'off' })
  let total = 0
  for (const { headers, bid } of clients) {
    const rows = (await (await fetch(`${service.base}/rest/v1/project`, { headers })).json()) as { bid_id: string }[]
    expect(new Set(rows.map(({ bid_id }) => bid_id))).toEqual(new Set([bid]))
    total += rows.length
    const body = JSON.stringify({ bid_id: bid, project_name: 'After the restore' })
    const answer = await fetch(`${service.base}/rest/v1/project`, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
  }
  expect(total).toBe(restored.project?.length ?? 0)
  await service.stop()
}
