import { beforeAll, expect, test } from 'bun:test'
import { digest, makeToken } from '../../src/keys/token.ts'
import { createCompany } from '../../src/people/companies.ts'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Browser, behindProxy, outcome, signedIn } from './support.ts'

onEachEngine(
  'many credentials',
  (world) => {
    let owner: Browser
    let rival: Browser
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'owner')
      rival = await signedIn(world, world.rival.id, 'owner')
    })

    const make = (by: Browser, name: string) => by.post('/credentials', { name, access: 'read' })

    test('are refused past the limit, however many ask at once, and other companies are not', async () => {
      // One is there already.
      const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => make(owner, `n${at}`)))
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(4)
      const refused = replies.find(({ status }) => status !== 201)
      expect(refused && outcome(refused)).toEqual([409, 'too_many_credentials'])
      expect(refused?.json.hint).toContain('MAX_CREDENTIALS')
      expect((await make(rival, 'another company')).status).toBe(201)
      const env = { DATABASE_URL: world.databaseUrl, MAX_CREDENTIALS: '5' }
      const created = await runHere(['credential', 'create', '--company', world.acme.id, '--name', 'x'], env)
      expect([created.exitCode, created.stderr.includes('MAX_CREDENTIALS')]).toEqual([1, true])
    }, 300_000)

    test('leave room when one is revoked', async () => {
      const { json } = await owner.get('/credentials')
      expect((await owner.post(`/credentials/${json[0].id}/revoke`)).status).toBe(200)
      expect((await make(owner, 'in its place')).status).toBe(201)
      expect((await make(owner, 'one too many')).status).toBe(409)
    })

    test('that are revoked are listed up to 500, the newest, and all are counted', async () => {
      const now = timestampText(new Date())
      const made = Array.from({ length: 600 }, () => Bun.randomUUIDv7())
      await world.db.transact(
        made.flatMap((id) => [
          sql`insert into credential (id, company_id, name, api_key, access, created_at, revoked_at)
              values (${id}, ${world.acme.id}, 'Ended', ${makeToken('key')}, 'read', ${now}, ${now})`,
          sql`insert into credential_secret (credential_id, id, digest, created_at)
              values (${id}, ${Bun.randomUUIDv7()}, ${digest(id)}, ${now})`,
        ]),
      )
      const { json, headers } = await owner.get('/credentials')
      const live = json.filter((one: { state: string }) => one.state === 'active')
      expect([live.length, json.length]).toEqual([5, 505])
      // Six were there before, of which one is revoked.
      expect(headers.get('Content-Range')).toBe('0-504/606')
      const ids = json.map(({ id }: { id: string }) => id)
      expect(ids).toEqual(ids.toSorted().toReversed())
      expect(ids.slice(0, 500)).toEqual(made.slice(-500).toReversed())
      expect((await rival.get('/credentials')).headers.get('Content-Range')).toBe('0-1/2')
      expect((await owner.get('/overview')).json.credentials).toBe(5)
    }, 300_000)

    test('of which there are none are a list of none', async () => {
      const newcomer = await signedIn(world, (await createCompany(world.db, 'Newcomer')).id, 'owner')
      const { json, headers } = await newcomer.get('/credentials')
      expect([json, headers.get('Content-Range')]).toEqual([[], '*/0'])
    })
  },
  { ...behindProxy, MAX_CREDENTIALS: '5' },
)
