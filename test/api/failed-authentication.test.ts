import { expect, test } from 'bun:test'
import { makeToken } from '../../src/keys/token.ts'
import { onEachEngine } from '../support/engines.ts'

const attempt = (address: string) => {
  const apikey = makeToken('key')
  return { apikey, Authorization: `Bearer ${apikey}`, 'X-Forwarded-For': address }
}

onEachEngine(
  'requests with unknown keys',
  (world) => {
    const statuses = (addresses: readonly string[]) =>
      Promise.all(addresses.map(async (address) => (await world.acme.get('/project', attempt(address))).status))

    test('are refused without a look-up once there are too many from one address, and from no other', async () => {
      const from = Array<string>(8).fill('192.0.2.1')
      expect((await statuses(from)).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
      const { json, headers } = await world.acme.get('/project', attempt('192.0.2.1'))
      expect(json).toMatchObject({ code: 'rate_limited' })
      expect([Number(headers.get('Retry-After')) > 0, headers.get('RateLimit')]).toEqual([true, null])
      expect(await statuses(['192.0.2.2'])).toEqual([401])
    })

    test('do not lock out whoever shares the address', async () => {
      const address = { 'X-Forwarded-For': '192.0.2.1' }
      expect((await world.acme.get('/project', address)).status).toBe(200)
      expect((await world.rival.get('/project', address)).status).toBe(200)
    })

    test('count for a whole network of IPv6', async () => {
      const from = Array.from({ length: 7 }, (_, at) => `2001:db8::${at}`)
      expect((await statuses(from)).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429])
      expect(await statuses(['2001:db8:0:1::1'])).toEqual([401])
    })
  },
  { AUTH_FAILURE_LIMIT: '5/m', TRUST_PROXY: 'on' },
)
