import { describe, expect, test } from 'bun:test'
import { runHere } from '../support/command.ts'
import { engines } from '../support/engines.ts'

/** What needs no cluster. test/citus has the rest. */
describe('the commands for a cluster', () => {
  const whys = { sqlite: 'Set DATABASE_URL to its coordinator', postgres: 'create extension citus' }

  for (const { name, makePlace } of engines) {
    test(`say what is missing (${name})`, async () => {
      const place = await makePlace()
      const status = await runHere(['cluster', 'status'], { DATABASE_URL: place.url })
      const noTables = { sqlite: whys.sqlite, postgres: 'has no tables' }
      expect([status.exitCode, status.stderr]).toEqual([1, expect.stringContaining(noTables[name])])
      for (const command of [['distribute'], ['status'], ['isolate', 'Acme']]) {
        const { exitCode, stderr } = await runHere(['cluster', ...command], { DATABASE_URL: place.url })
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining(whys[name])])
      }
      await place.remove()
    }, 300_000)
  }

  test('refuse a number of shards that is none', async () => {
    for (const shards of ['0', 'x', '1.5', '5000']) {
      const given = await runHere(['cluster', 'distribute', '--shards', shards], { DATABASE_URL: 'postgres://nowhere' })
      expect([given.exitCode, given.stderr]).toEqual([2, expect.stringContaining('--shards')])
    }
  })
})
