import { expect, test } from 'bun:test'
import { Exchange } from '../../src/exchange.ts'
import { finish, finishWithError } from '../../src/finish.ts'
import { createLog } from '../../src/log/log.ts'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'
import { collect } from '../support/collect.ts'

async function* broken() {
  yield '[{"id":1}'
  throw new Error('The database is gone')
}

const usage = { record: () => {}, recordStray: () => {}, flush: async () => {}, stop: async () => {} }

test('a list for which there is no memory is refused, and its source told', async () => {
  const log = createLog('json', 'info', collect([]))
  const bytes = createByteBudget(1)
  bytes.hold('another').hold(10_000_000)
  bytes.hold(new Exchange().lane()).hold(10_000_000)
  let isCancelled = false
  const source = {
    next: () => Promise.resolve({ done: false, value: '' }),
    return: () => {
      isCancelled = true
      return Promise.resolve({ done: true, value: '' })
    },
  }
  const body: AsyncIterable<string> = { [Symbol.asyncIterator]: () => source }
  const answer = { status: 200, headers: {}, body }
  const http = new Request('http://test/')
  const response = finish({ log, usage, bytes }, http, new Exchange(), answer)
  await expect(response).rejects.toThrow('More requests came in')
  expect(isCancelled).toBe(true)
})

test('what was counted before an answer was made ends with it, whole or failed', async () => {
  const log = createLog('json', 'info', collect([]))
  const bytes = createByteBudget(64_000_000)
  const begin = () => {
    const exchange = new Exchange()
    exchange.hold = bytes.hold(exchange.lane())
    exchange.hold.hold(3_000_000)
    return exchange
  }
  const http = new Request('http://test/', { method: 'PATCH' })
  const ledger = { log, usage, bytes }
  const respond = (body: string) => finish(ledger, http, begin(), { status: 200, headers: {}, body })
  await respond('short')
  expect(bytes.load().held).toBe(0)
  finishWithError(ledger, http, begin(), new Error('undone'))
  expect(bytes.load().held).toBe(0)
  const long = await respond('x'.repeat(1_000_000))
  expect(bytes.load().held).toBe(2_000_000)
  await long.text()
  expect(bytes.load().held).toBe(0)
})

test('a list that fails on its way is cut short for the client, and told in the log', async () => {
  const lines: string[] = []
  const log = createLog('json', 'info', collect(lines))
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
