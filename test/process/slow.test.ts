import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onEachEngine } from '../support/engines.ts'
import { endAll, type Service, startService, until } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

/** Sends the start of a request, and then a little now and then; what came back when the connection was closed. */
function trickle(base: string, start: string, drop: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(start))
    const timer = setInterval(() => socket.write(drop), 300)
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      clearInterval(timer)
      resolve(received)
    })
  })
}

describe('headers that come a byte at a time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-slow-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  // Every byte counts as activity for a naive time-out, which such a client could put off for ever.
  test('are cut off', async () => {
    const service = await startService({ DATABASE_URL: join(folder, 'x.db'), IDLE_TIMEOUT_S: '4', DEMO: 'off' })
    const answers = await Promise.all([
      trickle(service.base, 'G', 'E'),
      trickle(service.base, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'a'),
      trickle(service.base, 'GET / HTTP/1.1\r\nHost: a\r\n', 'X-Slow: a\r\n'),
    ])
    expect(answers).toEqual(['', '', ''])
    await service.stop()
  })
})

onEachEngine('a client that is slow on purpose', (world) => {
  let service: Service
  beforeAll(async () => {
    // Half of it, and nearly all of it, are further apart than a process of a busy machine stands still.
    service = await startService({ DATABASE_URL: world.databaseUrl, IDLE_TIMEOUT_S: '40', DEMO: 'off' })
  })
  afterAll(() => service.stop())

  const post = (fields: string) => {
    const own = Object.entries(world.acme.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `POST /rest/v1/project HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${own.join('')}${fields}\r\n`
  }
  const countRows = async () => (await world.acme.get('/project')).json.length

  test('or that goes away is no error of ours', async () => {
    const socket = connect(Number(new URL(service.base).port), '127.0.0.1', () => {
      socket.write(`${post('Content-Length: 200\r\n')}{"bid`, () => setTimeout(() => socket.destroy(), 200))
    })
    socket.on('error', () => {})
    await until(() => service.stdout.includes('"request_timeout"'))
    expect(service.stdout).not.toContain('XX000')
    expect(service.stdout).not.toContain('AbortError')
  })

  test('is told so in the middle of a body, and nothing is written', async () => {
    const before = await countRows()
    const [answer, inChunks] = await Promise.all([
      trickle(service.base, post('Content-Length: 200\r\n'), ' '),
      trickle(service.base, post('Transfer-Encoding: chunked\r\n'), '1\r\n \r\n'),
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    expect(answer).toMatch(/^connection: close/im)
    // Without a length, the body might still become as large as may be; then the runtime is first.
    expect(inChunks).toBe('')
    expect(await countRows()).toBe(before)
  })

  test('keeps nobody else waiting', async () => {
    const slow = Array.from({ length: 200 }, () => trickle(service.base, post('Content-Length: 200\r\n'), ' '))
    await Bun.sleep(500)
    const answer = await fetch(`${service.base}/rest/v1/project?limit=1`, { headers: world.rival.headers })
    expect(answer.status).toBe(200)
    expect((await Promise.all(slow)).every((text) => text.includes('request_timeout'))).toBe(true)
  })
})
