import { expect, test } from 'bun:test'
import { createQuota } from '../../src/request-log/create-quota.ts'

const owner = { companyId: 'acme', credentialId: 'one' }

test('of each minute, the first 60 successes and the first 300 failures are kept, and the others counted', () => {
  let now = 600_000
  const quota = createQuota(() => now)
  const kept = (isOk: boolean, times: number) =>
    Array.from({ length: times }, (_, at) => quota.take(owner, isOk, `${isOk} ${at}`)).filter(Boolean).length
  expect([kept(true, 100), kept(false, 400)]).toEqual([60, 300])
  expect(quota.takeLeftOut(false)).toEqual([])
  now += 60_000
  expect(quota.takeLeftOut(false)).toEqual([
    { companyId: 'acme', id: 'true 59', requests: 40 },
    { companyId: 'acme', id: 'false 299', requests: 100 },
  ])
  expect(quota.takeLeftOut(false)).toEqual([])
  expect(quota.isCounting()).toBe(false)
  expect(kept(true, 100)).toBe(60)
})

test('what was left out is told, too, where the credential goes on in the next minute, and at a stop', () => {
  let now = 0
  const quota = createQuota(() => now)
  for (const minute of [0, 1]) {
    now = minute * 60_000
    for (let at = 0; at < 61; at += 1) quota.take(owner, true, `${minute} ${at}`)
  }
  expect(quota.takeLeftOut(false)).toEqual([{ companyId: 'acme', id: '0 59', requests: 1 }])
  expect(quota.takeLeftOut(true)).toEqual([{ companyId: 'acme', id: '1 59', requests: 1 }])
})

test('a company with many credentials has a share of its own, and takes nothing from another', () => {
  const quota = createQuota(() => 0)
  const take = (companyId: string, credentials: number) => {
    let kept = 0
    for (let one = 0; one < credentials; one += 1)
      for (let at = 0; at < 300; at += 1)
        if (quota.take({ companyId, credentialId: `${companyId} ${one}` }, false, String(at))) kept += 1
    return kept
  }
  expect([take('acme', 100), take('rival', 2)]).toEqual([3000, 600])
})
