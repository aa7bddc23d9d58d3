import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { migrations } from '../../migrations/index.ts'
import { readConfig } from '../../src/config/config.ts'
import { createField } from '../../src/fields/fields.ts'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import { readCatalogue } from '../../src/store/copy/catalogue.ts'
import { digestOf } from '../../src/store/copy/digest.ts'
import type { Database } from '../../src/store/database.ts'
import { engineOf, openDatabase } from '../../src/store/open.ts'
import { identifier, keyword, sql } from '../../src/store/sql.ts'
import { sendTest } from '../../src/webhooks/deliveries.ts'
import { Browser, behindProxy, password, signedIn } from '../settings/support.ts'
import { runHere } from '../support/command.ts'
import { engines, onEachEngine, type Place } from '../support/engines.ts'
import { endAll, startService } from '../support/service.ts'
import type { Tenant, World } from '../support/world.ts'
import { endpointTo, seal } from '../webhooks/support.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const odd = [
  'ü 漢字 🌉 é \u200d \ufffd',
  `'"\\ "" '' {a,"b",NULL} null \\N \\. $1 ? %s`,
  '\u0001\t\r\n\u007f\u2028',
  'NULL',
  'x'.repeat(255),
  '🌉'.repeat(255),
]
const earliest = '1999-12-31T23:59:59.999999+00:00'
const moments = ['2026-01-03T00:00:00+00:00', '2026-01-03T00:00:00.1+00:00', earliest]

/** Something in every table, much of it hard to carry over unchanged. */
async function furnish(world: World): Promise<void> {
  const { acme, db } = world
  const owner = await signedIn(world, acme.id, 'owner', 'owner@example.com')
  await signedIn(world, world.rival.id, 'owner', 'rival@example.com')
  await owner.post('/invitations', { email: 'new@example.com', role: 'viewer' })
  await owner.post('/auth/request-password-reset', { email: 'owner@example.com' })
  await rotateCredential(db, { companyId: acme.id, id: acme.credentialId }, { graceSeconds: 3600, by: commandLine })
  await acme.post(
    '/project',
    odd.map((project_name) => ({ bid_id: acme.bid, project_name })),
  )
  await acme.post('/project', { bid_id: acme.bid, project_name: 'once' }, { 'Idempotency-Key': 'once-only' })
  await createField(db, acme.id, { resource: 'project', name: 'note', type: 'text', indexed: true })
  await acme.post('/project', { bid_id: acme.bid, project_name: 'noted', note: odd[1] })
  await acme.get('/project')
  await furnishWebhooks(world)
  await world.feed.stop()
  const columns = keyword(
    'company_id, created_at, id, type, resource, row_id, row, changed, previous, actor_kind, actor_id',
  )
  const person = sql`(select id from person where email = 'owner@example.com')`
  await db.transact([
    sql`insert into event_inbox (${columns}) select ${columns} from event limit 1`,
    sql`insert into two_factor (id, person_id, secret, backup_codes, verified, created_at)
        select ${Bun.randomUUIDv7()}, ${person}, 'sealed', '[]', verified, ${earliest} from (select email_verified as verified from person limit 1) as one`,
    sql`insert into passkey (id, person_id, name, credential_id, public_key, counter, device_type, backed_up, created_at)
        select ${Bun.randomUUIDv7()}, ${person}, ${odd[1] ?? ''}, 'id', 'key', 4294967295, 'multiDevice', email_verified, ${earliest} from person limit 1`,
  ])
  await world.usage.stop()
  await world.requestLog.stop()
  for (const moment of moments)
    await db.transact([
      sql`insert into bid (company_id, id, bid_name, created_at, updated_at)
          values (${acme.id}, ${Bun.randomUUIDv7()}, ${moment}, ${moment}, ${moment})`,
      sql`insert into idempotency (company_id, key, fingerprint, status, headers, body, created_at)
          values (${acme.id}, ${`long ${moment}`}, '', null, '{}', ${'[{"a":"\\u00e4"}] 漢 '.repeat(20_000)}, ${moment})`,
    ])
}

/** One endpoint to which a test was sent, and which is to be called again. */
async function furnishWebhooks({ acme, db }: World): Promise<void> {
  const endpoint = await endpointTo(db, acme.id, 'https://example.com/hook')
  const send = async () => ({ status: 200, answer: odd[0] ?? '', error: null, retryAfter: null, durationMs: 1 })
  await sendTest(db, { seal, send }, endpoint)
  await db.transact([
    sql`insert into webhook_due (company_id, endpoint_id, due_at, is_failing)
        values (${acme.id}, ${endpoint.id}, ${earliest}, 0)`,
  ])
}

onEachEngine(
  'a copy',
  (world, engine) => {
    const places: Place[] = []
    const copy = (to: string, ...more: string[]) => run(world.databaseUrl, 'copy', '--to', to, ...more)
    const makePlace = async (name: string, isEmpty = false): Promise<Place> => {
      const found = engines.find((one) => one.name === name)
      const place = await (isEmpty ? (found?.makeEmpty ?? found?.makePlace) : found?.makePlace)?.()
      if (!place) throw new Error(`There is no engine ${name}`)
      places.push(place)
      return place
    }
    beforeAll(() => furnish(world))
    afterAll(async () => {
      for (const place of places) await place.remove()
    })

    test('holds something of every table, and tells what', async () => {
      const { url } = await makePlace(engine.name)
      const { stdout, stderr, exitCode } = await copy(url, '--json')
      expect([exitCode, stderr]).toEqual([0, ''])
      const { tables, rows } = JSON.parse(stdout)
      expect(tables.filter((one: { rows: number }) => one.rows === 0)).toEqual([])
      expect(tables.map(({ table }: { table: string }) => table).sort()).toEqual(await tableNames(world.db))
      expect(rows).toBeGreaterThan(40)
      expect(stdout).not.toContain('postgres@')
    })

    for (const { name } of engines) {
      test(`to ${name} and back is equal to the row`, async () => {
        const [there, back] = [await makePlace(name), await makePlace(engine.name)]
        const first = await copy(there.url, '--json')
        const second = await run(there.url, 'copy', '--to', back.url, '--json')
        expect([first.stderr, second.stderr]).toEqual(['', ''])
        const tables = JSON.parse(first.stdout).tables
        expect(JSON.parse(second.stdout).tables).toEqual(tables)
        expect(await rowsOf(back.url)).toEqual(await rowsOf(world.databaseUrl))
      })

      test(`on ${name} opens with the same credentials and passwords, for the same company`, async () => {
        const { url } = await makePlace(name)
        expect(await copy(url)).toMatchObject({ exitCode: 0 })
        const service = await startService({ DATABASE_URL: url, DEMO: 'off', LOG: 'off', TRUST_PROXY: 'on' })
        const list = async (base: string, { headers }: Tenant) =>
          (await fetch(`${base}/rest/v1/project`, { headers })).text()
        for (const tenant of [world.acme, world.rival])
          expect(await list(service.base, tenant)).toBe(await list(world.base, tenant))
        const browser = new Browser(service.base)
        expect((await browser.signIn('owner@example.com', password)).status).toBe(200)
        const { json } = await browser.get('/session')
        expect([json.person.email, json.company.id]).toEqual(['owner@example.com', world.acme.id])
        const again = { 'Idempotency-Key': 'once-only', ...world.acme.headers, 'Content-Type': 'application/json' }
        const body = JSON.stringify({ bid_id: world.acme.bid, project_name: 'once' })
        const replayed = await fetch(`${service.base}/rest/v1/project`, { method: 'POST', headers: again, body })
        expect([replayed.status, replayed.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
        await service.stop()
      })
    }

    test('keeps people signed in', async () => {
      const here = await signedIn(world, world.acme.id, 'viewer')
      const { url } = await makePlace(engine.name)
      expect(await copy(url)).toMatchObject({ exitCode: 0 })
      const service = await startService({ DATABASE_URL: url, DEMO: 'off', LOG: 'off', TRUST_PROXY: 'on' })
      const there = new Browser(service.base)
      there.cookie = here.cookie
      expect((await there.get('/session')).json.company.id).toBe(world.acme.id)
      await service.stop()
    })

    test('is refused where there is something already, and changes nothing there', async () => {
      const { url } = await makePlace(engine.name)
      await copy(url)
      const before = await rowsOf(url)
      for (const more of [[], ['--resume']]) {
        const { exitCode, stderr } = await copy(url, ...more)
        expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/is not empty: company holds 2 rows\. .+\n$/)])
      }
      expect(await rowsOf(url)).toEqual(before)
    })

    test('is refused from what is not there, and makes nothing of it', async () => {
      const { url } = await makePlace(engine.name)
      const missing = engine.name === 'sqlite' ? `${url}.missing` : url.replace(/(?=\?|$)/, '_missing')
      const { exitCode, stderr } = await run(missing, 'copy', '--to', url)
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^\S+missing cannot be read: .+\n$/)])
      if (engine.name === 'sqlite') expect(await Bun.file(missing).exists()).toBe(false)
    })

    test('is refused from a schema of another version', async () => {
      const [old, { url }] = [await makePlace(engine.name, true), await makePlace(engine.name)]
      const db = open(old.url)
      const [start] = migrations
      await db.migrate({ ...start, script: start[engine.name] })
      await db.close()
      const { exitCode, stderr } = await run(old.url, 'copy', '--to', url)
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('does not have the tables of this version')])
    })

    test('that one engine cannot hold stops there, and says where', async () => {
      const [spoiled, { url }] = [await makePlace('sqlite'), await makePlace('postgres')]
      expect(await copy(spoiled.url)).toMatchObject({ exitCode: 0 })
      const db = open(spoiled.url)
      await db.transact([sql`update bid set bid_name = 'a' || char(0) || 'b' where company_id = ${world.rival.id}`])
      await db.close()
      const { exitCode, stderr } = await run(spoiled.url, 'copy', '--to', url, '--json')
      expect([exitCode, JSON.parse(stderr).error]).toEqual([
        1,
        expect.stringMatching(/^The copy stopped in bid: .+ --resume/),
      ])
    })

    test('reads one moment, whatever is written meanwhile', async () => {
      const snapshot = await engineOf(world.databaseUrl).openSnapshot(settingsFor(world.databaseUrl))
      const [table] = (await readCatalogue(snapshot.read, snapshot.engine)).filter(({ name }) => name === 'project')
      if (!table) throw new Error('There is no table of projects')
      const before = await digestOf(snapshot, table, () => {})
      await world.rival.seed(['written meanwhile'])
      expect(await digestOf(snapshot, table, () => {})).toEqual(before)
      await snapshot.close()
    })
  },
  behindProxy,
)

const settingsFor = (url: string) => readConfig({ DATABASE_URL: url }, false)
const open = (url: string): Database => openDatabase(settingsFor(url))

const run = (DATABASE_URL: string, ...args: string[]) => runHere(args, { DATABASE_URL })

/** By another way than the copy's own. */
async function tableNames(db: Database): Promise<string[]> {
  const rows = await db.read(
    db.dialect.name === 'sqlite'
      ? keyword("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      : keyword("select tablename::text from pg_tables where schemaname = 'public'"),
  )
  return rows
    .map(([name]) => String(name))
    .filter((name) => name !== 'migration')
    .sort()
}

/** All rows of all tables as this engine itself spells them. */
async function rowsOf(url: string): Promise<unknown> {
  const db = open(url)
  try {
    const tables = []
    for (const table of await tableNames(db)) tables.push([table, (await db.read(everything(db, table))).flat().sort()])
    return tables
  } finally {
    await db.close()
  }
}

/** `json_object` needs the names of columns, so that SQLite gives its rows as they are. */
const everything = (db: Database, table: string) =>
  db.dialect.name === 'sqlite'
    ? sql`select * from ${identifier(table)}`
    : sql`select row_to_json(t)::text from ${identifier(table)} as t`
