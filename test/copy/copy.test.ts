import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import { type Database, openDatabase } from '../../src/store/open.ts'
import { Sql, sql } from '../../src/store/sql.ts'
import { Browser, behindProxy, password, signedIn } from '../settings/support.ts'
import { engines, onEachEngine, type Place } from '../support/engines.ts'
import { endAll, runCli, startService } from '../support/service.ts'
import type { Tenant, World } from '../support/world.ts'

setDefaultTimeout(60_000)
afterAll(endAll)

const odd = [
  'ü 漢字 🌉 é \u200d \ufffd',
  `'"\\ "" '' {a,"b",NULL} null \\N \\. $1 ? %s`,
  '\u0001\t\r\n\u007f\u2028',
  'NULL',
  'x'.repeat(255),
  '🌉'.repeat(255),
]
const moments = ['2026-01-03T00:00:00+00:00', '2026-01-03T00:00:00.1+00:00', '1999-12-31T23:59:59.999999+00:00']

/** Something in every table, much of it hard to carry over unchanged. */
async function furnish(world: World): Promise<void> {
  const { acme, db } = world
  const owner = await signedIn(world, acme.id, 'owner', 'owner@example.com')
  await signedIn(world, world.rival.id, 'owner', 'rival@example.com')
  await owner.post('/invitations', { email: 'new@example.com', role: 'viewer' })
  await owner.post('/auth/request-password-reset', { email: 'owner@example.com' })
  await rotateCredential(db, { companyId: acme.id, id: acme.credentialId }, { graceSeconds: 3600, by: commandLine })
  await acme.post('/project', odd.map((project_name) => ({ bid_id: acme.bid, project_name })))
  await acme.post('/project', { bid_id: acme.bid, project_name: 'once' }, { 'Idempotency-Key': 'key "ä"' })
  await acme.get('/project')
  await world.usage.stop()
  for (const moment of moments)
    await db.transact([
      sql`insert into bid (company_id, id, bid_name, created_at, updated_at)
          values (${acme.id}, ${Bun.randomUUIDv7()}, ${moment}, ${moment}, ${moment})`,
      sql`insert into idempotency (company_id, key, fingerprint, status, headers, body, created_at)
          values (${acme.id}, ${`long ${moment}`}, '', null, '{}', ${'[{"a":"\\u00e4"}] 漢 '.repeat(100_000)}, ${moment})`,
    ])
}

onEachEngine(
  'a copy',
  (world, engine) => {
    const places: Place[] = []
    const copy = (to: string, ...more: string[]) => runCli(['copy', '--to', to, ...more], { DATABASE_URL: world.databaseUrl })
    const makePlace = async (name: string): Promise<Place> => {
      const place = await engines.find((one) => one.name === name)?.makePlace()
      if (!place) throw new Error(`There is no engine ${name}`)
      places.push(place)
      return place
    }
    let pristine: string

    beforeAll(async () => {
      await furnish(world)
      const { url } = await makePlace(engine.name)
      pristine = url
      expect(await copy(url)).toMatchObject({ exitCode: 0 })
    })
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
