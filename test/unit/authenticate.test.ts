import { describe, expect, test } from 'bun:test'
import { Exchange } from '../../src/exchange.ts'
import { type Authenticate, createAuthenticate } from '../../src/keys/authenticate.ts'
import { rememberedMs } from '../../src/keys/memory.ts'
import { digest, makeToken } from '../../src/keys/token.ts'
import type { Database, Rows } from '../../src/store/database.ts'
import { mistyped } from '../support/mistyped.ts'

const apikey = makeToken('key')
const secret = makeToken('secret')
const row = ['c1', 'acme', 'read', null, null, null, 's1', digest(secret), null, null]

/** A database that knows one credential, and counts how often it is asked for one. */
function counting(answer: (key: unknown) => Promise<Rows>) {
  const asked: unknown[] = []
  let underWay = 0
  let mostUnderWay = 0
  const read = async ({ values: [key] }: { values: readonly unknown[] }): Promise<Rows> => {
    asked.push(key)
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    try {
      return await answer(key)
    } finally {
      underWay -= 1
    }
  }
  // Nothing else of it is used.
  return { db: { read } as unknown as Database, asked, mostUnderWay: () => mostUnderWay }
}

const known = async (key: unknown): Promise<Rows> => (key === apikey ? [row] : [])
const ask = (authenticate: Authenticate, key: string, who = 'network') =>
  (async () =>
    authenticate(authenticate.read(new Headers({ apikey: key, 'x-api-secret': secret })), who, new Exchange()))()

describe('look-ups of keys', () => {
  test('are shared by those who ask for the same one, and not repeated within a second', async () => {
    const lookUps = async (work: (authenticate: Authenticate) => Promise<unknown>): Promise<number> => {
      const { db, asked } = counting(known)
      const startedAt = performance.now()
      const authenticate = createAuthenticate(db)
      await work(authenticate)
      await Bun.sleep(rememberedMs / 2)
      await work(authenticate)
      // On a busy machine, it may take longer than a key is remembered.
      return performance.now() - startedAt < rememberedMs ? asked.length : lookUps(work)
    }
    const ofOne = await lookUps((authenticate) =>
      Promise.all(Array.from({ length: 50 }, () => ask(authenticate, apikey))),
    )
    expect(ofOne).toBeLessThanOrEqual(8)
    const unknown = makeToken('key')
    const ofUnknown = await lookUps(async (authenticate) => {
      for (let count = 0; count < 50; count += 1)
        expect(await ask(authenticate, unknown).catch(({ status }) => status)).toBe(401)
    })
    expect(ofUnknown).toBe(1)
  })

  test('are not made where the checksum is wrong', async () => {
    const { db, asked } = counting(known)
    const bad = mistyped(apikey)
    await expect(ask(createAuthenticate(db), bad)).rejects.toMatchObject({ status: 401 })
    expect(asked).toEqual([])
  })

  test('of made-up keys are few at a time, and leave a place for another network', async () => {
    const gate = Promise.withResolvers<void>()
    const { db, asked, mostUnderWay } = counting(async (key) => {
      if (key !== apikey) await gate.promise
      return known(key)
    })
    const authenticate = createAuthenticate(db)
    const flood = Array.from({ length: 500 }, () => ask(authenticate, makeToken('key')).catch(({ status }) => status))
    expect(await ask(authenticate, apikey, 'another')).toMatchObject({ companyId: 'acme' })
    expect(asked.length).toBeLessThan(20)
    gate.resolve()
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401]))
    expect(mostUnderWay()).toBeLessThanOrEqual(12)
  })

  test('past what may wait are refused as overloaded, and not as unknown', async () => {
    const { db } = counting(known)
    const authenticate = createAuthenticate(db)
    const flood = Array.from({ length: 1500 }, () => ask(authenticate, makeToken('key')).catch(({ status }) => status))
    const statuses = await Promise.all(flood)
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(400)
  })
})

test('a key alone is not taken for its company', async () => {
  const { db } = counting(known)
  const authenticate = createAuthenticate(db)
  await ask(authenticate, apikey)
  const opened = (headers: Record<string, string>) => authenticate.read(new Headers(headers)).opened
  expect(opened({ apikey, 'x-api-secret': secret })).toMatchObject({ id: 's1' })
  expect(opened({ apikey, 'x-api-secret': makeToken('secret') })).toBeNull()
  expect(opened({ apikey })).toBeNull()
})
