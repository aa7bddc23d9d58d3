import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { type Browser, behindProxy, outcome, signedIn } from './support.ts'

onEachEngine(
  'rows in the settings page',
  (world) => {
    const people: { viewer: Browser; developer: Browser } = Object.create(null)
    beforeAll(async () => {
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
      people.developer = await signedIn(world, world.acme.id, 'developer')
    }, 300_000)

    const queries = [
      '/project',
      '/project?select=id,project_name,bid(bid_name)&order=project_name.desc&limit=1',
      '/bid?select=*,project(*)',
      '/bid?bid_name=ilike.*bid*',
      '/project?select=nothing',
      '/nothing',
    ]
    for (const query of queries) {
      test(`GET /api/rest${query} answers as /rest/v1 does`, async () => {
        const [page, api] = [await people.viewer.get(`/rest${query}`), await world.acme.get(query)]
        expect([page.status, page.text]).toEqual([api.status, api.text])
        for (const name of ['Content-Range', 'ETag', 'Link', 'Content-Type'])
          expect(page.headers.get(name)).toBe(api.headers.get(name))
      })
    }

    test('a developer makes, changes and deletes them', async () => {
      const { status, json: bid } = await people.developer.post('/rest/bid', { bid_name: 'Tunnel' })
      expect([status, bid.bid_name]).toEqual([201, 'Tunnel'])
      const made = await people.developer.post('/rest/project', { bid_id: bid.id, project_name: 'Portal' })
      expect(made.status).toBe(201)
      const renamed = await people.developer.send(
        'PATCH',
        `/rest/project?id=eq.${made.json.id}`,
        { project_name: 'South portal' },
        { Prefer: 'return=representation' },
      )
      expect(renamed.json).toMatchObject([{ project_name: 'South portal' }])
      expect((await world.acme.get(`/project?id=eq.${made.json.id}&select=project_name`)).text).toContain('South')
      expect((await people.developer.delete(`/rest/project?id=eq.${made.json.id}`)).status).toBe(204)
      expect((await people.developer.delete('/rest/project')).status).toBe(400)
    })

    test('a viewer changes none', async () => {
      const before = (await people.viewer.get('/rest/project')).text
      const path = `/rest/project?id=eq.${world.acme.project}`
      const body = { bid_id: world.acme.bid, project_name: 'Mine' }
      const replies = [
        await people.viewer.post('/rest/project', body),
        await people.viewer.patch(path, body),
        await people.viewer.send('PUT', path, { ...body, id: world.acme.project }),
        await people.viewer.delete(path),
      ]
      expect(replies.map(outcome)).toEqual(replies.map(() => [403, 'forbidden']))
      expect((await people.viewer.get('/rest/project')).text).toBe(before)
    })
  },
  behindProxy,
)
