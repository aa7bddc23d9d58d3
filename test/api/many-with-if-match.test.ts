import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { recording } from '../support/recording.ts'
import { World } from '../support/world.ts'

/** More than a write with If-Match may be about. */
const count = 1200

for (const engine of engines)
  describe(`a write with If-Match about too many rows (${engine.name})`, () => {
    const sent: string[] = []
    const world = new World({}, (db) => recording(db, ({ text }) => sent.push(text)))
    beforeAll(async () => {
      await world.open(engine)
      await world.acme.seed(Array.from({ length: count }, (_, at) => `P ${at}`))
    }, 300_000)
    afterAll(() => world.close())

    test.each(['patch', 'delete'] as const)('is refused before it is done: %s', async (method) => {
      const path = '/project?project_name=not.is.null'
      const headers = { 'If-Match': '"x"' }
      const send = (who: 'acme' | 'rival') =>
        method === 'patch' ? world[who].patch(path, { project_name: 'Q' }, headers) : world[who].delete(path, headers)
      sent.length = 0
      const { status, json } = await send('acme')
      expect([status, json.message]).toEqual([400, expect.stringContaining('rows with If-Match')])
      const found = sent.filter((text) => text.startsWith('select 1 from'))
      expect(found.length).toBe(1)
      // As many as tell that there are too many.
      for (const text of found) expect(text).toMatch(/ limit 1001\b/)
      expect(sent.filter((text) => /^(?:update|delete from) (?!temp\.)/.test(text))).toEqual([])
      expect((await send('rival')).status).toBe(412)
      expect(
        (await world.acme.get('/project?project_name=like.P*&limit=1', { Prefer: 'count=exact' })).headers.get(
          'Content-Range',
        ),
      ).toBe(`0-0/${count}`)
    })
  })
