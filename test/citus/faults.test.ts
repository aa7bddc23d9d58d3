import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createUsage } from '../../src/keys/usage.ts'
import { sql } from '../../src/store/sql.ts'
import { Browser, newEmail, password } from '../settings/support.ts'
import { makeDistributedPlace, type NodeProcess, processOf } from '../support/citus.ts'
import { runHere } from '../support/command.ts'
import { endAll, startService, until } from '../support/service.ts'
import { World } from '../support/world.ts'
import { companyOnEachNode, create, list, type Placed } from './support.ts'

describe('a cluster one of whose nodes', () => {
  const world = new World({ TRUST_PROXY: 'on' })
  let lost: NodeProcess
  let [onLost, onOther]: Placed[] = []

  beforeAll(async () => {
    await world.open({ name: 'postgres', makePlace: makeDistributedPlace })
    ;[onLost, onOther] = await companyOnEachNode(world.db)
    lost = await processOf({ host: '127.0.0.1', port: onLost?.port ?? 0 })
  }, 300_000)
  afterEach(endAll)
  afterAll(() => world.close())

  /** Until the service knows the way to each node. */
  async function warmUp(base: string): Promise<void> {
    const direct = async (placed: Placed) => (await list(base, placed)).status === 200
    for (let at = 0; at < 20; at += 1) {
      for (const placed of [onLost, onOther]) await until(() => direct(placed as Placed))
      await Bun.sleep(50)
    }
  }

  describe('was killed', () => {
    beforeAll(async () => {
      await warmUp(world.base)
      await lost.kill()
    })
    afterAll(() => lost.restart(), 300_000)

    test('is no reason for others not to be served', async () => {
      for (let at = 0; at < 20; at += 1) {
        expect((await create(world.base, onOther as Placed, `Meanwhile ${at}`)).status).toBe(201)
        expect((await list(world.base, onOther as Placed)).status).toBe(200)
      }
      expect((await fetch(`${world.base}/health/ready`)).status).toBe(200)
    })

    test('refuses at once what is for it, as not done', async () => {
      await until(async () => (await list(world.base, onLost as Placed)).status === 503)
      const startedAt = performance.now()
      const answer = await create(world.base, onLost as Placed, 'Nowhere')
      expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'PGRST001' })])
      // Far below the time for which an answer that was lost is looked for.
      expect(performance.now() - startedAt).toBeLessThan(3000)
    })

    test('does not keep an instance from starting, a person from signing in, or usage from being counted', async () => {
      const service = await startService({ DATABASE_URL: world.databaseUrl, LOG: 'off' })
      expect((await create(service.base, onOther as Placed, 'From a new instance')).status).toBe(201)
      await service.stop()
      const email = newEmail()
      const person = new Browser(world.base)
      await person.get('/setup')
      expect((await person.signUp(email)).status).toBeLessThan(300)
      expect((await person.signOut()).status).toBeLessThan(300)
      expect((await person.signIn(email, password)).status).toBeLessThan(300)
      const failed: unknown[] = []
      const usage = createUsage(world.db, (error) => failed.push(error))
      for (const placed of [onLost, onOther])
        usage.record(makeUse(placed as Placed, await credentialOf(placed as Placed)))
      await usage.flush()
      expect(failed).toHaveLength(1)
      const counted = await world.db
        .forRows(onOther?.id ?? '')
        .read(
          sql`select sum(requests)::int from "credential_usage" where "credential_usage"."company_id" = ${onOther?.id ?? ''}`,
        )
      expect(counted[0]?.[0]).toBeGreaterThan(0)
    }, 300_000)

    test('is shown as away by status, and as a problem by doctor', async () => {
      const env = { DATABASE_URL: world.databaseUrl }
      const status = await runHere(['cluster', 'status'], env)
      expect([status.exitCode, status.stdout]).toEqual([1, expect.stringContaining('worker, away')])
      const doctor = await runHere(['doctor', '--json'], env)
      expect(JSON.parse(doctor.stdout).checks).toContainEqual(
        expect.objectContaining({ name: `node 127.0.0.1:${lost.port}`, state: 'problem' }),
      )
    }, 300_000)
  })

  describe('is back', () => {
    test('serves its companies again, by itself', async () => {
      await until(async () => (await create(world.base, onLost as Placed, 'Back')).status === 201)
      expect((await create(world.base, onOther as Placed, 'Back')).status).toBe(201)
    }, 300_000)
  })

  describe('is silent', () => {
    beforeAll(() => warmUp(world.base))
    afterAll(() => lost.release())

    test('delays only its own companies', async () => {
      lost.hold()
      const waiting = Array.from({ length: 100 }, (_, at) =>
        create(world.base, onLost as Placed, `Held ${at}`).then(({ status }) => status),
      )
      const startedAt = performance.now()
      for (let at = 0; at < 20; at += 1) {
        expect((await create(world.base, onOther as Placed, `Beside ${at}`)).status).toBe(201)
        expect((await fetch(`${world.base}/health/ready`)).status).toBe(200)
      }
      // Before, everybody waited for 25 seconds.
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      lost.release()
      for (const status of await Promise.all(waiting)) expect([201, 503]).toContain(status)
      await until(async () => (await create(world.base, onLost as Placed, 'Released')).status === 201)
    }, 300_000)
  })

  const credentialOf = async ({ headers }: Placed): Promise<string> => {
    const [[id] = []] = await world.db.read(
      sql`select id from ${sql`credential`} where api_key = ${headers.apikey ?? ''}`,
    )
    return String(id)
  }
})

const makeUse = ({ id }: Placed, credentialId: string) => ({
  ...{ companyId: id, credentialId, secretId: '', outcome: 'ok' as const, status: 200, code: null, method: 'GET' },
  ...{ at: Date.now(), ms: 1, from: () => ({ address: '203.0.113.7', userAgent: 'test' }) },
})
