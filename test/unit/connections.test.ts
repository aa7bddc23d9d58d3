import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { instanceConnections, workerConnections } from '../../src/store/connections.ts'
import type { PostgresFacts } from '../../src/store/postgres/inspect-postgres.ts'
import { postgresChecks } from '../../src/store/postgres/postgres-checks.ts'

test.each([
  ['one process', 10, 1, 14],
  ['one process with few', 2, 1, 5],
  ['one process with one', 1, 1, 3],
  ['two workers', 10, 2, 20],
  ['four workers', 10, 4, 22],
  ['more workers than connections', 3, 8, 26],
])('%s with %p connections and %p workers opens %p', (_, connectionsMax, workers, expected) => {
  expect(instanceConnections(connectionsMax, workers)).toBe(expected)
})

test('workers share connections, and each has one at least', () => {
  expect([workerConnections(10, 4), workerConnections(10, 20)]).toEqual([2, 1])
})

test('doctor counts those of all processes', () => {
  const found = (limit: string, env: Record<string, string>) => {
    const config = readConfig({ DATABASE_URL: 'postgres://app@db.example.com/app', ...env }, false)
    const settings = new Map([['max_connections', limit]])
    const facts = { settings, connectionLimit: null, config } as unknown as PostgresFacts & { config: typeof config }
    return postgresChecks.find(({ name }) => name === 'connections')?.judge(facts)
  }
  expect(found('14', {})).toMatchObject({ state: 'ok', found: '14 per instance, of 14' })
  expect(found('13', {})).toMatchObject({ state: 'problem' })
  expect(found('19', { WORKERS: '2' })).toMatchObject({ state: 'problem', found: '20 per instance, of 19' })
})
