import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { distributedTables, referenceTables } from '../../src/store/cluster/layout.ts'
import { runHere } from '../support/command.ts'
import { engines } from '../support/engines.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { installStub } from './citus-stub.ts'

/** The commands against functions that only take notes: that Citus does what they ask for is not shown here. */
describe('the commands for a cluster', () => {
  let server: PostgresServer
  let client: SQL
  let url = ''

  beforeAll(async () => {
    server = await startPostgres()
    installStub(server.extensions)
    url = `${server.url}?citus=true`
    client = new SQL(server.url, { max: 1 })
  }, 120_000)

  afterAll(async () => {
    await client.close()
    await server.stop()
  })

  const cluster = (...words: readonly string[]) => runHere(['cluster', ...words], { DATABASE_URL: url })
  const column = async (query: string): Promise<string[]> => (await client.unsafe(query).values()).flat()
  const foreignKeys = () =>
    column(
      "select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f' order by 1",
    )

  test('say so and how to get it where Citus is not installed', async () => {
    for (const command of [['distribute'], ['status'], ['isolate', 'Acme']]) {
      const { exitCode, stderr } = await cluster(...command)
      expect(exitCode).toBe(1)
      expect(stderr).toContain('create extension citus')
    }
  })

  test('are for PostgreSQL only', async () => {
    const sqlite = engines.find(({ name }) => name === 'sqlite')
    const place = await sqlite?.makePlace()
    const { exitCode, stderr } = await runHere(['cluster', 'status'], { DATABASE_URL: place?.url ?? '' })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Set DATABASE_URL to its coordinator')])
    await place?.remove()
  })

  test('ask for the coordinator first', async () => {
    await client.unsafe('create extension citus')
    const { exitCode, stderr } = await cluster('distribute')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('citus_set_coordinator_host')])
    await client.unsafe(
      "insert into pg_dist_node values (0, 'coordinator', 5432, 'primary', true), (1, 'worker-1', 5432, 'primary', true)",
    )
  })

  test('no other command takes a database with Citus for one without', async () => {
    const { exitCode, stderr } = await runHere(['company', 'list'], { DATABASE_URL: server.url })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Add ?citus=true to DATABASE_URL')])
  })

  test('status says what is not distributed yet', async () => {
    const { exitCode, stdout } = await cluster('status')
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('Not distributed yet: company, ')])
  })

  test('distribute refuses a number of shards that is none', async () => {
    for (const shards of ['0', 'x', '1.5', '5000']) {
      expect(await cluster('distribute', '--shards', shards)).toMatchObject({ exitCode: 2 })
    }
    expect(await column('select call from stub_call')).toEqual([])
  })

  test('distribute places every table, and keeps every foreign key and row', async () => {
    const { exitCode: made } = await runHere(['company', 'create', 'Acme'], { DATABASE_URL: url })
    expect(made).toBe(0)
    const before = await foreignKeys()
    const { exitCode, stdout } = await cluster('distribute', '--shards', '64', '--json')
    expect(exitCode).toBe(0)
    const [first, ...others] = distributedTables
    const references = Object.keys(referenceTables)
    expect(JSON.parse(stdout)).toEqual({ distributed: [...references, ...distributedTables] })
    expect(await column('select call from stub_call order by number')).toEqual([
      ...references.map((table) => `reference ${table}`),
      `distributed ${first} company_id none 64`,
      ...others.map((table) => `distributed ${table} company_id ${first}`),
    ])
    expect(before.length).toBeGreaterThan(10)
    expect(await foreignKeys()).toEqual(before)
    expect(await column('select name from company')).toEqual(['Acme'])
    expect(await column('select unnest(setconfig) from pg_db_role_setting')).toEqual([
      'citus.propagate_set_commands=local',
    ])
  })

  test('distribute has nothing to do the second time, and only what is new after that', async () => {
    expect((await cluster('distribute')).stdout).toContain('All tables were distributed before.')
    await client.unsafe("delete from pg_dist_partition where logicalrelid = 'audit_event'::regclass")
    const before = await foreignKeys()
    expect((await cluster('distribute')).stdout).toBe('Distributed audit_event.\n')
    expect(await foreignKeys()).toEqual(before)
    const [last] = await column('select call from stub_call order by number desc limit 1')
    expect(last).toBe('distributed audit_event company_id bid')
  })

  test('distribute leaves everything as it was where one table is refused', async () => {
    const [before, calls] = [await foreignKeys(), await column('select call from stub_call')]
    await client.unsafe("delete from pg_dist_partition where logicalrelid in ('person'::regclass, 'project'::regclass)")
    await client.unsafe('create unique index wrong on project (id)')
    const { exitCode, stderr } = await cluster('distribute')
    expect([exitCode, stderr]).toEqual([1, 'Citus refused: cannot create constraint on "project".\n'])
    expect(await foreignKeys()).toEqual(before)
    expect(await column('select call from stub_call')).toEqual(calls)
    await client.unsafe('drop index wrong')
    expect((await cluster('distribute')).exitCode).toBe(0)
  })

  test('status shows the nodes, their shards and the biggest companies', async () => {
    const [id = ''] = await column('select id from company')
    await client.unsafe(
      `insert into bid values ('${id}', '${id}', 'Bid', now(), now());
       insert into project select '${id}', gen_random_uuid(), '${id}', 'P', now(), now() from generate_series(1, 1200)`,
    )
    const { exitCode, stdout } = await cluster('status')
    expect(exitCode).toBe(0)
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(lines).toContainEqual(['coordinator:5432', 'coordinator', '0', '0 MiB'])
    expect(lines.find(([node]) => node === 'worker-1:5432')?.slice(1, 2)).toEqual(['worker'])
    expect(lines).toContainEqual([id, 'Acme', '1,200', '102008', 'worker-1:5432', '1 MiB'])
    const { nodes, biggest } = JSON.parse((await cluster('status', '--json')).stdout)
    expect(nodes).toHaveLength(2)
    expect(biggest).toMatchObject([{ id, projects: 1200, shard: '102008' }])
  })

  test('isolate gives one company its own shard, in all tables, once', async () => {
    const [id = ''] = await column('select id from company')
    expect((await cluster('isolate', 'Acme')).stdout).toBe('"Acme" now has the shard 102240 for itself.\n')
    const [last] = await column('select call from stub_call order by number desc limit 1')
    expect(last).toBe(`isolate bid CASCADE uuid ${id}`)
    expect(await cluster('isolate', id)).toMatchObject({
      exitCode: 1,
      stderr: 'Citus refused: table bid has already been isolated for the given value.\n',
    })
    expect(await cluster('isolate', 'Nobody')).toMatchObject({ exitCode: 1 })
  })
})
