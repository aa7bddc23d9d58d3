import { Database as SqliteEngine } from 'bun:sqlite'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import type { Engine, Right, Steps } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { isBusy, lockedMaxMs } from '../../src/store/sqlite/sqlite-locks.ts'
import { writeLongInTime } from '../support/write-long-in-time.ts'

let folder = ''
let db: Engine

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'project-api-'))
  db = openSqlite(join(folder, 'test.db'))
  await db.transact([sql`create table note (number integer)`])
})

afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const add = (number: number) => sql`insert into note (number) values (${number})`
const numbers = async () => (await db.read(sql`select number from note order by number`)).flat()

const writeElsewhere = (makeWork: () => Steps, right?: Right) => writeLongInTime(db, makeWork, right)

/** Of writes that came while one elsewhere was under way whose time was over. */
const removeEarlier = sql`delete from note`

test('a long read gives values in the order of their columns, whatever these are called', async () => {
  expect(await db.readLong(sql`select 'text', 1, 2, 1, null`)).toEqual([['text', 1, 2, 1, null]])
})

test('a write elsewhere is seen at once, and those that came meanwhile follow it', async () => {
  let inBetween: Promise<unknown> | null = null
  function* work(): Steps {
    yield [removeEarlier, add(1)]
    inBetween = db.transact([add(3)])
    yield [add(2)]
  }
  await writeElsewhere(work)
  await inBetween
  expect(await numbers()).toEqual([1, 2, 3])
})

test('a write elsewhere whose process only starts keeps nobody from writing', async () => {
  let isBegun = false
  function* work(): Steps {
    isBegun = true
    yield [add(1)]
  }
  const spawn = spyOn(Bun, 'spawn')
  const written = writeElsewhere(work)
  const child = spawn.mock.results[0]?.value as Subprocess
  spawn.mockRestore()
  child.kill('SIGSTOP')
  await db.transact([add(2)])
  expect(isBegun).toBe(false)
  child.kill('SIGCONT')
  await written
  expect(await numbers()).toEqual([1, 2])
})

const endless = sql`with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n`
/** Takes some tenths of a second. */
const slow = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) from n`

test('a write elsewhere that has kept others waiting is followed by a pause of the same length', async () => {
  const sleep = spyOn(Bun, 'sleep')
  const pauses = () => sleep.mock.calls.map(([ms]) => Number(ms))
  let waited = 0
  function* work(meanwhile: () => void): Steps {
    meanwhile()
    yield [slow, add(1)]
  }
  const meanwhile = () => {
    const since = performance.now()
    void db.transact([add(2)]).then(() => (waited = performance.now() - since))
  }
  const nothing = () => {}
  await writeElsewhere(() => work(nothing))
  await writeElsewhere(() => work(nothing))
  // For other processes, also where nobody here has waited.
  expect(Math.max(0, ...pauses())).toBeLessThanOrEqual(pauseForOthersMs)
  let pause = 0
  // Where the disk is busy, the time may be over before the next one comes.
  while (pause <= pauseForOthersMs) {
    await writeElsewhere(() => work(meanwhile))
    sleep.mockClear()
    await writeElsewhere(() => work(nothing))
    pause = Math.max(0, ...pauses())
  }
  sleep.mockRestore()
  expect(pause).toBeLessThanOrEqual(waited)
  expect(await numbers()).toContain(2)
})

const pauseForOthersMs = 75

const ended = () => {
  throw new Error('ended')
}

test('a write that waits for one elsewhere is not done where its right has ended meanwhile', async () => {
  let late: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([])
  function* work(): Steps {
    late = Promise.allSettled([db.transact([add(2)], undefined, ended), db.transact([add(3)], undefined, () => {})])
    yield [removeEarlier, slow, add(1)]
  }
  await writeElsewhere(work)
  const [refused, done] = await late
  expect([refused?.status, done?.status]).toEqual(['rejected', 'fulfilled'])
  expect(await numbers()).toEqual([1, 3])
})

test('a write that waits for another program is not done where its right has ended meanwhile', async () => {
  const other = new SqliteEngine(join(folder, 'test.db'))
  let settled: readonly PromiseSettledResult<unknown>[] = []
  const isOverdue = (one: PromiseSettledResult<unknown>) => one.status === 'rejected' && isBusy(one.reason)
  // A process that stands still for as long as a write may wait refuses it.
  for (let rounds = 0; rounds === 0 || (rounds < 4 && settled.some(isOverdue)); rounds += 1) {
    other.run('begin immediate')
    other.run('delete from note')
    let [asked, isOver] = [0, false]
    const late = [
      db.transact([add(2)], undefined, ended),
      db.transact([add(3)], undefined, () => {
        asked += 1
      }),
      db.transact([add(4)]),
    ]
    const outcomes = Promise.allSettled(late).finally(() => {
      isOver = true
    })
    while (asked < 3 && !isOver) await Bun.sleep(10)
    other.run('commit')
    settled = await outcomes
  }
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await numbers()).toEqual([3, 4])
  other.close()
})

test('a write that is refused while it waits for another program takes no time from the next one', async () => {
  const other = new SqliteEngine(join(folder, 'test.db'))
  other.run('begin immediate')
  await expect(db.transact([add(1)], undefined, ended)).rejects.toThrow('ended')
  other.run('commit')
  const { now } = performance
  const later = spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000)
  other.run('begin immediate')
  const waiting = db.transact([add(2)])
  await Bun.sleep(200)
  other.run('commit')
  await waiting
  later.mockRestore()
  expect(await numbers()).toEqual([2])
  other.close()
})

test('a write elsewhere that does not end is ended before those that wait for it fail', async () => {
  let waiting: Promise<unknown> | null = null
  function* work(): Steps {
    waiting = db.transact([add(2)])
    for (;;) yield [slow, add(1)]
  }
  // On a busy machine, its time may be over before it begins.
  while (waiting === null) {
    const ended = await db.transactLong(work(), []).catch((error: unknown) => error)
    expect(db.explain(ended)).toBe('slow')
  }
  await waiting
  expect(await numbers()).toEqual([2])
})

test('a write elsewhere that is refused leaves nothing behind', async () => {
  function* work(): Steps {
    yield [add(1)]
    throw new Error('unwanted')
  }
  await expect(writeElsewhere(work)).rejects.toThrow('unwanted')
  await db.transact([add(2)])
  expect(await numbers()).toEqual([2])
})

test('a write elsewhere is refused for its own reason where its process has to be ended', async () => {
  function* work(): Steps {
    yield [add(1)]
    for (const pid of engineProcesses()) process.kill(pid, 'SIGSTOP')
    throw new Error('unwanted')
  }
  await expect(writeElsewhere(work)).rejects.toThrow('unwanted')
  await db.transact([add(2)])
  expect(await numbers()).toEqual([2])
})

test('of a write elsewhere whose process is ended in the commit, nobody says that it was not written', async () => {
  const quick = openSqlite(join(folder, 'test.db'), 1000)
  let asked: number[] = []
  const right = () => {
    asked.push(performance.now())
    if (asked.length === 2) for (const pid of engineProcesses()) process.kill(pid, 'SIGSTOP')
  }
  function* work(): Steps {
    yield [add(1)]
  }
  // On a busy machine, its time may be over before the commit, or just when it is asked.
  const wasInTime = ([begin = 0, end = Number.POSITIVE_INFINITY]: readonly number[]) => end - begin < lockedMaxMs / 2
  let lost: unknown
  do {
    asked = []
    lost = await quick.transactLong(work(), [], right).catch((error: unknown) => error)
  } while (!wasInTime(asked))
  expect(quick.explain(lost)).toBe('interrupted')
  await quick.transact([add(2)])
  await quick.close()
})

test('a write elsewhere is undone where its right ends while it is written', async () => {
  let asked = 0
  const right = () => {
    asked += 1
    if (asked === 2) throw new Error('ended')
  }
  function* work(): Steps {
    yield [add(1)]
  }
  const makeWork = () => {
    asked = 0
    return work()
  }
  expect(await writeElsewhere(makeWork, right).catch((error: Error) => error.message)).toBe('ended')
  expect(await numbers()).toEqual([])
})

test('a process that is killed in the middle of a write leaves nothing behind, and keeps nobody else from writing', async () => {
  function* work(): Steps {
    yield [add(1)]
    for (const pid of engineProcesses()) process.kill(pid, 'SIGKILL')
    yield [add(2)]
  }
  const lost = await writeElsewhere(work).catch((error: unknown) => error)
  expect(db.explain(lost)).toBe('away')
  await db.transact([add(3)])
  expect(await numbers()).toEqual([3])
})

test('nothing was written where a process is killed while it chooses the rows', async () => {
  const lost = db.transactLong([][Symbol.iterator]() as Steps, [endless]).catch((error: unknown) => error)
  while (engineProcesses().length === 0) await Bun.sleep(10)
  for (const pid of engineProcesses()) process.kill(pid, 'SIGKILL')
  expect(db.explain(await lost)).toBe('away')
})

test('nothing was written where the time was over just before the commit', async () => {
  let asked = 0
  const right = async () => {
    asked += 1
    while (asked === 2 && engineProcesses().length > 0) await Bun.sleep(10)
  }
  function* work(): Steps {
    yield [add(1)]
  }
  let lost: unknown
  // On a busy machine, it may be over earlier.
  do {
    asked = 0
    lost = await db.transactLong(work(), [], right).catch((error: unknown) => error)
  } while (asked < 2)
  expect([asked, db.explain(lost)]).toEqual([2, 'slow'])
  expect(await numbers()).toEqual([])
})

test('a process that could not open the file is not asked again', async () => {
  const path = join(folder, 'test.db')
  renameSync(path, `${path}.away`)
  const lost = await Promise.resolve(db.readLong(sql`select 1`)).catch((error: unknown) => error)
  renameSync(`${path}.away`, path)
  expect(db.explain(lost)).toBe('away')
  expect(await db.readLong(sql`select 1`)).toEqual([[1]])
})

test('no process outlives a service that ends without closing its database', async () => {
  const source = join(import.meta.dir, '../../src/store')
  const script = `
    import { openSqlite } from '${source}/sqlite/sqlite.ts'
    import { sql } from '${source}/sql.ts'
    void openSqlite('${join(folder, 'test.db')}').readLong(sql\`${endless.texts[0]}\`)
    process.on('SIGTERM', () => process.exit())`
  const service = Bun.spawn([process.execPath, '-e', script])
  while (engineProcesses(service.pid).length === 0) await Bun.sleep(10)
  const [engine = 0] = engineProcesses(service.pid)
  service.kill('SIGTERM')
  await service.exited
  while (isEngineOf(1, engine)) await Bun.sleep(10)
})

test('a process that is killed in the middle of a read is replaced', async () => {
  const lost = Promise.resolve(db.readLong(endless)).catch((error: unknown) => error)
  while (engineProcesses().length === 0) await Bun.sleep(10)
  for (const pid of engineProcesses()) process.kill(pid, 'SIGKILL')
  expect(db.explain(await lost)).toBe('interrupted')
  expect(await db.readLong(sql`select 1`)).toEqual([[1]])
})

test('what does not end is ended, and other reads go on meanwhile', async () => {
  const quick = openSqlite(join(folder, 'test.db'), 1000)
  const ended = Promise.resolve(quick.readLong(endless)).catch((error: unknown) => error)
  expect(await quick.read(sql`select 1`)).toEqual([[1]])
  expect(quick.explain(await ended)).toBe('slow')
  await quick.close()
})

test('no process outlives its database', async () => {
  // One that was killed by an earlier test may still be ending.
  while (engineProcesses().length > 0) await Bun.sleep(10)
  await db.readLong(sql`select 1`)
  const pids = engineProcesses()
  expect(pids).toHaveLength(1)
  await db.close()
  while (engineProcesses().length > 0) await Bun.sleep(10)
  db = openSqlite(join(folder, 'test.db'))
})

/** Those that this process has started and that still run. */
function engineProcesses(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isEngineOf(parent, pid))
}

function isEngineOf(parent: number, pid: number): boolean {
  try {
    const [, state, ppid] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(ppid) === parent && state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith('engine\0')
  } catch {
    return false
  }
}
