import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { createSend, type SendParts } from '../../src/webhooks/send/send.ts'
import type { Resolve } from '../../src/webhooks/send/target.ts'
import { hostileNames, hostileUrls } from './hostile-urls.ts'

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

const post = (url: string, parts: Partial<SendParts> = {}) =>
  createSend({ loopback: true, ...parts })({ url, headers: { 'webhook-id': 'one' }, body: '{"a":"ü"}' })

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
      '10.0.0.1 is a private or reserved address',
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

describe('hostile URLs', () => {
  const resolve: Resolve = async (name) => hostileNames[name] ?? []

  test('are 150 or more', () => expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(150))

  test('are never connected to', async () => {
    received = []
    connections.mockClear()
    const send = createSend({ loopback: false, resolve })
    for (const url of [...hostileUrls, ...hostileUrls]) {
      for (const port of [plain.port, encrypted.port]) {
        const sent = await send({ url: url.replace('PORT', String(port)), headers: {}, body: '{}' })
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
      expect([url, (await send({ url, headers: {}, body: '' })).status]).toEqual([url, null])
    expect(connections).toHaveBeenCalledTimes(0)
  })
})
