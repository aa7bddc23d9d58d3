import { describe, expect, test } from 'bun:test'
import { createRateLimit } from '../../src/keys/rate-limit.ts'
import { onEachEngine } from '../support/engines.ts'

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

describe('a window that slides', () => {
  test('lets what came before count less the longer it is ago', () => {
    const take = createRateLimit({ requests: 10, seconds: 1 })
    for (let i = 0; i < 10; i += 1) expect(take('a', 500).isAllowed).toBe(true)
    expect(take('a', 999).isAllowed).toBe(false)
    expect(take('a', 1000).isAllowed).toBe(false)
    const later = Array.from({ length: 10 }, () => take('a', 1500).isAllowed)
    expect(later.filter(Boolean)).toHaveLength(5)
    expect(take('a', 3000)).toEqual({ isAllowed: true, remaining: 9, resetS: 1 })
  })
})
