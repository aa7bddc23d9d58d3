import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

const world = new World({})

beforeAll(async () => {
  const [sqlite] = engines
  if (sqlite) await world.open(sqlite)
})

afterAll(() => world.close())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.base}${path}`, { method, headers })

const pages = [
  '/',
  '/credentials',
  '/credentials/01a1',
  '/projects',
  '/c/01890a5d-ac96-774b-bcce-b302099a8057',
  '/c/01890a5d-ac96-774b-bcce-b302099a8057/',
  '/c/01890a5d-ac96-774b-bcce-b302099a8057/projects?page=2',
  '/c/01890a5d-ac96-774b-bcce-b302099a8057/credentials/01a1',
  '/invitation/some-token',
  '/reset-password?token=x',
]

describe('the pages of the settings app', () => {
  test('are all the same file, and may run nothing that this server did not send', async () => {
    for (const path of pages) {
      const response = await ask(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
      const policy = response.headers.get('Content-Security-Policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self';")
      expect(policy).not.toContain('unsafe')
      expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)/)
    }
  })

  test('carry another nonce each time, the one of their policy', async () => {
    const nonces = await Promise.all([ask('/'), ask('/')].map(async (asked) => nonceOf(await asked)))
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('take no other method', async () => {
    expect((await ask('/', {}, 'POST')).status).toBe(405)
  })
})

const html = 'text/html; charset=utf-8'
const json = 'application/json; charset=utf-8'

describe('an unknown address', () => {
  const unknown = [
    ...['/nowhere', '/credentials/a/b', '/credentials/%E0%A4%A', '/c/acme', '/c/acme/projects', '/docs/none', '/%'],
    '/c/01890a5d-ac96-774b-bcce-b302099a8057/nowhere',
    '/c/01890a5d-ac96-774b-bcce-b302099a8057/sign-in',
  ]

  test('is a page of the app for people, with the status of one', async () => {
    for (const path of unknown) {
      const response = await ask(path, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      expect([path, response.status, response.headers.get('Content-Type')]).toEqual([path, 404, html])
      expect(await response.text()).toContain('<meta name="status" content="404">')
    }
    expect(await (await ask('/')).text()).toContain('<meta name="status" content="200">')
  })

  test('is an error in JSON for programs, and always under /rest and /api', async () => {
    const asked = [
      ask('/nowhere'),
      ...['*/*', 'application/json', 'application/vnd.pgrst.object+json', 'image/*,*/*;q=0.8'].map((Accept) =>
        ask('/nowhere', { Accept }),
      ),
      ask('/nowhere', {}, 'POST'),
      ...['/rest', '/rest/v2/project', '/rest/v1/project/1', '/api', '/api/nowhere'].map((path) =>
        ask(path, { Accept: 'text/html' }),
      ),
    ]
    for (const response of await Promise.all(asked)) {
      expect([response.url, response.status, response.headers.get('Content-Type')]).toEqual([response.url, 404, json])
      expect(await response.json()).toMatchObject({ code: 'PGRST125' })
    }
  })
})

describe('the assets', () => {
  test('may be kept for good, in the smallest form that is understood', async () => {
    const [path = ''] = await scripts()
    const plain = await (await ask(path, { 'Accept-Encoding': 'identity' })).text()
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const response = await ask(path, { 'Accept-Encoding': accepted })
      expect(response.headers.get('Content-Encoding')).toBe(coding)
      expect(response.headers.get('Cache-Control')).toContain('immutable')
      expect(await response.text()).toBe(plain)
      const tag = response.headers.get('ETag') ?? ''
      expect((await ask(path, { 'Accept-Encoding': accepted, 'If-None-Match': tag })).status).toBe(304)
    }
  })

  test('have the fonts as files of their own, which are kept for good', async () => {
    const [, styles = ''] = /href="(\/assets\/main-[^"]+\.css)"/.exec(await (await ask('/')).text()) ?? []
    const css = await (await ask(styles)).text()
    const paths = [...css.matchAll(/url\((\/assets\/[a-z-]+-[a-z0-9]+\.woff2)\)/g)].map(([, path = '']) => path)
    expect(paths).toHaveLength(2)
    expect(css.match(/font-display:swap/g)).toHaveLength(2)
    for (const path of paths) {
      const { headers } = await ask(path)
      expect([headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
        'font/woff2',
        'public, max-age=31536000, immutable',
      ])
    }
  })

  test('are less than 220 KB on the first load', async () => {
    const page = await (await ask('/')).text()
    const sizes = await Promise.all(
      [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(async ([, path]) => {
        const response = await fetch(`${world.base}${path}`, {
          headers: { 'Accept-Encoding': 'gzip' },
          decompress: false,
        })
        return (await response.arrayBuffer()).byteLength
      }),
    )
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThan(220 * 1024)
  })

  test('that do not exist are not found', async () => {
    for (const path of ['/assets/main.js', '/assets/', '/assets/..%2findex.html', '/assets/constructor'])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
  })
})

async function scripts(): Promise<string[]> {
  const html = await (await ask('/')).text()
  return [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path ?? '')
}

async function nonceOf(response: Response): Promise<string> {
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('Content-Security-Policy') ?? '') ?? []
  expect(nonce.length).toBeGreaterThanOrEqual(24)
  expect(await response.text()).toContain(`content="${nonce}"`)
  return nonce
}
