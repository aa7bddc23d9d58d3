import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { instanceConnections, workerConnections } from '../../src/store/connections.ts'
import type { PostgresFacts } from '../../src/store/postgres/inspect-postgres.ts'
import { postgresChecks } from '../../src/store/postgres/postgres-checks.ts'

test.each([
  ['one process', 10, 1, 16],
  ['one process with few', 2, 1, 7],
  ['one process with one', 1, 1, 5],
  ['two workers', 10, 2, 26],
  ['four workers', 10, 4, 32],
  ['more workers than connections', 3, 8, 44],
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
  expect(found('16', {})).toMatchObject({ state: 'ok', found: '16 per instance, of 16' })
  expect(found('15', {})).toMatchObject({ state: 'problem' })
  expect(found('25', { WORKERS: '2' })).toMatchObject({ state: 'problem', found: '26 per instance, of 25' })
})
