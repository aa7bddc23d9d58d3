import { expect, test } from 'bun:test'
import { revokeCredential } from '../../src/keys/change.ts'
import { makeToken } from '../../src/keys/token.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Tenant } from '../support/world.ts'

const from = (address: string) => ({ 'X-Forwarded-For': address })
const attempt = (address: string, apikey = makeToken('key')) => ({
  ...{ apikey, Authorization: `Bearer ${apikey}` },
  ...from(address),
})

onEachEngine(
  'requests without a valid key',
  (world) => {
    const statuses = (addresses: readonly string[]) =>
      Promise.all(addresses.map(async (address) => (await world.acme.get('/project', attempt(address))).status))
    const statusOf = async (tenant: Tenant, address: string) => (await tenant.get('/project', from(address))).status

    test('are refused with 429 once there are too many from one address, and from no other', async () => {
      expect((await statuses(Array(8).fill('192.0.2.1'))).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
      const { json, headers } = await world.acme.get('/project', attempt('192.0.2.1'))
      expect(json).toMatchObject({ code: 'rate_limited' })
      expect([Number(headers.get('Retry-After')) > 0, headers.get('RateLimit')]).toEqual([true, null])
      expect(await statuses(['192.0.2.2'])).toEqual([401])
    })

    test('do not lock out whoever shares the address, seen before or not', async () => {
      await statuses(Array(20).fill('192.0.2.1'))
      const unseen = await Promise.all(Array.from({ length: 10 }, () => world.rival.withCredential('read')))
      const all = [world.acme, world.rival, ...unseen]
      expect(await Promise.all(all.map((tenant) => statusOf(tenant, '192.0.2.1')))).toEqual(all.map(() => 200))
    })

    test('count whatever is wrong with the key, also where it was good once', async () => {
      const tenant = await world.acme.withCredential('read')
      expect(await statusOf(tenant, '192.0.2.3')).toBe(200)
      await revokeCredential(world.db, { companyId: tenant.id, id: tenant.credentialId })
      const wrong = ['', 'malformed', tenant.apiKey, tenant.apiKey, tenant.apiKey, tenant.apiKey, tenant.apiKey]
      const answers: number[] = []
      for (const key of wrong) answers.push((await world.acme.get('/project', attempt('192.0.2.3', key))).status)
      expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429])
    })

    test('are not those of a valid key without its secret', async () => {
      const wrong = { ...from('192.0.2.4'), 'X-API-Secret': makeToken('secret') }
      for (let count = 0; count < 8; count += 1) expect((await world.acme.get('/project', wrong)).text).toBe('[]')
      expect(await statuses(['192.0.2.4'])).toEqual([401])
    })

    test('count for a whole network of IPv6', async () => {
      const addresses = Array.from({ length: 7 }, (_, at) => `2001:db8::${at}`)
      expect((await statuses(addresses)).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429])
      expect(await statuses(['2001:db8:0:1::1'])).toEqual([401])
    })
  },
  { AUTH_FAILURE_LIMIT: '5/m', TRUST_PROXY: 'on' },
)
