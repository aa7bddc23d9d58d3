import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import type { Engine } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { nextTurn } from '../../src/traffic/next-turn.ts'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

let folder = ''
let db: Engine
/** Another process, as far as SQLite knows. */
let other: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'project-api-'))
  db = openSqlite(join(folder, 'test.db'))
  await db.transact([sql`create table note (number integer)`])
  other = new Database(join(folder, 'test.db'), { strict: true })
})

afterEach(async () => {
  other.close()
  await db.close()
  rmSync(folder, { recursive: true })
})

const add = (number: number) => sql`insert into note (number) values (${number})`
const count = () => Number(Object(db.read(sql`select count(*) from note`))[0][0])

test('reads of one turn see one state, and the next turn sees what another process has written', async () => {
  await nextTurn()
  expect([count(), count()]).toEqual([0, 0])
  other.run('insert into note (number) values (1)')
  expect(count()).toBe(0)
  await nextTurn()
  expect([count(), count(), count()]).toEqual([1, 1, 1])
})

test('a file that nobody has written yet is read, too', async () => {
  const empty = openSqlite(join(folder, 'empty.db'))
  const tables = () => empty.read(sql`select name from sqlite_master`)
  expect([tables(), tables()]).toEqual([[], []])
  empty.freshen?.()
  expect(tables()).toEqual([])
  await empty.close()
})

test('what was written here is seen at once by reads of the same turn', async () => {
  expect([count(), count()]).toEqual([0, 0])
  const written = db.transact([add(1)])
  expect(count()).toBe(0)
  const seen = written.then(() => [count(), count()])
  expect(await seen).toEqual([1, 1])
})

test('a read that fails leaves those beside it as they are', async () => {
  expect([count(), count()]).toEqual([0, 0])
  expect(() => db.read(sql`select refuse('no')`)).toThrow('no')
  expect(count()).toBe(0)
  await db.transact([add(1)])
  expect([count(), count()]).toEqual([1, 1])
})

test('no snapshot outlives its turn', async () => {
  await db.transact([add(1)])
  expect([count(), count()]).toEqual([1, 1])
  const checkpoint = () => other.query('pragma wal_checkpoint(truncate)').values()[0]?.[0]
  expect(checkpoint()).toBe(1)
  await nextTurn()
  expect(checkpoint()).toBe(0)
})

test('a request that comes later in a turn sees what was written before it was sent', async () => {
  await nextTurn()
  db.freshen?.()
  expect([count(), count()]).toEqual([0, 0])
  db.freshen?.()
  other.run('insert into note (number) values (1)')
  expect(count()).toBe(0)
  db.freshen?.()
  expect([count(), count()]).toEqual([1, 1])
})

test('a request sees what another process had written before it was sent, although reads of the same turn do not', async () => {
  const world = new World({})
  for (const engine of engines) if (engine.name === 'sqlite') await world.open(engine)
  const another = new Database(world.databaseUrl, { strict: true })
  await world.acme.seed(['Before'])
  const list = () => world.acme.get('/project?select=project_name&project_name=in.(Before,After)')
  await list()
  await nextTurn()
  const names = async () =>
    (
      await world.db.read(
        sql`select project_name from ${tableOfAllCompanies('project')} where project_name in ('Before', 'After')`,
      )
    ).flat()
  expect([await names(), await names()]).toEqual([['Before'], ['Before']])
  another.run("update project set project_name = 'After' where project_name = 'Before'")
  const asked = list()
  // It is sent by another thread, and arrives before this turn ends.
  Bun.sleepSync(200)
  expect(await names()).toEqual(['Before'])
  expect((await asked).json).toEqual([{ project_name: 'After' }])
  another.close()
  await world.close()
}, 60_000)
