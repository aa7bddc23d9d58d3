import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { readConfig } from '../../src/config/config.ts'
import { ApiError } from '../../src/errors/index.ts'
import type { NamedFinding } from '../../src/store/check.ts'
import { openDatabase } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import { runHere } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { owner, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { until } from '../support/service.ts'
import { World } from '../support/world.ts'

setDefaultTimeout(300_000)

/** A server as an operator of others would run it: with TLS, with roles that may do little, and with a limit on idle time. */
let server: PostgresServer
let admin: SQL
const folder = mkdtempSync(join(tmpdir(), 'project-api-managed-'))
const pem = (name: string): string => join(import.meta.dir, '../support/tls', name)

beforeAll(async () => {
  server = await startPostgres('off', {
    furnish: (data) => {
      for (const name of ['cert.pem', 'key.pem']) {
        const file = join(data, name)
        copyFileSync(pem(name), file)
        chmodSync(file, 0o600)
        if (owner.uid !== undefined) chownSync(file, owner.uid, owner.uid)
      }
      appendFileSync(join(data, 'postgresql.conf'), "ssl = on\nssl_cert_file = 'cert.pem'\nssl_key_file = 'key.pem'\n")
      writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all careful all trust\nhost all app,postgres all trust\n')
    },
  })
  admin = new SQL(server.url, { max: 1 })
  await admin.unsafe('create role careful login')
  await createTables(server.url)
})
afterAll(async () => {
  await admin.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The address of the server with other parts. */
function address(search: string, change: Partial<Pick<URL, 'hostname' | 'username' | 'pathname'>> = {}): string {
  return Object.assign(new URL(server.url), change, { search }).href
}

async function examine(url: string): Promise<NamedFinding[]> {
  const { stdout } = await runHere(['doctor', '--json'], { DATABASE_URL: url })
  return JSON.parse(stdout).checks
}

describe('TLS to PostgreSQL', () => {
  const authority = `sslrootcert=${pem('cert.pem')}`
  const stranger = `sslrootcert=${pem('other-authority.pem')}`
  // Leads to the same server, but is not in its certificate.
  const otherName = '127.1'
  const isUntrusted = 'Its certificate is not trusted'
  const isOtherName = 'Its certificate is for another host name'

  const cases: readonly [parameters: string, hostname: string, expected: string][] = [
    ['', 'localhost', 'off'],
    ['sslmode=disable', 'localhost', 'off'],
    ['sslmode=allow', 'localhost', 'on'],
    ['sslmode=prefer', 'localhost', 'on'],
    ['sslmode=require', otherName, 'on'],
    [`sslmode=require&${authority}`, 'localhost', 'on'],
    [`sslmode=require&${authority}`, otherName, isOtherName],
    [`sslmode=require&${stranger}`, 'localhost', isUntrusted],
    ['sslmode=verify-ca', 'localhost', isUntrusted],
    [`sslmode=verify-ca&${authority}`, otherName, 'on'],
    [`sslmode=verify-ca&${stranger}`, 'localhost', isUntrusted],
    ['sslmode=verify-full', 'localhost', isUntrusted],
    ['sslmode=verify-full&sslrootcert=system', 'localhost', isUntrusted],
    [`sslmode=verify-full&${authority}`, 'localhost', 'on'],
    [`sslmode=verify-full&${authority}`, otherName, isOtherName],
    [`sslmode=verify-full&${stranger}`, 'localhost', isUntrusted],
    ['sslmode=verify-full&sslrootcert=/nowhere.pem', 'localhost', 'A file that sslrootcert'],
  ]
  test.each(cases)('with "%s" to %s: %s', async (parameters, hostname, expected) => {
    const checks = await examine(address(parameters, { hostname }))
    const refused = checks.find(({ name }) => name === 'database')?.mend
    const { found } = checks.find(({ name }) => name === 'TLS to PostgreSQL') ?? {}
    expect(refused ?? found?.replace(', on this machine', '')).toStartWith(expected)
  })

  test('that the server does not offer is a refusal', async () => {
    await admin.unsafe('alter system set ssl = off')
    await admin.unsafe('select pg_reload_conf()')
    const refused = () => runHere(['company', 'list'], { DATABASE_URL: address('sslmode=require') })
    await until(async () => (await refused()).exitCode !== 0)
    expect((await refused()).stderr).toContain('It does not offer TLS')
    expect((await runHere(['company', 'list'], { DATABASE_URL: address('sslmode=prefer') })).exitCode).toBe(0)
    await admin.unsafe('alter system reset ssl')
    await admin.unsafe('select pg_reload_conf()')
    await until(async () => (await refused()).exitCode === 0)
  })

  test('that the server wants is named by the refusal', async () => {
    const as = (search: string) =>
      runHere(['doctor'], { DATABASE_URL: address(search, { username: 'careful', hostname: 'localhost' }) })
    expect((await as('')).stdout).toContain('add sslmode=verify-full')
    expect((await as('sslmode=require')).stdout).not.toContain('no encryption')
  })

  test('with a certificate that is refused later is a 503', async () => {
    const db = openDatabase(readConfig({ DATABASE_URL: address('sslmode=verify-full') }, false))
    const error = await Promise.resolve(db.read(sql`select 1`)).catch((refused: unknown) => refused)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 503, code: 'PGRST001' })
    await db.close()
  })

  test('in a mode that does not exist is refused before anything is sent', async () => {
    const { exitCode, stderr } = await runHere(['company', 'list'], { DATABASE_URL: address('sslmode=verify') })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL has an unknown sslmode, "verify"')])
  })
})

describe('a role that may only use its own schema', () => {
  const as = (search: string) => address(search, { username: 'app', pathname: '/managed' })
  const own = () => as('schema=app-1')
  const world = new World({})

  beforeAll(async () => {
    await admin.unsafe('create role app login connection limit 40')
    await admin.unsafe('create database managed')
    await admin.unsafe('revoke all on database managed from public')
    await admin.unsafe('grant connect on database managed to app')
    // Its own search_path is of no use: it may look there, and not create anything.
    await admin.unsafe('alter role app set search_path = elsewhere, public')
    const inside = new SQL(address('', { pathname: '/managed' }), { max: 1 })
    await inside.unsafe('create schema elsewhere')
    await inside.unsafe('grant usage on schema elsewhere to app')
    for (const schema of ['app-1', 'app-2']) await inside.unsafe(`create schema "${schema}" authorization app`)
    await inside.close()
    await world.open({ name: 'postgres', makePlace: async () => ({ url: own(), remove: async () => {} }) })
  })
  afterAll(() => world.close())

  test('serves both companies from there, and from nowhere else', async () => {
    const made = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'Managed' })
    const path = `/project?id=eq.${made.json.id}`
    expect((await world.acme.patch(path, { project_name: 'Changed' })).status).toBe(204)
    expect((await world.acme.get(path)).json).toMatchObject([{ project_name: 'Changed' }])
    expect((await world.rival.get(path)).json).toEqual([])
    expect((await world.acme.delete(path)).status).toBe(204)
    const found = await world.db.read(
      sql`select distinct schemaname::text from pg_tables where schemaname !~ '^(pg_|info)'`,
    )
    expect(found).toEqual([['app-1']])
  })

  test('finds the same by options, as PostgreSQL has them', async () => {
    const { stdout } = await runHere(['company', 'list', '--json'], {
      DATABASE_URL: as(`options=${encodeURIComponent('-csearch_path="app-1"')}`),
    })
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Rival'])
  })

  test('gives doctor nothing to find but how the tests run the server', async () => {
    const checks = await examine(own())
    const others = checks.filter(({ name, state }) => state === 'problem' && name !== 'fsync')
    expect(others).toEqual([])
    expect(checks.find(({ name }) => name === 'search_path')?.found).toBe('tables are in the schema app-1')
    expect(checks.find(({ name }) => name === 'connections')?.found).toBe('16 per instance, of 40')
  })

  test('copies to a file, and from there to another schema', async () => {
    const file = join(folder, 'copy.db')
    const there = await runHere(['copy', '--to', file, '--json'], { DATABASE_URL: own() })
    const back = await runHere(['copy', '--from', file, '--to', as('schema=app-2'), '--json'], {})
    expect([there.stderr, back.stderr]).toEqual(['', ''])
    expect(JSON.parse(back.stdout).tables).toEqual(JSON.parse(there.stdout).tables)
  })

  test.each([
    ['', 1, /permission denied for schema elsewhere\. .*create schema NAME authorization ROLE.*\?schema=NAME/],
    ['schema=nowhere', 1, /at \S+\?schema=nowhere cannot be used: no schema has been selected .*create schema NAME/],
    ['schema=app-1&pgbouncer=true', 2, /has a schema, which PgBouncer does not pass on/],
  ])('is told what to do with "%s"', async (search, code, expected) => {
    const { exitCode, stderr } = await runHere(['serve'], { DATABASE_URL: as(search) })
    expect([exitCode, stderr]).toEqual([code, expect.stringMatching(expected)])
  })

  test('is not sent to another database by the environment', async () => {
    process.env.PGDATABASE = 'postgres'
    try {
      const { stdout } = await runHere(['company', 'list', '--json'], { DATABASE_URL: own() })
      expect(JSON.parse(stdout)).toHaveLength(2)
    } finally {
      delete process.env.PGDATABASE
    }
  })

  test('loses idle connections without a request that fails', async () => {
    const connections = async () =>
      (await admin.unsafe("select count(*)::int as count from pg_stat_activity where usename = 'app'"))[0].count
    await admin.unsafe("alter role app set idle_session_timeout = '1s'")
    await admin.unsafe("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'")
    await Promise.all(Array.from({ length: 20 }, () => world.acme.get('/project')))
    await until(async () => (await connections()) === 0)
    const path = `/project?id=eq.${world.acme.project}`
    expect((await world.acme.patch(path, { project_name: 'After a pause' })).status).toBe(204)
    expect((await world.acme.get(path)).json).toMatchObject([{ project_name: 'After a pause' }])
  })
})
