import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { distributedTables, referenceTables } from '../../src/store/cluster/layout.ts'
import { makeEmptyPlace, query } from '../support/citus.ts'
import { runHere } from '../support/command.ts'
import type { Place } from '../support/engines.ts'

describe('the commands for a cluster', () => {
  let place: Place
  beforeAll(async () => {
    place = await makeEmptyPlace()
  }, 300_000)
  afterAll(() => place.remove())

  const run = (...words: readonly string[]) => runHere(words, { DATABASE_URL: place.url })
  const plainUrl = () => place.url.replace('?citus=true', '')
  const column = async (statement: string) => (await query(plainUrl(), statement)).flat()
  const foreignKeys = () =>
    column(
      "select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and not conrelid::regclass::text ~ '_\\d+$' order by 1",
    )

  test('status says what is not distributed yet', async () => {
    const { exitCode, stdout } = await run('cluster', 'status')
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('Not distributed yet: company, ')])
  })

  test('no other command takes a database with Citus for one without', async () => {
    const address = plainUrl()
    for (const command of [
      ['company', 'list'],
      ['copy', '--from', place.url, '--to', address],
    ]) {
      const { exitCode, stderr } = await runHere(command, { DATABASE_URL: address })
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Add ?citus=true')])
    }
  })

  test('distribute places every table, keeps every foreign key and row, and leaves no copy behind', async () => {
    expect((await run('company', 'create', 'Acme')).exitCode).toBe(0)
    expect((await run('bid', 'create', '--company', 'Acme', '--name', 'Bridge')).exitCode).toBe(0)
    const before = await foreignKeys()
    const { exitCode, stdout, stderr } = await run('cluster', 'distribute', '--shards', '4', '--json')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ distributed: [...Object.keys(referenceTables), ...distributedTables] })
    expect(before.length).toBeGreaterThan(10)
    expect(await foreignKeys()).toEqual(before)
    expect(await column('select name from company')).toEqual(['Acme'])
    expect(await column('select bid_name from bid')).toEqual(['Bridge'])
    expect(await column("select pg_relation_size('bid')::int + pg_relation_size('company')::int")).toEqual([0])
    expect((await run('cluster', 'distribute')).stdout).toContain('All tables were distributed before.')
  })

  test('status shows the nodes, their shards and the biggest companies', async () => {
    const { exitCode, stdout } = await run('cluster', 'status', '--json')
    const { nodes, biggest } = JSON.parse(stdout)
    expect(exitCode).toBe(0)
    expect(nodes[0]).toMatchObject({ role: 'coordinator', active: true, shards: 0 })
    expect(nodes.slice(1).reduce((sum: number, { shards }: { shards: number }) => sum + shards, 0)).toBe(4)
    expect(biggest).toEqual([])
    expect((await run('cluster', 'status')).stdout).toContain('coordinator')
  })

  test('isolate gives one company its own shard, once, and status shows the same number', async () => {
    const [id] = await column('select id::text from company')
    const [bid] = await column('select id::text from bid')
    await query(plainUrl(), `insert into project values ('${id}', '${id}', '${bid}', 'P', now(), now())`)
    const { exitCode, stdout, stderr } = await run('cluster', 'isolate', 'Acme', '--json')
    expect([exitCode, stderr]).toEqual([0, ''])
    const { biggest } = JSON.parse((await run('cluster', 'status', '--json')).stdout)
    expect(biggest).toMatchObject([{ id, projects: 1, shard: JSON.parse(stdout).shard }])
    expect(await run('cluster', 'isolate', 'Acme')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Citus refused: table bid has already been isolated'),
    })
    expect(await run('cluster', 'isolate', 'Nobody')).toMatchObject({ exitCode: 1 })
  })

  test('doctor looks at every node', async () => {
    const { checks } = JSON.parse((await run('doctor', '--json')).stdout)
    const nodes = checks.filter(({ name }: { name: string }) => name.startsWith('node '))
    expect(nodes.length).toBeGreaterThanOrEqual(3)
    const { pathname } = new URL(place.url)
    const [port] = await column('select max(nodeport) from pg_dist_node')
    const worker = Object.assign(new URL(plainUrl()), { pathname, port: String(port) }).href
    for (const [setting, value] of [
      ['fsync', 'off'],
      ['output_plugin_libraries', 'pgoutput'],
    ] as const) {
      const known = await query(worker, `select 1 from pg_settings where name = '${setting}'`)
      if (known.length === 0) continue
      await query(worker, `alter system set ${setting} = '${value}'`)
      await query(worker, 'select pg_reload_conf()')
      try {
        const found = JSON.parse((await run('doctor', '--json')).stdout)
        expect([found.ok, found.checks]).toEqual([
          false,
          expect.arrayContaining([
            expect.objectContaining({ name: `node 127.0.0.1:${port}: ${setting}`, state: 'problem' }),
          ]),
        ])
      } finally {
        await query(worker, `alter system reset ${setting}`)
        await query(worker, 'select pg_reload_conf()')
      }
    }
  })
})
