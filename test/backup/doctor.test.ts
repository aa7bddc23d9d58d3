import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { readConfig } from '../../src/config/config.ts'
import { settingsChecks } from '../../src/doctor/settings-checks.ts'
import type { Check, NamedFinding } from '../../src/store/check.ts'
import type { PostgresFacts } from '../../src/store/postgres/inspect-postgres.ts'
import { postgresChecks } from '../../src/store/postgres/postgres-checks.ts'
import type { FileFacts, SqliteFacts } from '../../src/store/sqlite/inspect-sqlite.ts'
import { fileChecks, sqliteChecks } from '../../src/store/sqlite/sqlite-checks.ts'
import { runHere } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { onEachEngine } from '../support/engines.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Environment, until } from '../support/service.ts'

setDefaultTimeout(300_000)

/** The exit code, and what was found under each name. */
async function examine(env: Environment, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await runHere(['doctor', ...flags, '--json'], env)
  expect(stderr).toBe('')
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: NamedFinding[] }
  expect(ok).toBe(exitCode === 0)
  expect(exitCode).toBe(checks.some(({ state }) => state === 'problem') ? 1 : 0)
  for (const { state, mend } of checks) expect(mend === null).toBe(state === 'ok')
  return { exitCode, names: checks.map(({ name }) => name), of: new Map(checks.map((check) => [check.name, check])) }
}

const namesOf = (...tables: readonly (readonly { readonly name: string }[])[]) => tables.flat().map(({ name }) => name)

onEachEngine('doctor, while a server runs', (world, engine) => {
  const own = { sqlite: [fileChecks, sqliteChecks], postgres: [postgresChecks] }[engine.name]

  test('has a line for every check, in words and as one document', async () => {
    const env = { DATABASE_URL: world.databaseUrl }
    const { names, of } = await examine(env, '--full')
    expect(names).toEqual(namesOf(settingsChecks, ...own))
    expect(of.get('schema')).toEqual({ name: 'schema', state: 'ok', found: 'up to date', mend: null })
    const { stdout } = await runHere(['doctor'], env)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, -2).every((line, at) => line.slice(9).startsWith(names[at] ?? '-'))).toBe(true)
    expect(lines.at(-1)).toMatch(/^Problems: \d+\. Warnings: \d+\.$/)
  })

  test('shows no secret', async () => {
    const secret = 'hush-0123456789-abcdefghijklmnop'
    const env = { DATABASE_URL: world.databaseUrl, AUTH_SECRET: secret, SMTP_URL: `smtp://me:${secret}@127.0.0.1:9` }
    const { stdout } = await runHere(['doctor'], env)
    expect(stdout).toContain('cannot be reached')
    expect(stdout).not.toContain('hush')
  })

  test('leaves the rows of both companies as they are', async () => {
    const before = [await world.acme.get('/project'), await world.rival.get('/project')]
    await examine({ DATABASE_URL: world.databaseUrl })
    const after = [await world.acme.get('/project'), await world.rival.get('/project')]
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  })
})

describe('doctor on a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-doctor-'))
  const path = join(folder, 'doctor.db')
  const env = { DATABASE_URL: path }
  beforeAll(() => createTables(path))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function change(...statements: string[]): void {
    const file = new Database(path)
    for (const statement of statements) file.run(statement)
    file.close()
  }

  test('misses a backup until one was made', async () => {
    expect((await examine(env)).of.get('backup')).toMatchObject({ state: 'warning', found: 'none was made yet' })
    await runHere(['backup', join(folder, 'copy.db')], env)
    const { exitCode, of } = await examine(env)
    expect([exitCode, [...of.values()].filter(({ state }) => state !== 'ok')]).toEqual([0, []])
    change("update setting set value = '2026-01-01T00:00:00+00:00' where name = 'last_backup_at'")
    expect((await examine(env)).of.get('backup')?.state).toBe('warning')
  })

  test('says that there is none yet, and makes none', async () => {
    const nowhere = join(folder, 'none.db')
    const { exitCode, of } = await examine({ DATABASE_URL: nowhere })
    expect([exitCode, of.get('database')?.state, existsSync(nowhere)]).toEqual([0, 'warning', false])
  })

  test('sees who else may open the files', async () => {
    chmodSync(path, 0o644)
    expect((await examine(env)).of.get('rights on the file')?.state).toBe('problem')
    chmodSync(folder, 0o755)
    expect((await examine(env)).of.get('rights on its directory')?.state).toBe('warning')
    chmodSync(folder, 0o777)
    expect((await examine(env)).of.get('rights on its directory')?.state).toBe('problem')
    chmodSync(folder, 0o700)
  })

  test('sees a clock that was set back', async () => {
    utimesSync(path, new Date(), new Date(Date.now() + 3_600_000))
    expect((await examine(env)).of.get('last change')?.state).toBe('warning')
    utimesSync(path, new Date(), new Date())
  })

  test('sees an older and a newer schema, and does not touch it', async () => {
    change("insert into migration values (9999, 'later')")
    expect((await examine(env)).of.get('schema')?.state).toBe('problem')
    change('delete from migration where number > 2')
    expect((await examine(env)).of.get('schema')?.state).toBe('warning')
    expect((await examine(env)).of.get('schema')?.state).toBe('warning')
  })

  test('sees rows that point at nothing', async () => {
    change(
      'pragma foreign_keys = off',
      "insert into project (company_id, id, bid_id, project_name, created_at, updated_at) values ('x', 'y', 'z', 'Orphan', '', '')",
    )
    expect((await examine(env)).of.get('references')).toMatchObject({
      state: 'problem',
      found: '1 rows point at nothing',
    })
  })

  test('sees an index that has come apart from its table with --full', async () => {
    change(
      "insert into credential (id, company_id, name, api_key, access, created_at) values ('x', 'y', 'Odd', 'pak_marker', 'read', '2026')",
    )
    const bytes = readFileSync(path)
    bytes.write('pak_marke?', bytes.lastIndexOf('pak_marker'))
    writeFileSync(path, bytes)
    expect((await examine(env)).of.get('integrity')?.state).toBe('ok')
    expect((await examine(env, '--full')).of.get('integrity')?.state).toBe('problem')
  })

  test('sees a file that is cut off, and says to restore a backup', async () => {
    truncateSync(path, statSync(path).size / 2)
    const { exitCode, of } = await examine(env)
    const { state, mend } = of.get('database') ?? of.get('integrity') ?? {}
    expect([exitCode, state, mend]).toEqual([1, 'problem', expect.stringContaining('backup')])
  })
})

describe('doctor and other commands give the same advice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-advice-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['on a file that is not a database', join(folder, 'no.db')],
    ['on a server that does not answer', 'postgres://app@127.0.0.1:9/app'],
  ])('%s', async (_, url) => {
    writeFileSync(join(folder, 'no.db'), 'not a database '.repeat(500), { mode: 0o600 })
    const { exitCode, of } = await examine({ DATABASE_URL: url })
    const { stderr } = await runHere(['company', 'list'], { DATABASE_URL: url })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`. ${of.get('database')?.mend}.\n`)])
  })
})

describe('doctor on PostgreSQL', () => {
  let server: PostgresServer
  let admin: SQL
  beforeAll(async () => {
    server = await startPostgres('off')
    admin = new SQL(server.url, { max: 1 })
    await admin.unsafe('create role app login')
    await admin.unsafe('create database app owner app')
  }, 300_000)
  afterAll(async () => {
    await admin.close()
    await server.stop()
  })

  const asApp = (more: Environment = {}) =>
    examine({ DATABASE_URL: server.url.replace(/postgres@(.*)\/postgres$/, 'app@$1/app'), ...more })

  test('sees what a new database of a plain role lacks', async () => {
    const { exitCode, of } = await asApp()
    const states = Object.fromEntries([...of.values()].map(({ name, state }) => [name, state]))
    expect(exitCode).toBe(1)
    expect(states).toMatchObject({ fsync: 'problem', role: 'ok', writable: 'ok', schema: 'warning', connections: 'ok' })
    expect(states).toMatchObject({ full_page_writes: 'ok', synchronous_commit: 'ok', statement_timeout: 'ok' })
    expect((await examine({ DATABASE_URL: server.url })).of.get('role')?.state).toBe('warning')
  })

  test('sees too many connections, all that an instance opens included', async () => {
    // The server has 200, of which 3 are for superusers.
    expect((await asApp({ DATABASE_CONNECTIONS: '191' })).of.get('connections')?.state).toBe('ok')
    expect((await asApp({ DATABASE_CONNECTIONS: '192' })).of.get('connections')?.state).toBe('problem')
  })

  test('sees settings that give up durability or writing', async () => {
    await admin.unsafe('alter role app set synchronous_commit = off')
    await admin.unsafe('alter role app set default_transaction_read_only = on')
    await admin.unsafe('alter system set full_page_writes = off')
    await admin.unsafe('alter system set autovacuum = off')
    await admin.unsafe('select pg_reload_conf()')
    const isRead = async () => (await admin.unsafe('show full_page_writes'))[0]?.full_page_writes === 'off'
    await until(isRead)
    const { of } = await asApp()
    for (const name of ['synchronous_commit', 'writable', 'full_page_writes', 'fsync']) {
      expect([name, of.get(name)?.state]).toEqual([name, 'problem'])
    }
    expect(of.get('autovacuum')?.state).toBe('warning')
  })

  test('says that it cannot be reached, without the password', async () => {
    const url = server.url.replace('postgres@', 'postgres:hush@').replace(/:\d+\//, ':9/')
    const { stdout, exitCode } = await runHere(['doctor'], { DATABASE_URL: url })
    expect([exitCode, stdout.includes('hush')]).toEqual([1, false])
    expect(stdout).toMatch(/problem +database +cannot be read/)
  })
})

/** What cannot be had here: every state of every check that the tests above do not reach. */
describe('a check', () => {
  const file: FileFacts = {
    bytes: 1e9,
    freeBytes: 1e11,
    modes: [0o600],
    folderMode: 0o700,
    changedAt: new Date(),
    fileSystem: 0xef53,
  }
  const sqlite: SqliteFacts = {
    ...{ done: 3, known: 3, journalMode: 'wal', synchronous: 2, hasForeignKeys: true, damage: null, orphans: 0 },
    lastBackupAt: new Date().toISOString(),
  }
  const config = readConfig({ DATABASE_URL: 'postgres://app@db.example.com/app?sslmode=verify-full' }, false)
  const settings = { server_version: '15.4', server_version_num: '150004', statement_timeout: '30000' }
  const postgres: PostgresFacts & { config: typeof config } = {
    ...{
      done: 3,
      known: 3,
      isSuperuser: false,
      isStandby: false,
      isEncrypted: true,
      schema: 'app',
      mayCreateTables: true,
      connectionLimit: null,
      uncheckedConstraints: 0,
      aheadMs: 3,
    },
    settings: new Map(Object.entries(settings)),
    config,
  }
  const withSetting = (name: string, value: string) => ({
    ...postgres,
    settings: new Map(Object.entries({ ...settings, [name]: value })),
  })
  const publicly = (env: Environment) => ({
    config: readConfig({ HOST: '0.0.0.0', ...env }, false),
    mailFailure: null,
    openFilesMax: 20_000,
  })

  const stateOf = <Facts>(checks: readonly Check<Facts>[], name: string, facts: Facts) =>
    checks.find((check) => check.name === name)?.judge(facts).state

  const withProvider = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  const cases: readonly [string, string | undefined, string | undefined][] = [
    ['of a full disk', stateOf(fileChecks, 'room on the disk', { ...file, freeBytes: 1e7 }), 'problem'],
    ['of a nearly full disk', stateOf(fileChecks, 'room on the disk', { ...file, freeBytes: 1e9 }), 'warning'],
    ['of a disk with room', stateOf(fileChecks, 'room on the disk', file), 'ok'],
    ['of NFS', stateOf(fileChecks, 'file system', { ...file, fileSystem: 0x6969 }), 'warning'],
    ['of SMB 2', stateOf(fileChecks, 'file system', { ...file, fileSystem: 0xfe534d42 }), 'warning'],
    ['of 9P', stateOf(fileChecks, 'file system', { ...file, fileSystem: 0x01021997 }), 'warning'],
    ['of a disk', stateOf(fileChecks, 'file system', file), 'ok'],
    ['of another journal', stateOf(sqliteChecks, 'journal_mode', { ...sqlite, journalMode: 'delete' }), 'problem'],
    ['of synchronous', stateOf(sqliteChecks, 'synchronous', { ...sqlite, synchronous: 1 }), 'problem'],
    ['of foreign keys', stateOf(sqliteChecks, 'foreign_keys', { ...sqlite, hasForeignKeys: false }), 'problem'],
    [
      'of an old PostgreSQL',
      stateOf(postgresChecks, 'version', withSetting('server_version_num', '140009')),
      'problem',
    ],
    ['of PostgreSQL 15', stateOf(postgresChecks, 'version', postgres), 'ok'],
    ['of a standby', stateOf(postgresChecks, 'writable', { ...postgres, isStandby: true }), 'problem'],
    ['of an open line', stateOf(postgresChecks, 'TLS to PostgreSQL', { ...postgres, isEncrypted: false }), 'warning'],
    ['of a closed line', stateOf(postgresChecks, 'TLS to PostgreSQL', postgres), 'ok'],
    [
      'of a server that nobody verifies',
      stateOf(postgresChecks, 'TLS to PostgreSQL', {
        ...postgres,
        config: readConfig({ DATABASE_URL: 'postgres://app@db.example.com/app?sslmode=require' }, false),
      }),
      'warning',
    ],
    ['of no schema', stateOf(postgresChecks, 'search_path', { ...postgres, schema: null }), 'problem'],
    ['of a schema to read', stateOf(postgresChecks, 'search_path', { ...postgres, mayCreateTables: false }), 'problem'],
    ['of a schema', stateOf(postgresChecks, 'search_path', postgres), 'ok'],
    ['of a pooler', stateOf(postgresChecks, 'statement_timeout', withSetting('statement_timeout', '0')), 'warning'],
    ['of a wrong clock', stateOf(postgresChecks, 'clock of PostgreSQL', { ...postgres, aheadMs: -6000 }), 'warning'],
    ['of a right clock', stateOf(postgresChecks, 'clock of PostgreSQL', postgres), 'ok'],
    ['of constraints', stateOf(postgresChecks, 'constraints', { ...postgres, uncheckedConstraints: 1 }), 'problem'],
    ['of a public address', stateOf(settingsChecks, 'TLS to clients', publicly({})), 'warning'],
    ['of a proxy', stateOf(settingsChecks, 'TLS to clients', publicly({ BASE_URL: 'https://example.com' })), 'ok'],
    [
      'of a hidden proxy',
      stateOf(settingsChecks, 'addresses of clients', publicly({ BASE_URL: 'https://example.com' })),
      'warning',
    ],
    ['of few open files', stateOf(settingsChecks, 'open files', { ...publicly({}), openFilesMax: 1023 }), 'warning'],
    ['of enough open files', stateOf(settingsChecks, 'open files', { ...publicly({}), openFilesMax: 1024 }), 'ok'],
    [
      'of a system that does not tell',
      stateOf(settingsChecks, 'open files', { ...publicly({}), openFilesMax: null }),
      'ok',
    ],
    ['of a provider', stateOf(settingsChecks, 'OpenID Connect', publicly(withProvider)), 'warning'],
    [
      'of a provider that leads back',
      stateOf(settingsChecks, 'OpenID Connect', publicly({ ...withProvider, BASE_URL: 'https://example.com' })),
      'ok',
    ],
    ['of a weak secret', stateOf(settingsChecks, 'AUTH_SECRET', publicly({ AUTH_SECRET: 'ab'.repeat(20) })), 'problem'],
    [
      'of a secret',
      stateOf(settingsChecks, 'AUTH_SECRET', publicly({ AUTH_SECRET: 'NvT3qZ8xk2LrW9pYb7Mc5Hd1Jf6Gs4Ue' })),
      'ok',
    ],
  ]
  test.each(cases)('%s is %s', (_, found, expected) => expect(found).toBe(expected))
})
