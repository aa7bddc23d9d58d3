import { Database as SqliteEngine } from 'bun:sqlite'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import type { Engine, Steps } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { until } from '../support/service.ts'
import { writeLongInTime } from '../support/write-long-in-time.ts'

let folder = ''
let path = ''
let db: Engine

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'project-api-'))
  path = join(folder, 'test.db')
  db = openSqlite(path)
  await db.transact([sql`create table note (text text)`])
})

afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const inFile = () => sizeOf(path)
const inLog = () => sizeOf(`${path}-wal`)
const add = (text: string) => sql`insert into note (text) values (${text})`
/** Each row takes a page of 4 KB. */
const addPages = (count: number) =>
  sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into note (text) select printf('%03000d', i) from n`
const pageBytes = 4096

/** A read that does not end: while it runs, nothing that is written is copied into the file. */
function startReading() {
  const reader = new SqliteEngine(path, { readonly: true })
  reader.run('begin')
  using statement = reader.prepare('select count(*) from note')
  statement.values()
  return {
    [Symbol.dispose]: () => {
      reader.run('rollback')
      reader.close(true)
    },
  }
}

function writePages(count: number): Promise<void> {
  function* work(): Steps {
    yield [addPages(count)]
  }
  return writeLongInTime(db, work)
}

test('a large log that a read has kept is copied and restarted by another process, not by the next commit', async () => {
  const spawn = spyOn(Bun, 'spawn')
  {
    using _ = startReading()
    await writePages(3000)
  }
  const children = spawn.mock.results.map(({ value }) => value as Subprocess)
  spawn.mockRestore()
  for (const child of children) child.kill('SIGSTOP')
  const before = inFile()
  await db.transact([add('next')])
  expect(inFile()).toBe(before)
  expect(inLog()).toBeGreaterThan(3000 * pageBytes)
  for (const child of children) child.kill('SIGCONT')
  await until(() => inLog() === 0)
  expect(inFile()).toBeGreaterThan(3000 * pageBytes)
  expect((await db.read(sql`select count(*) from note`)).flat()).toEqual([3001])
})

test('a large log that nobody reads is copied after the write, without another one', async () => {
  await writePages(3000)
  await until(() => inLog() === 0)
})

test('a log of ordinary writes is copied as they are made, and begins again', async () => {
  for (let at = 0; at < 30; at += 1) await db.transact([addPages(300)])
  expect(inFile()).toBeGreaterThan(8000 * pageBytes)
  expect(inLog()).toBeLessThan(2000 * pageBytes)
})

test('what is left of a large log is copied where the database is closed', async () => {
  await writePages(3000)
  await writePages(3000)
  await db.close()
  expect([inLog(), sizeOf(`${path}-shm`)]).toEqual([0, 0])
  expect(inFile()).toBeGreaterThan(6000 * pageBytes)
  db = openSqlite(path)
})
