import { expect, test } from 'bun:test'
import { Exchange } from '../../src/exchange.ts'
import { finish } from '../../src/finish.ts'
import { createLog } from '../../src/log/log.ts'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'
import { collect } from '../support/collect.ts'

async function* broken() {
  yield '[{"id":1}'
  throw new Error('The database is gone')
}

test('a list that fails on its way is cut short for the client, and told in the log', async () => {
  const lines: string[] = []
  const log = createLog('json', 'info', collect(lines))
  const usage = { record: () => {}, recordStray: () => {}, flush: async () => {}, stop: async () => {} }
  const bytes = createByteBudget(1_000_000)
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (http) => finish({ log, usage, bytes }, http, new Exchange(), { status: 200, headers: {}, body: broken() }),
  })
  const answer = await fetch(server.url)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
  expect(lines.join('')).toContain('The database is gone')
})
