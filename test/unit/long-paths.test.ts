import { expect, spyOn, test } from 'bun:test'
import { segmentsMax, splitUrl } from '../../src/rest/split-url.ts'
import { findRoute, splitCompany } from '../../src/settings/find-route.ts'
import { settingsRoutes } from '../../src/settings/route.ts'

/** How many segments are decoded or split off meanwhile. */
function segmentsIn(work: () => unknown): number {
  const decoded = spyOn(globalThis, 'decodeURIComponent')
  const split = spyOn(String.prototype, 'split')
  try {
    work()
  } catch {
    // That a path is unknown is an answer, too.
  }
  const parts = split.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0))
  const found = decoded.mock.calls.length + parts.reduce((sum, one) => sum + one, 0)
  split.mockRestore()
  decoded.mockRestore()
  return found
}

const findPath = (path: string) => findRoute(settingsRoutes, 'GET', splitCompany(path).path)
const companyId = '01890a5d-ac96-774b-bcce-b302099a8057'

test.each(['%', '%61', '%ff', 'a%2Fb', '', 'a%'])(
  'a path of a thousand segments "%s" is as much work as one of a few',
  (one) => {
    const work = (count: number) => segmentsIn(() => splitUrl(`http://host/${`${one}/`.repeat(count)}?a=b`))
    expect(work(64_000)).toBe(work(2 * segmentsMax))
  },
)

test.each(['/api/', `/api/c/${companyId}/`, '/api/webhooks/'])('so is one behind %s', (start) => {
  const work = (count: number) => segmentsIn(() => findPath(start + 'a/'.repeat(count)))
  expect(work(64_000)).toBe(work(2 * segmentsMax))
})

test('no route has as many segments as are looked at', () => {
  const most = Math.max(...settingsRoutes.map(({ path }) => `/c/${companyId}${path}`.split('/').length))
  expect(most).toBeLessThan(segmentsMax)
  // A path that begins like a route and goes on is another one.
  for (const { method, path } of settingsRoutes) {
    const filled = path.replace(/:(id|secret|event)/g, companyId).replace(/:\w+/g, 'a')
    expect(findRoute(settingsRoutes, method, filled).route.path).toBe(path)
    expect(() => findRoute(settingsRoutes, method, `${filled}/a`.padEnd(2 * filled.length + 64, '/a'))).toThrow()
  }
})

test.each([
  ['/rest/v1/pro%6Aect?a=%6A', '/rest/v1/project', 'project', 'a=%6A'],
  ['/rest/v1/a%2Fb', '/rest/v1/a%2Fb', 'a%2Fb', ''],
  ['/%', '/%', '', ''],
  ['/', '/', '', ''],
  ['/a%20b//%C3%A9/?', '/a b//é/', '', ''],
  ['/rest/v1/project/', '/rest/v1/project/', '', ''],
])('%s is the path %s', (sent, path, name, queryText) => {
  for (const host of ['', 'http://host', 'http://']) expect(splitUrl(host + sent)).toEqual({ path, name, queryText })
})

test('what stands behind the segments of any route stays as it was sent', () => {
  const [few, many] = ['/%61'.repeat(segmentsMax - 1), '/%61'.repeat(segmentsMax + 3)]
  expect(splitUrl(few).path).toBe('/a'.repeat(segmentsMax - 1))
  expect(splitUrl(many).path).toBe(`${'/a'.repeat(segmentsMax - 1)}${'/%61'.repeat(4)}`)
})
