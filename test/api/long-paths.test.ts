import { expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'

/** As long as a URL may be. */
const lengthMax = 120_000
const segments = ['%/', 'a/', '%61/', '/', '%ff/', 'a%2Fb/']

const unknown = [404, 'PGRST125', 'Invalid path specified in request URL'] as const

onEachEngine('a path of thousands of segments', (world) => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(world.base + path, { headers })
    const text = await response.text()
    const { code, message } = text.startsWith('{') ? JSON.parse(text) : {}
    return [response.status, code, message]
  }
  const longPath = (start: string, segment: string) =>
    start + segment.repeat((lengthMax - start.length) / segment.length)
  const starts = [
    '/x/',
    '/api/',
    '/api/x/',
    '/api/session/',
    '/mcp/',
    '/docs/',
    '/assets/',
    '/health/live/',
    '/%61pi/x/',
  ]

  test.each(starts)('is unknown behind %s, as a short one', async (start) => {
    for (const segment of segments) {
      for (const path of [`${start}${segment}`, longPath(start, segment)])
        expect([start, segment, path.length, ...(await ask(path))]).toEqual([start, segment, path.length, ...unknown])
    }
  })

  test.each(['/rest/v1/', '/%72est/v1/'])('is unknown behind %s, with a credential too', async (start) => {
    for (const segment of segments)
      for (const headers of [{}, world.acme.headers])
        expect([segment, ...(await ask(longPath(`${start}project/x/`, segment), headers))]).toEqual([
          segment,
          ...unknown,
        ])
  })

  test('is no function', async () => {
    const path = longPath('/rest/v1/rpc/', 'a/')
    expect((await ask(path)).slice(0, 2)).toEqual([404, 'PGRST202'])
  })

  // Whether there is a company must not show.
  test('is unknown whatever company it names', async () => {
    for (const id of [world.acme.id, world.rival.id, Bun.randomUUIDv7()])
      for (const segment of segments) expect(await ask(longPath(`/api/c/${id}/`, segment))).toEqual([...unknown])
  })

  test('is answered like a page to a browser, outside of the APIs', async () => {
    const browser = { Accept: 'text/html' }
    const short = await ask('/x/y', browser)
    for (const segment of segments) expect(await ask(longPath('/x/', segment), browser)).toEqual(short)
  })
})
