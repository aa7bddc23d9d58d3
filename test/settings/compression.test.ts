import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { type Browser, behindProxy, signedIn } from './support.ts'

const names = Array.from({ length: 300 }, (_, at) => `Project ${at}`)
const encodingOf = ({ headers }: { readonly headers: Headers }) => headers.get('Content-Encoding')

onEachEngine(
  'compressed answers of the settings page',
  (world) => {
    let owner: Browser
    let rival: Browser
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'owner')
      rival = await signedIn(world, world.rival.id, 'owner')
      await world.acme.seed(names)
      await Promise.all(names.slice(0, 60).map((name) => owner.post('/credentials', { name, access: 'read' })))
      // It would change how often a credential was used, between two answers.
      await world.usage.flush()
    }, 300_000)

    for (const coding of ['gzip', 'zstd'] as const) {
      test(`are ${coding} where they are long: rows, credentials and the log`, async () => {
        const wanted = { 'Accept-Encoding': coding }
        for (const path of ['/rest/project', '/credentials', '/activity?limit=200', '/activity.csv']) {
          const [plain, coded] = [await owner.get(path, { 'Accept-Encoding': '' }), await owner.get(path, wanted)]
          expect([path, encodingOf(plain), encodingOf(coded)]).toEqual([path, null, coding])
          expect(coded.text).toBe(plain.text)
          for (const { headers } of [plain, coded]) expect(headers.get('Vary')).toContain('Accept-Encoding')
        }
        const { headers } = await owner.get('/rest/project', wanted)
        const known = { ...wanted, 'If-None-Match': headers.get('ETag') ?? '' }
        expect((await owner.get('/rest/project', known)).status).toBe(304)
      })
    }

    test('are never those that show a secret, nor short ones', async () => {
      const wanted = { 'Accept-Encoding': 'gzip' }
      const made = await owner.post('/credentials', { name: 'Last', access: 'read' }, wanted)
      const rotated = await owner.post(`/credentials/${made.json.id}/rotate`, { grace_seconds: 3600 }, wanted)
      for (const reply of [made, rotated]) {
        expect(reply.json.api_secret).toStartWith('pas_')
        expect(encodingOf(reply)).toBeNull()
      }
      for (const path of ['/setup', '/session', '/overview'])
        expect(encodingOf(await owner.get(path, wanted))).toBeNull()
    })

    test('of another company hold none of it', async () => {
      const { json } = await rival.get('/rest/project', { 'Accept-Encoding': 'gzip' })
      expect(json.map(({ id }: { id: string }) => id)).toEqual([world.rival.project])
    })
  },
  behindProxy,
)
