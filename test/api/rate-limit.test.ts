import { describe, expect, test } from 'bun:test'
import { limitCredential } from '../../src/keys/change.ts'
import { commandLine } from '../../src/people/audit.ts'
import { createRateLimit } from '../../src/traffic/rate-limit.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, Tenant } from '../support/world.ts'

onEachEngine(
  'a rate limit',
  (world) => {
    test('counts down, refuses what is too much, and says when to come back', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => world.acme.get('/project?limit=1')))
      const good = replies.filter(({ status }) => status === 200)
      const bad = replies.filter(({ status }) => status === 429)
      expect([good.length, bad.length]).toEqual([5, 3])
      expect(good.every(({ headers }) => headers.get('RateLimit-Policy') === '"default";q=6;w=60')).toBe(true)
      expect(bad[0]?.json).toMatchObject({ code: 'rate_limited' })
      expect(bad[0]?.headers.get('RateLimit')).toMatch(/^"default";r=0;t=\d+$/)
      expect(Number(bad[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
    })

    test('is of each credential: neither another company nor another credential has to wait', async () => {
      expect((await world.rival.get('/project?limit=1')).status).toBe(200)
      const other = await world.acme.withCredential('read')
      expect((await other.get('/project?limit=1')).status).toBe(200)
    })

    test('tells nothing to a key that is not known', async () => {
      const { status, headers } = await world.acme.get('/project', {
        apikey: 'unknown',
        Authorization: 'Bearer unknown',
      })
      expect([status, headers.get('RateLimit')]).toEqual([401, null])
    })
  },
  // One request of the set-up counts as well: a project for each company.
  { RATE_LIMIT: '6/m' },
)

onEachEngine('a rate limit of one credential', (world) => {
  const send = (tenant: Tenant, count: number) =>
    Promise.all(Array.from({ length: count }, () => tenant.get('/project?limit=1')))
  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted()

  test('holds for that one alone, and is told in every answer', async () => {
    const limited = await world.acme.withCredential('read', null, '3/m')
    const replies = await send(limited, 5)
    expect(statuses(replies)).toEqual([200, 200, 200, 429, 429])
    expect(replies.map(({ headers }) => headers.get('RateLimit-Policy'))).toEqual(Array(5).fill('"default";q=3;w=60'))
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0)
    for (const other of [world.acme, world.rival]) {
      const [reply] = await send(other, 1)
      expect([reply?.status, reply?.headers.get('RateLimit')]).toEqual([200, null])
    }
  })

  test('can be changed, at once where it is changed', async () => {
    const limited = await world.acme.withCredential('read', null, '1/m')
    expect(statuses(await send(limited, 2))).toEqual([200, 429])
    const ref = { companyId: world.acme.id, id: limited.credentialId }
    await limitCredential(world.db, ref, null, commandLine)
    expect(statuses(await send(limited, 2))).toEqual([200, 200])
    await limitCredential(world.db, ref, '2/s', commandLine)
    const [reply] = await send(limited, 1)
    expect(reply?.headers.get('RateLimit-Policy')).toBe('"default";q=2;w=1')
  })
})

onEachEngine(
  'a rate limit of one credential beside that of all',
  (world) => {
    const policyOf = async (rateLimit: string) => {
      const limited = await world.acme.withCredential('read', null, rateLimit)
      return (await limited.get('/project?limit=1')).headers.get('RateLimit-Policy')
    }

    test('narrows it and does not widen it', async () => {
      expect(await policyOf('100/m')).toBe('"default";q=100;w=60')
      expect(await policyOf('100/s')).toBe('"default";q=10;w=1')
      expect(await policyOf('599/m')).toBe('"default";q=599;w=60')
      expect(await policyOf('601/m')).toBe('"default";q=10;w=1')
    })
  },
  { RATE_LIMIT: '10/s' },
)

onEachEngine(
  'a limit of all requests together',
  (world) => {
    test('refuses before it is known who asks, with 503 and a time to come back', async () => {
      const tenants = [world.acme, world.rival, world.acme, world.rival, world.acme, world.rival]
      const replies = await Promise.all(tenants.map((tenant) => tenant.get('/project?limit=1')))
      const refused = replies.filter(({ status }) => status === 503)
      expect(refused).toHaveLength(2)
      expect(refused[0]?.json).toMatchObject({ code: 'overloaded' })
      expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
      // What others have sent is nobody's business.
      expect(replies.some(({ headers }) => headers.has('RateLimit') || headers.has('RateLimit-Policy'))).toBe(false)
      expect((await world.acme.get('/project', { apikey: 'unknown' })).status).toBe(503)
      expect((await fetch(`${world.base}/health/ready`)).status).toBe(200)
    })
  },
  // Two requests of the set-up count as well.
  { RATE_LIMIT_TOTAL: '6/m' },
)

describe('a window that slides', () => {
  test('lets what came before count less the longer it is ago', () => {
    const count = createRateLimit()
    const take = (who: string, nowMs: number) => count({ requests: 10, seconds: 1 }, who, nowMs)
    for (let i = 0; i < 10; i += 1) expect(take('a', 500).isAllowed).toBe(true)
    expect(take('a', 999).isAllowed).toBe(false)
    expect(take('a', 1000).isAllowed).toBe(false)
    const later = Array.from({ length: 10 }, () => take('a', 1500).isAllowed)
    expect(later.filter(Boolean)).toHaveLength(5)
    expect(take('a', 3000)).toEqual({ isAllowed: true, remaining: 9, resetS: 1 })
  })

  test('tells when there is room, and then there is', () => {
    for (const requests of [1, 2, 10]) {
      const count = createRateLimit()
      const take = (nowMs: number) => count({ requests, seconds: 60 }, 'a', nowMs)
      let nowMs = 90_000
      for (let i = 0; i < requests; i += 1) take(nowMs)
      const refused = take(nowMs)
      expect(refused.isAllowed).toBe(false)
      nowMs += refused.resetS * 1000
      expect([requests, take(nowMs).isAllowed]).toEqual([requests, true])
    }
  })
})
