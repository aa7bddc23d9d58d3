import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { makePartialPath } from '../../src/store/sqlite/partial-file.ts'
import { runHere } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { endAll, startService } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

let folder: string
let database: string
let copy: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'project-api-backup-'))
  database = join(folder, 'data', 'live.db')
  copy = join(folder, 'copy.db')
  await createTables(database)
  await document('company', 'create', 'Acme')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => runHere(args, { DATABASE_URL: database })

async function document(...args: string[]) {
  const { exitCode, stdout, stderr } = await run(...args, '--json')
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function complaint(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(...args)
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^[^\n]+\.\n$/)
  return stderr
}

const companies = async () => (await document('company', 'list')).map(({ name }: { name: string }) => name)
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Changes a database file behind the program's back. */
function change(path: string, ...statements: string[]): void {
  const file = new Database(path)
  for (const statement of statements) file.run(statement)
  file.close()
}

describe('what a killed process has left', () => {
  const dead = Bun.spawnSync(['true']).pid
  const uuid = Bun.randomUUIDv7()
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  const lines = (target: string) => {
    const own = makePartialPath(target)
    const killed = own.replace(`-${process.pid}-`, `-${dead}-`)
    return {
      own,
      killed,
      journal: `${killed}-journal`,
      elsewhere: killed.replace(/\.[0-9a-f]{8}-(?=\d+-)/, '.00000000-'),
      old: `${target}.${uuid}.partial`,
      another: makePartialPath(`${target}.other`).replace(`-${process.pid}-`, `-${dead}-`),
    }
  }

  for (const command of ['backup', 'restore']) {
    test(`is removed by the next ${command} to the same name, and nothing that may still be written`, async () => {
      await document('backup', copy)
      const target = command === 'backup' ? join(folder, 'next.db') : database
      const left = lines(target)
      for (const path of Object.values(left)) writeFileSync(path, 'half a copy')
      utimesSync(left.old, yesterday, yesterday)
      await (command === 'backup' ? document('backup', target) : document('restore', copy, '--replace'))
      const remaining = Object.entries(left).filter(([, path]) => existsSync(path))
      expect(remaining.map(([name]) => name)).toEqual(['own', 'elsewhere', 'another'])
    })
  }
})

describe('backup', () => {
  test('makes a file of its owner alone, leaves nothing else, and says what is in it', async () => {
    const made = await document('backup', copy)
    expect(made).toEqual({
      file: copy,
      bytes: statSync(copy).size,
      migration: migrations.at(-1)?.number,
      rows: expect.objectContaining({ company: 1, project: 0, audit_event: 1, migration: migrations.length }),
      seconds: expect.any(Number),
    })
    expect(modeOf(copy)).toBe('600')
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'data'])
    const { stdout } = await run('backup', join(folder, 'again.db'))
    expect(stdout).toMatch(/^table +rows\n/)
    expect(stdout).toMatch(/\ncompany +1\n/)
    expect(stdout).toMatch(/again\.db: [\d.]+ MB in [\d.]+ s\.\n$/)
  })

  test('never replaces a file', async () => {
    writeFileSync(copy, 'mine')
    expect(await complaint('backup', copy)).toContain(copy)
    expect(readFileSync(copy, 'utf8')).toBe('mine')
  })

  test('never replaces the database itself', async () => {
    expect(await complaint('backup', database)).toContain('exists')
    expect(await companies()).toEqual(['Acme'])
  })

  test('says that a directory is missing', async () => {
    const said = await complaint('backup', join(folder, 'none', 'copy.db'))
    expect(said).toContain('directory does not exist')
  })

  test('says that there is no database, and makes none', async () => {
    const nowhere = join(folder, 'none.db')
    const { exitCode, stderr } = await runHere(['backup', copy], { DATABASE_URL: nowhere })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(nowhere)])
    expect([existsSync(nowhere), existsSync(copy)]).toEqual([false, false])
  })

  test('of a damaged database fails, and leaves no file that looks like a backup', async () => {
    for (let number = 0; number < 40; number += 1) {
      change(database, `insert into company (id, name, created_at) values ('${number}', '${'x'.repeat(2000)}', '')`)
    }
    change(database, 'pragma journal_mode = delete')
    overwrite(database, 8192, statSync(database).size - 8192)
    expect(await complaint('backup', copy)).toContain('damaged')
    expect(readdirSync(folder)).toEqual(['data'])
  })

  test('of rows that point at nothing fails', async () => {
    change(
      database,
      'pragma foreign_keys = off',
      "insert into project (company_id, id, bid_id, project_name, created_at, updated_at) values ('x', 'y', 'z', 'Orphan', '', '')",
    )
    expect(await complaint('backup', copy)).toContain('project')
    expect(readdirSync(folder)).toEqual(['data'])
  })
})

describe('restore', () => {
  test('makes a database of a backup where there was none', async () => {
    await document('backup', copy)
    rmSync(join(folder, 'data'), { recursive: true })
    const restored = await document('restore', copy)
    expect(restored).toMatchObject({ file: database, kept: null, rows: { company: 1 } })
    expect(await companies()).toEqual(['Acme'])
    expect([modeOf(database), modeOf(join(folder, 'data'))]).toEqual(['600', '700'])
    expect(readdirSync(join(folder, 'data'))).toEqual(['live.db'])
  })

  test('replaces a database only where it is told to, and keeps it beside', async () => {
    await document('backup', copy)
    await document('company', 'create', 'Later')
    expect(await complaint('restore', copy)).toContain('--replace')
    expect(await companies()).toEqual(['Acme', 'Later'])

    const { kept } = await document('restore', copy, '--replace')
    expect(await companies()).toEqual(['Acme'])
    expect([kept.startsWith(`${database}.before-restore-`), modeOf(kept)]).toEqual([true, '600'])
    expect((await document('restore', kept, '--replace')).rows.company).toBe(2)
    expect(await companies()).toEqual(['Acme', 'Later'])
  })

  test('is refused while a service has the database open, and changes nothing', async () => {
    await document('backup', copy)
    const service = await startService({ DATABASE_URL: database, DEMO: 'off' })
    try {
      await document('company', 'create', 'Later')
      const before = readdirSync(join(folder, 'data')).sort()
      expect(await complaint('restore', copy, '--replace')).toContain('Stop the service')
      expect(readdirSync(join(folder, 'data')).sort()).toEqual(before)
      expect(await companies()).toEqual(['Acme', 'Later'])
      expect((await fetch(`${service.base}/health/ready`)).status).toBe(200)
    } finally {
      await service.stop()
    }
    await document('restore', copy, '--replace')
    expect(await companies()).toEqual(['Acme'])
  })

  test('keeps all of a database whose service was killed', async () => {
    await document('backup', copy)
    const service = await startService({ DATABASE_URL: database, DEMO: 'off' })
    await document('company', 'create', 'Later')
    service.kill('SIGKILL')
    await service.ended
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0)
    const { kept } = await document('restore', copy, '--replace')
    expect(await companies()).toEqual(['Acme'])
    await document('restore', kept, '--replace')
    expect(await companies()).toEqual(['Acme', 'Later'])
  })

  test('brings an older backup up to date', async () => {
    const [start] = migrations
    change(
      copy,
      start.sqlite,
      'create table migration (number integer primary key, name text not null) strict',
      "insert into migration values (1, 'start')",
      "insert into company values ('01a1ddec-56f7-7443-8096-7dc3e4b6d792', 'Old', '2026-01-01T00:00:00+00:00')",
    )
    const restored = await document('restore', copy, '--replace')
    expect(restored).toMatchObject({ migrated_from: 1, migration: migrations.at(-1)?.number })
    expect(await companies()).toEqual(['Old'])
  })

  test('takes no log of the database that was there for a part of the new one', async () => {
    await document('backup', copy)
    rmSync(database)
    for (const side of ['-wal', '-shm']) writeFileSync(`${database}${side}`, 'of another file')
    await document('restore', copy)
    expect(await companies()).toEqual(['Acme'])
    expect(readdirSync(join(folder, 'data')).filter((name) => /^live\.db-/.test(name))).toEqual([])
  })

  test('replaces a database that is damaged beyond reading', async () => {
    await document('backup', copy)
    overwrite(database, 0, statSync(database).size)
    const { exitCode, stdout } = await run('restore', copy, '--replace')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('restart')
    expect(await companies()).toEqual(['Acme'])
  })

  const broken: readonly [string, string, () => void][] = [
    ['is missing', 'There is no file', () => rmSync(copy)],
    ['is a directory', 'There is no file', () => [rmSync(copy), mkdirSync(copy)]],
    ['is empty', 'not one of the Project API', () => writeFileSync(copy, '')],
    ['is no database', 'is not a database', () => writeFileSync(copy, 'x'.repeat(9000))],
    [
      'is a database of something else',
      'not one of the Project API',
      () => [rmSync(copy), change(copy, 'create table t (x)')],
    ],
    [
      'has only its first half',
      'is damaged',
      () => writeFileSync(copy, readFileSync(copy).subarray(0, statSync(copy).size / 2)),
    ],
    ['has a page of noise', 'is damaged', () => overwrite(copy, 4096, 4096)],
    [
      'has one wrong letter',
      'is not as it was when it was made',
      () => overwrite(copy, readFileSync(copy).indexOf('Acme'), 1),
    ],
    ['was changed after it was made', 'is not as it was', () => change(copy, "update company set name = 'Other'")],
    ['is of a newer version', 'newer version', () => change(copy, "insert into migration values (9999, 'later')")],
    [
      'has steps that were never ours',
      'not one of the Project API',
      () => change(copy, "update migration set name = 'x'"),
    ],
    ['is a file in use', 'backup', () => writeFileSync(`${copy}-wal`, 'the rest')],
  ]
  test.each(broken)('refuses a backup that %s, and leaves the database alone', async (_, words, breakIt) => {
    await document('backup', copy)
    breakIt()
    const before = readdirSync(join(folder, 'data')).sort()
    const said = await complaint('restore', copy, '--replace')
    for (const word of [copy, words]) expect(said).toContain(word)
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(before)
    expect(await companies()).toEqual(['Acme'])
  })

  test('refuses the database itself', async () => {
    expect(await complaint('restore', database, '--replace')).toContain('itself')
    expect(await companies()).toEqual(['Acme'])
  })
})

describe('on PostgreSQL', () => {
  const env = { DATABASE_URL: 'postgres://app:hush@db.example.com:5433/projects?sslmode=require' }

  test.each(['backup', 'restore'])('%s names the tools for this database, never its password', async (command) => {
    const { exitCode, stdout, stderr } = await runHere([command, "night's.dump"], env)
    expect([exitCode, stdout]).toEqual([1, ''])
    for (const word of ['pg_restore', 'app@db.example.com:5433/projects', 'sslmode=require', "'night'\\''s.dump'"]) {
      expect(stderr).toContain(word)
    }
    expect(stderr).not.toContain('hush')
  })
})

/** Noise in the place of some bytes. */
function overwrite(path: string, at: number, length: number): void {
  const bytes = readFileSync(path)
  for (let place = at; place < at + length; place += 1) bytes[place] = (place * 7 + 3) % 256
  writeFileSync(path, bytes)
}
