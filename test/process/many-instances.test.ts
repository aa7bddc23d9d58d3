import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { migrations } from '../../migrations/index.ts'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import { runProgram } from '../support/command.ts'
import { engines, type Place, type TestEngine } from '../support/engines.ts'
import { endAll, type Service, startService } from '../support/service.ts'
import { replyOf } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const counts = { sqlite: 3, postgres: 4 } as const
// Who comes first differs from time to time, so that once proves little.
const rounds = 3
/** Where requests of one turn see what the first of them saw, every third or tenth misses a row. */
const creates = 60

for (const engine of engines) {
  const count = counts[engine.name]

  test(`${count} instances start together on one new database (${engine.name})`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await onNewDatabase(engine, count, 'off', async (services, place) => {
        expect(services.map(({ stderr }) => stderr)).toEqual(services.map(() => ''))
        expect(await migrationsDone(place.url)).toEqual(migrations.map(({ number, name }) => [number, name]))
      })
    }
  })

  test(`an instance of this version serves, and starts, after the step of a newer one (${engine.name})`, async () => {
    await onNewDatabase(engine, 1, 'off', async ([running], { url }) => {
      const { headers, bid_id } = await makeCompany(url)
      const use = async ({ base }: Service) => {
        const path = `${base}/rest/v1/project`
        const body = JSON.stringify({ bid_id, project_name: 'Bridge' })
        const made = await fetch(path, { method: 'POST', headers, body })
        const listed = await replyOf(await fetch(`${path}?select=*,bid(*)`, { headers }))
        const [row] = listed.json
        return [made.status, listed.status, Object.keys(row), Object.keys(row.bid)]
      }
      if (!running) throw new Error('There is no instance')
      const before = await use(running)
      await migrateFurther(url, newerStep[engine.name])
      expect(await use(running)).toEqual(before)
      const later = await startService({ DATABASE_URL: url, DEMO: 'off' })
      expect(await use(later)).toEqual(before)
      await later.stop()
    })
  })

  test(`${count} instances serve the same data (${engine.name})`, async () => {
    await onNewDatabase(engine, count, 'off', async (services, { url }) => {
      const { headers, bid_id } = await makeCompany(url)
      const created = await Promise.all(
        services.map(({ base }, at) =>
          fetch(`${base}/rest/v1/project`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ bid_id, project_name: `Instance ${at}` }),
          }),
        ),
      )
      expect(created.map(({ status }) => status)).toEqual(services.map(() => 201))
      const lists = await Promise.all(
        services.map(async ({ base }) => (await fetch(`${base}/rest/v1/project`, { headers })).text()),
      )
      expect(JSON.parse(lists[0] ?? '')).toHaveLength(count)
      expect(new Set(lists).size).toBe(1)
    })
  })

  test(`what one instance has answered is seen by whoever asks another one, however many ask it (${engine.name})`, async () => {
    await onNewDatabase(engine, 2, 'off', async ([writing, reading], { url }) => {
      const { headers, bid_id } = await makeCompany(url)
      // By a connection of its own, as every new client has.
      const list = async (query: string) =>
        (await replyOf(await fetch(`${reading?.base}/rest/v1/project?${query}`, { headers, keepalive: false }))).json
      let isDone = false
      const askOn = async () => {
        while (!isDone) await list('limit=100')
      }
      const others = Array.from({ length: 16 }, askOn)
      const missed: string[] = []
      try {
        for (let at = 0; at < creates; at += 1) {
          const id = Bun.randomUUIDv7()
          const body = JSON.stringify({ id, bid_id, project_name: 'Bridge' })
          const made = await fetch(`${writing?.base}/rest/v1/project`, { method: 'POST', headers, body })
          expect(made.status).toBe(201)
          if ((await list(`id=eq.${id}`)).length === 0) missed.push(id)
        }
      } finally {
        isDone = true
        await Promise.all(others)
      }
      expect(missed).toEqual([])
    })
  })
}

test('only one of the instances on a new file makes the demo company', async () => {
  const [sqlite] = engines
  if (!sqlite) throw new Error('There is no engine')
  await onNewDatabase(sqlite, counts.sqlite, 'on', async (services, { url }) => {
    expect(services.filter(({ banner }) => banner.includes('API secret'))).toHaveLength(1)
    expect(JSON.parse((await runProgram(['company', 'list', '--json'], { DATABASE_URL: url })).stdout)).toHaveLength(1)
  })
})

/** What a step may do while instances of the version before it still serve: add what they can do without. */
const newerStep = {
  sqlite: `alter table project add column note text;
    alter table bid add column stage text not null default 'open';
    alter table credential add column note text;
    create table stage (company_id text not null references company (id), id text not null, primary key (company_id, id)) strict, without rowid;
    create index project_by_note on project (company_id, note, id);`,
  postgres: `alter table project add column note text;
    alter table bid add column stage text not null default 'open';
    alter table credential add column note text;
    create table stage (company_id uuid not null references company (id), id uuid not null, primary key (company_id, id));
    create index project_by_note on project (company_id, note, id);`,
} as const

async function migrateFurther(DATABASE_URL: string, script: string): Promise<void> {
  const db = openDatabase(readConfig({ DATABASE_URL }, false))
  expect(await db.migrate({ number: migrations.length + 1, name: 'newer', script })).toBe(true)
  await db.close()
}

async function makeCompany(url: string) {
  const run = async (...args: string[]) =>
    JSON.parse((await runProgram([...args, '--json'], { DATABASE_URL: url })).stdout)
  await run('company', 'create', 'Acme')
  const { id: bid_id } = await run('bid', 'create', '--company', 'Acme', '--name', 'Bridge')
  const made = await run('credential', 'create', '--company', 'Acme', '--name', 'All')
  const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
  return { headers, bid_id: bid_id as string }
}

async function onNewDatabase(
  engine: TestEngine,
  count: number,
  DEMO: 'on' | 'off',
  work: (services: readonly Service[], place: Place) => Promise<void>,
): Promise<void> {
  const place = await engine.makePlace()
  const starts = await Promise.allSettled(
    Array.from({ length: count }, () => startService({ DATABASE_URL: place.url, DEMO })),
  )
  const services = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  try {
    const failures = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []))
    expect(failures).toEqual([])
    await work(services, place)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    await place.remove()
  }
}

async function migrationsDone(DATABASE_URL: string) {
  const db = openDatabase(readConfig({ DATABASE_URL }, false))
  try {
    return await db.read(sql`select number, name from migration order by number`)
  } finally {
    await db.close()
  }
}
