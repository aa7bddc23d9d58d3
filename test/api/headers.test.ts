import { expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import type { World } from '../support/world.ts'

/** Whatever a browser can open or load, and what it must know of it. */
const opened = [
  '/',
  '/sign-in',
  '/docs',
  '/docs/start.js',
  '/rest/v1/',
  '/health/live',
  '/api/setup',
  '/api/session',
  '/nowhere',
]
const expected = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
/** What would tell an attacker what runs here, or let another site in. */
const absent = /^(?:server|x-powered-by|via|x-runtime|access-control-.*)$/

const headersOf = async (world: World, path: string) => (await fetch(`${world.base}${path}`)).headers

onEachEngine('the headers of an answer', (world) => {
  test.each(opened)('%s tells a browser to be careful', async (path) => {
    const headers = await headersOf(world, path)
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected)
    const policy = headers.get('Content-Security-Policy') ?? ''
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(rule)
    expect(headers.get('Strict-Transport-Security')).toBeNull()
  })

  test.each([...opened, '/rest/v1/project', '/rest/v1/nothing'])('%s tells nothing of the server', async (path) => {
    const names = [...(await headersOf(world, path)).keys()]
    expect(names).toContain('x-content-type-options')
    expect(names.filter((name) => absent.test(name))).toEqual([])
  })

  test.each([
    '',
    '?select=id&order=id.desc',
    '?or=(project_name.like.A*,id.is.null)&select=*,bid(*)',
    '?project_name=eq.%C3%84+%2B',
  ])('Content-Location leads to the same rows: /project%s', async (query) => {
    const asked = await world.acme.get(`/project${query}`)
    const location = asked.headers.get('Content-Location') ?? ''
    const followed = await fetch(new URL(location, `${world.base}/rest/v1/project`), { headers: world.acme.headers })
    expect([followed.status, await followed.text()]).toEqual([200, asked.text])
  })
})

onEachEngine(
  'an address with https',
  (world) => {
    test.each(opened)('%s is for https alone from then on', async (path) => {
      expect((await headersOf(world, path)).get('Strict-Transport-Security')).toBe('max-age=31536000')
    })
  },
  { BASE_URL: 'https://api.example.com' },
)
