import { expect, test } from 'bun:test'
import {
  type AttackRequest,
  bodySize,
  composeCopies,
  headSize,
  isHeld,
  isOneAttack,
} from '../../prove/cost/attack-request.ts'
import { createBreed } from '../../prove/cost/breed.ts'
import { largeSeeds } from '../../prove/cost/large-seeds.ts'
import type { Measured } from '../../prove/cost/measure.ts'
import { Population } from '../../prove/cost/population.ts'
import { knownRequests } from '../../prove/cost/regressions.ts'
import { seeds } from '../../prove/cost/seeds.ts'
import { Random } from '../../prove/random.ts'

const asked = { as: 'credential', method: 'POST', path: '/rest/v1/bid' } as const

test('a request is written shortly, and sent as it is meant', () => {
  const rows = { text: '{"n":"§§§","a":"«ab×3»¶"}', times: 2 }
  const request: AttackRequest = { ...asked, body: { type: 'application/json', rows }, copies: 2 }
  const [first, second] = composeCopies(request, [{ apikey: 'one' }, { apikey: 'two' }]).map(String)
  expect(first).toContain('apikey: one\r\n')
  expect(first).toEndWith('\r\n\r\n[{"n":"000","a":"ababab0"},{"n":"001","a":"ababab0"}]')
  expect(second).toContain('apikey: two\r\n')
  expect(second).toEndWith('[{"n":"000","a":"ababab1"},{"n":"001","a":"ababab1"}]')
  expect(bodySize(request)).toBe(2 * '{"n":"§§§","a":"ababab¶"},'.length)
})

test('many streams at once are one attack, and many lists are not', () => {
  const list: AttackRequest = { as: 'credential', method: 'GET', path: '/rest/v1/project', copies: 20 }
  const stream = { ...list, headers: { Accept: { text: 'text/event-stream' } } }
  expect([list, stream].map(isOneAttack)).toEqual([false, true])
  expect([list, stream].map(isHeld)).toEqual([false, true])
})

test('the search breeds requests of every attacker on both companies, and none that is too large', () => {
  const population = new Population()
  const nothing: Measured = {
    ...{
      stallMs: 0,
      createMs: 0,
      memoryMb: 0,
      grownMb: 0,
      bytes: 1,
      tookMs: 1,
      statuses: [200],
      isOver: false,
      isEnded: false,
    },
  }
  for (const request of [...knownRequests, ...seeds, ...largeSeeds]) population.add(request, nothing)
  const breed = createBreed(new Random(7), population, { paths: described, components: { parameters: {} } })
  const bred = Array.from({ length: 3000 }, breed)
  const kinds = new Set(bred.map(({ as, company = 'many' }) => `${as} ${company}`))
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'key many',
      'credential many',
      'credential large',
      'narrowed large',
      'viewer large',
      'owner large',
    ]),
  )
  expect(bred.filter((one) => headSize(one) > 120_000 || bodySize(one) > 10_485_760)).toEqual([])
  expect(bred.some(({ next }) => next !== undefined)).toBe(true)
  // To delete the company, or what the others act with, would end the attack.
  const owners = bred.filter(({ as, method }) => as === 'owner' && method !== 'GET')
  expect(owners.filter(({ path }) => !/^\/api\/(fields|webhooks|import)\b/.test(path))).toEqual([])
})

const described = { '/project': { get: {}, post: {}, patch: {}, delete: {} }, '/bid': { get: {} } }
