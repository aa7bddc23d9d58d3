import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createSend, type SendParts } from '../../src/webhooks/send/send.ts'
import type { Resolve } from '../../src/webhooks/send/target.ts'
import { hostileNames, hostileUrls } from './hostile-urls.ts'
import { type NameServer, startNameServer } from './name-server.ts'

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url)), 'utf8')

/** Connections that were opened, or tried. */
const connections = spyOn(net.Socket.prototype, 'connect')
let received: { host: string | null; path: string; body: string }[] = []
let plain: ReturnType<typeof Bun.serve>
let encrypted: ReturnType<typeof Bun.serve>

beforeAll(() => {
  const serve = (tls?: { cert: string; key: string }) =>
    Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0, ...(tls ? { tls } : {}) },
      fetch: async (http) => {
        const { pathname } = new URL(http.url)
        received.push({ host: http.headers.get('host'), path: pathname, body: await http.text() })
        return answers[pathname]?.() ?? new Response('thanks')
      },
    })
  plain = serve()
  encrypted = serve({ cert: pem('cert.pem'), key: pem('key.pem') })
})
afterAll(() => {
  connections.mockRestore()
  void plain.stop(true)
  void encrypted.stop(true)
})

const answers: Readonly<Record<string, () => Response | Promise<Response>>> = {
  '/redirect': () => new Response(null, { status: 302, headers: { Location: `http://127.0.0.1:${plain.port}/other` } }),
  '/busy': () => new Response('later', { status: 503, headers: { 'Retry-After': '17' } }),
  '/long': () => new Response('\0ü'.repeat(100_000), { status: 500 }),
  '/never': () => new Promise<Response>(() => {}),
  '/endless': () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('so far')) })),
}

const companyId = 'a company'
const cheap = { memoryCost: 1024, timeCost: 1 }

/** Without another limit, a busy machine has as long as a test may take. */
const post = (url: string, parts: Partial<SendParts> = {}) =>
  createSend({ loopback: true, timeoutMs: 300_000, ...parts })({
    companyId,
    url,
    headers: { 'webhook-id': 'one' },
    body: '{"a":"ü"}',
  })

const here = (path: string): string => `http://127.0.0.1:${plain.port}${path}`

describe('sending', () => {
  test('posts to a URL and gives its status, the beginning of its answer and how long it took', async () => {
    received = []
    connections.mockClear()
    const sent = await post(here('/hook?a=1'))
    expect(sent).toMatchObject({ status: 200, answer: 'thanks', error: null, retryAfter: null })
    expect(sent.durationMs).toBeGreaterThanOrEqual(0)
    expect(received).toEqual([{ host: `127.0.0.1:${plain.port}`, path: '/hook', body: '{"a":"ü"}' }])
    expect(connections).toHaveBeenCalledTimes(1)
  })

  test('follows no redirect', async () => {
    received = []
    expect((await post(here('/redirect'))).status).toBe(302)
    expect(received.map(({ path }) => path)).toEqual(['/redirect'])
  })

  test('gives the header Retry-After', async () => {
    expect(await post(here('/busy'))).toMatchObject({ status: 503, answer: 'later', retryAfter: '17' })
  })

  test('keeps 256 characters of an answer, without those that no database stores', async () => {
    expect((await post(here('/long'))).answer).toBe('ü'.repeat(256))
  })

  test('ends an attempt without an answer', async () => {
    expect(await post(here('/never'), { timeoutMs: 100 })).toMatchObject({
      status: null,
      error: 'No answer within 0.1 s.',
    })
  })

  test('takes the status of an answer that does not end', async () => {
    expect(await post(here('/endless'), { timeoutMs: 30_000 })).toMatchObject({ status: 200, answer: 'so far' })
  })

  test('ends an attempt whose name is not resolved in time', async () => {
    const resolve: Resolve = () => new Promise(() => {})
    expect((await post('https://slow.test/', { timeoutMs: 100, resolve })).error).toBe('No answer within 0.1 s.')
  })

  test('uses no proxy of the environment', async () => {
    const before = process.env.http_proxy
    process.env.http_proxy = 'http://127.0.0.1:1'
    expect((await post(here('/hook'))).status).toBe(200)
    if (before === undefined) delete process.env.http_proxy
    else process.env.http_proxy = before
  })

  test('connects to the address that was checked, with the name of the URL for TLS and Host', async () => {
    received = []
    let asked = 0
    const resolve: Resolve = async () => {
      asked += 1
      return asked > 1 ? ['10.0.0.1'] : ['127.0.0.1']
    }
    const ca = pem('cert.pem')
    const { port } = encrypted
    expect((await post(`https://localhost:${port}/hook`, { ca, resolve })).status).toBe(200)
    expect(received).toMatchObject([{ host: `localhost:${port}` }])
    expect(asked).toBe(1)
    // The next attempt asks again.
    expect((await post(`https://localhost:${port}/hook`, { ca, resolve })).error).toBe(
      'localhost has no public address',
    )
  })

  test('verifies the certificate of the name', async () => {
    const resolve: Resolve = async () => ['127.0.0.1']
    const ca = pem('cert.pem')
    const { port } = encrypted
    // The certificate is for localhost.
    expect((await post(`https://other.test:${port}/hook`, { ca, resolve })).error).toContain(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    )
    expect((await post(`https://localhost:${port}/hook`, { resolve })).error).toContain('SELF_SIGNED')
  })
})

describe('names', () => {
  let names: NameServer
  let before: string[]
  beforeEach(async () => {
    names = await startNameServer()
    before = dns.getServers()
    dns.setServers([names.address])
  })
  afterEach(() => {
    dns.setServers(before)
    names.stop()
  })

  test('of this machine are found in /etc/hosts', async () => {
    expect((await post(`http://localhost:${plain.port}/hook`)).status).toBe(200)
    expect(names.asked).toEqual([])
  })

  test('are refused alike, whether they have private addresses or none', async () => {
    names.answers.set('private.test', ['10.1.2.3'])
    names.answers.set('here.test', ['127.0.0.1'])
    names.answers.set('both.test', ['1.1.1.1', '10.1.2.3'])
    const refusals = await Promise.all(
      ['private.test', 'here.test', 'both.test', 'none.test'].map((name) =>
        post(`https://${name}/hook`, { loopback: false }),
      ),
    )
    expect(refusals.map(({ error }) => error)).toEqual([
      'private.test has no public address',
      'here.test has no public address',
      'both.test has no public address',
      'none.test has no public address',
    ])
  })

  test('that are written as addresses say which kind they are', async () => {
    const errors = ['https://10.0.0.1/', 'https://127.0.0.1/', 'https://localhost/'].map(
      async (url) => (await post(url, { loopback: false })).error,
    )
    expect(await Promise.all(errors)).toEqual([
      '10.0.0.1 is a private or reserved address',
      '127.0.0.1 is this machine. WEBHOOK_LOOPBACK=on allows it, for development',
      '127.0.0.1 is this machine. WEBHOOK_LOOPBACK=on allows it, for development',
    ])
  })

  test('that no name server can tell of fail in another way', async () => {
    names.answers.set('broken.test', 'broken')
    expect((await post('https://broken.test/')).error).toBe(
      'The name servers do not say which addresses broken.test has (DNS_ESERVFAIL)',
    )
  })

  test('that take long keep no other work waiting, and are few at a time of one company', async () => {
    const send = createSend({ loopback: false, timeoutMs: 300_000 })
    const ended: string[] = []
    const begin = (whose: string, count: number) =>
      Array.from({ length: count }, async (_, at) => {
        const url = `https://${whose}${at}.test/`
        names.answers.set(`${whose}${at}.test`, 'silent')
        await send({ companyId: whose, url, headers: {}, body: '' })
        ended.push(url)
      })
    const attempts = [...begin('one', 40), ...begin('two', 1)]
    while (names.askedNames.size < 9) await Bun.sleep(5)
    await Promise.all([
      promisify(gzip)('x'.repeat(1000)),
      Bun.password.hash('a word', { algorithm: 'argon2id', ...cheap }),
    ])
    expect(ended).toEqual([])
    const underWay = [...names.askedNames]
    expect(underWay.filter((name) => name.startsWith('one'))).toHaveLength(8)
    expect(underWay.filter((name) => name.startsWith('two'))).toHaveLength(1)
    names.giveUp()
    await Promise.all(attempts)
    expect(names.askedNames.size).toBe(41)
  })
})

describe('hostile URLs', () => {
  const resolve: Resolve = async (name) => hostileNames[name] ?? []

  test('are 150 or more', () => expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(150))

  test('are never connected to', async () => {
    received = []
    connections.mockClear()
    const send = createSend({ loopback: false, resolve })
    for (const url of [...hostileUrls, ...hostileUrls]) {
      for (const port of [plain.port, encrypted.port]) {
        const sent = await send({ companyId, url: url.replace('PORT', String(port)), headers: {}, body: '{}' })
        expect([url, sent.status, sent.answer, typeof sent.error]).toEqual([url, null, '', 'string'])
      }
    }
    expect([connections.mock.calls.length, received.length]).toEqual([0, 0])
  })

  test('stay so where this machine is allowed, but for those that lead to it', async () => {
    connections.mockClear()
    const names: Resolve = async (name) =>
      name === 'both.test' ? ['127.0.0.1', '10.0.0.1'] : (hostileNames[name] ?? [])
    const send = createSend({ loopback: true, resolve: names })
    for (const url of [
      'http://1.1.1.1/',
      'http://public.test/',
      'https://10.0.0.1/',
      'http://both.test/',
      'http://[::ffff:127.0.0.1]/',
    ])
      expect([url, (await send({ companyId, url, headers: {}, body: '' })).status]).toEqual([url, null])
    expect(connections).toHaveBeenCalledTimes(0)
  })
})
