import { expect, test } from 'bun:test'
import { createCompress } from '../../src/coding/create-compress.ts'
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

test('the answer to a write is sent as it is where there is no memory to compress it', async () => {
  const log = createLog('json', 'info', collect([]))
  const body = 'x'.repeat(20_000)
  const send = async (used: number) => {
    const bytes = createByteBudget(4_000_000)
    bytes.hold(new Exchange().lane()).hold(used)
    const http = new Request('http://test/', { method: 'POST' })
    const ledger = { log, usage, bytes, compress: createCompress() }
    const response = await finish(ledger, http, new Exchange(), { status: 201, headers: {}, body, coding: 'gzip' })
    const coding = response.headers.get('Content-Encoding')
    const sent = await response.arrayBuffer()
    const text = coding === null ? sent : Bun.gunzipSync(new Uint8Array(sent))
    return [response.status, coding, new TextDecoder().decode(text) === body, bytes.load().held]
  }
  expect(await send(0)).toEqual([201, 'gzip', true, 0])
  expect(await send(1_100_000)).toEqual([201, null, true, 1_100_000])
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
