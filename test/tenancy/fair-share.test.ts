import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { Exchange } from '../../src/exchange.ts'
import { createAuthenticate } from '../../src/keys/authenticate.ts'
import { makeToken } from '../../src/keys/token.ts'
import { createRest } from '../../src/rest.ts'
import { insertCompanyRow } from '../../src/store/compile/company-rows.ts'
import { Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'

const many = 64
const roundsMax = 4

/** So long may anything wait for its turn. */
const waitMsMax = 10_000

/** On a busy machine, the last of a flood may wait for too long. Nothing was done then, and it is asked for again. */
async function askUntilDone(ask: () => unknown): Promise<void> {
  const askedAt = performance.now()
  try {
    await ask()
  } catch (error) {
    expect(error).toMatchObject({ status: 503, code: 'overloaded' })
    expect(performance.now() - askedAt).toBeGreaterThan(waitMsMax)
    await askUntilDone(ask)
  }
}

onEachEngine(
  'one company’s flood',
  (world, { name }) => {
    // Each takes longer than a busy machine lets others wait.
    const slow =
      name === 'postgres'
        ? sql`select pg_sleep(0.05)::text`
        : sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 50000) select count(*) from n`
    const askSlow = () => world.db.forCompany(world.acme.id).readPart(slow)
    /** Asks for much more than there is room for: before most of it is done, a neighbour must be through. */
    const expectThrough = async (neighbour: () => unknown, ask: (at: number) => unknown = askSlow) => {
      let doneBefore = many
      // On a busy machine, the process that works for the neighbour may stand still alone, but not in each round.
      for (let rounds = 0; doneBefore >= many / 2 && rounds < roundsMax; rounds += 1) {
        // Whoever was alone for a second may use more: no round is easier than the first.
        if (rounds > 0) await Bun.sleep(1100)
        let done = 0
        const all = Array.from({ length: many }, async (_, at) => {
          await askUntilDone(() => ask(at))
          done += 1
        })
        await neighbour()
        doneBefore = done
        await Promise.all(all)
      }
      expect(doneBefore).toBeLessThan(many / 2)
    }

    test('of requests lets another company’s through before most of itself', async () => {
      await world.acme.seed(Array.from({ length: 900 }, (_, at) => `Project ${at}`))
      await expectThrough(
        () => world.rival.get('/project?limit=1'),
        () => world.acme.get('/project'),
      )
    })

    test('by 64 credentials is one company’s all the same', async () => {
      const credentials = await Promise.all(Array.from({ length: many }, () => world.acme.withCredential('read-write')))
      // Seen once, each of them is known to belong to the company.
      await Promise.all(credentials.map((one) => one.get('/project?limit=1')))
      await expectThrough(
        () => world.rival.get('/project?limit=1'),
        (at) => credentials[at]?.get('/project?limit=900'),
      )
    })

    test('takes its turns by company where the secret is right, and as a stranger’s elsewhere', async () => {
      const taken: string[] = []
      const note = (who: string): null => {
        taken.push(who)
        return null
      }
      const take = Object.assign(note, {
        load: () => ({ underWay: 0, waiting: 0, refused: 0 }),
      })
      const config = readConfig({}, false)
      const turns = { reads: take, writes: take }
      const rest = createRest({
        db: world.db,
        authenticate: createAuthenticate(world.db),
        limits: config,
        rates: config,
        turns,
      })
      const ask = async (headers: Record<string, string>) => {
        const http = new Request('http://test/rest/v1/project?limit=1', { headers })
        await rest(http, { name: 'project', queryText: 'limit=1' }, new Exchange(http, () => '192.0.2.1'))
      }
      const credentials = await Promise.all(Array.from({ length: 5 }, () => world.acme.withCredential('read')))
      const all = [...credentials, world.rival]
      for (const { headers } of all) await ask(headers)
      taken.length = 0
      for (const { headers } of all) await ask(headers)
      expect(taken).toEqual([...credentials.map(() => world.acme.id), world.rival.id])
      taken.length = 0
      await ask({ apikey: world.rival.apiKey })
      await ask({ ...world.rival.headers, 'X-API-Secret': world.acme.apiSecret })
      await ask({ apikey: makeToken('key') }).catch(() => {})
      expect(new Set(taken).size).toBe(1)
      expect(taken[0]).toStartWith('strangers ')
    })

    test('lets another company’s list through before most of itself', async () => {
      await world.rival.get('/project?limit=1')
      await expectThrough(async () => {
        const { status, json } = await world.rival.get('/project?limit=1')
        expect([status, json.length]).toEqual([200, 1])
      })
    })

    test('of long work lets another company’s long work through before most of itself', async () => {
      const { id } = world.rival
      const longText = ' '.repeat(4000)
      // On PostgreSQL, what is long is the statement itself.
      const long = name === 'postgres' ? new Sql([`select pg_sleep(0.05)::text${longText}`], []) : slow
      const [acme, rival] = [world.db.forCompany(world.acme.id), world.db.forCompany(id)]
      // On SQLite, the processes that do it start now, and not while it is counted.
      await Promise.all([acme, acme, rival].map((company) => company.readLong(long)))
      await expectThrough(
        () => rival.readLong(long),
        () => acme.readLong(long),
      )
    })

    test('lets another company’s write through as well', async () => {
      await world.rival.get('/project?limit=1')
      await expectThrough(() => world.db.forCompany(world.rival.id).transact([sql`select 1`]))
    })

    test.skipIf(name !== 'postgres')('or the service’s own work keeps no request waiting', async () => {
      await world.rival.get('/project?limit=1')
      // Half of these take several seconds: on a busy machine, one request may take as long.
      const slower = sql`select pg_sleep(0.3)::text`
      // Its first request has to look it up.
      const reader = await world.rival.withCredential('read')
      await expectThrough(
        async () => expect((await reader.get('/project?limit=1')).status).toBe(200),
        (at) => (at % 2 ? world.db.background.read(slower) : world.db.readLong(slower)),
      )
    })

    test('leaves the settings page alone', async () => {
      await world.rival.get('/project?limit=1')
      await expectThrough(async () => expect((await fetch(`${world.base}/api/setup`)).status).toBe(200))
    })

    test('is refused at once where too much of it waits, and the rest is done', async () => {
      const acme = world.db.forCompany(world.acme.id)
      const row = () => ({ key: Bun.randomUUIDv7(), fingerprint: '', created_at: '2026-01-01T00:00:00Z' })
      const insert = () => insertCompanyRow('idempotency', acme, row())
      const sent = await Promise.allSettled(Array.from({ length: 400 }, () => acme.transact([insert()])))
      const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      expect(refused.length).toBeGreaterThan(100)
      for (const error of refused) expect(error).toMatchObject({ status: 503, code: 'overloaded' })
      const [[stored] = []] = await world.db.read(sql`select count(*) from idempotency where fingerprint = ''`)
      expect(Number(stored)).toBe(400 - refused.length)
      expect((await world.acme.get('/project?limit=1')).status).toBe(200)
    })
  },
  { DATABASE_CONNECTIONS: '4', QUEUE_MAX: '150' },
)
