import { expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, World } from '../support/world.ts'

/** Whatever a browser can open or load, and what it must know of it. */
const opened = ['/', '/sign-in', '/docs', '/rest/v1/', '/health/live', '/api/setup', '/api/session', '/nowhere']
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

  // The last one is a route that the runtime has for development.
  const all = [...opened, '/rest/v1/project', '/rest/v1/nothing', '/bun:info']
  test.each(all)('%s tells nothing of the server', async (path) => {
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

/** As they are on the wire: a name, a colon and a blank, a value, and the end of the line. */
const headerBytes = ({ headers }: Reply): number =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 4, 0)

onEachEngine('the headers of an answer to a long query', (world) => {
  const idsOf = (count: number): string => Array.from({ length: count }, () => Bun.randomUUIDv7()).join(',')
  const told = ({ headers }: Reply) => ['Content-Location', 'Link'].filter((name) => headers.has(name))

  test('repeat it as long as it is short', async () => {
    await world.acme.seed(['Second'])
    const reply = await world.acme.get(`/project?select=id&or=(id.not.is.null,id.in.(${idsOf(90)}))&limit=1`)
    expect([reply.status, told(reply)]).toEqual([200, ['Content-Location', 'Link']])
  })

  test.each([120, 450, 1000])('leave it out with %d ids, and stay small', async (count) => {
    const reply = await world.acme.get(`/project?select=id&or=(id.not.is.null,id.in.(${idsOf(count)}))&limit=1`, {
      Prefer: 'count=exact, handling=strict, timezone=America/Argentina/ComodRivadavia',
      'Accept-Profile': 'public',
    })
    expect([reply.status, reply.json.length, told(reply)]).toEqual([206, 1, []])
    expect(headerBytes(reply)).toBeLessThan(12 * 1024)
  })

  test('are smaller than 12 KiB where both headers are just short enough', async () => {
    const query = `select=id&project_name=neq.${'x'.repeat(3900)}`
    const reply = await world.rival.get(`/project?${query}&limit=1&order=id`)
    expect(told(reply)).toContain('Content-Location')
    expect(headerBytes(reply)).toBeLessThan(12 * 1024)
    expect(reply.json).toEqual([{ id: world.rival.project }])
  })
})
