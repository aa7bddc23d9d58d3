import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLoopTurns } from '../../src/traffic/loop-turns.ts'
import { createIsAlone, createTurns, type Slot, type TurnSettings } from '../../src/traffic/turns.ts'

const competing = () => false
const small: TurnSettings = { atOnce: 2, atOnceAlone: 4, reserved: 1, waitingMax: 10 }

/** What becomes of a slot that was asked for, after promises have settled. */
async function outcome(given: Slot | Promise<Slot>): Promise<Slot | 'waits' | 'refused'> {
  const settled = Promise.resolve(given).catch(() => 'refused' as const)
  return Promise.race([settled, Bun.sleep(0).then(() => 'waits' as const)])
}

describe('a company alone', () => {
  test('has all slots at once, without a promise, and then waits', async () => {
    const turns = createTurns(small, createIsAlone())
    expect(Array.from({ length: 4 }, () => turns.acquire('a'))).toEqual(['shared', 'shared', 'shared', 'shared'])
    const fifth = turns.acquire('a')
    expect(await outcome(fifth)).toBe('waits')
    turns.release('a', 'shared')
    expect(await outcome(fifth)).toBe('shared')
  })

  test('is alone again a second after the other one', () => {
    let now = 5000
    const isAlone = createIsAlone(() => now)
    expect([isAlone('a'), isAlone('a'), isAlone('b'), isAlone('a')]).toEqual([true, true, false, false])
    now += 999
    expect(isAlone('a')).toBe(false)
    now += 1
    expect([isAlone('a'), isAlone('a')]).toEqual([true, true])
  })
})

describe('companies that compete', () => {
  test('have no more slots each than they may, however many are free', async () => {
    const turns = createTurns({ ...small, atOnce: 4, atOnceEach: 2 }, competing)
    expect([turns.acquire('a'), turns.acquire('a')]).toEqual(['shared', 'shared'])
    const third = turns.acquire('a')
    expect(await outcome(third)).toBe('waits')
    expect([turns.acquire('b'), turns.acquire('b')]).toEqual(['shared', 'shared'])
    turns.release('b', 'shared')
    expect(await outcome(third)).toBe('waits')
    turns.release('a', 'shared')
    expect(await outcome(third)).toBe('shared')
  })

  test('leave a slot for one that has nothing under way, and only for such', async () => {
    const turns = createTurns(small, competing)
    expect([turns.acquire('a'), turns.acquire('a')]).toEqual(['shared', 'shared'])
    const third = turns.acquire('a')
    expect(await outcome(third)).toBe('waits')
    expect(turns.acquire('b')).toBe('reserved')
    expect(await outcome(turns.acquire('b'))).toBe('waits')
  })

  test('may fill the shared slots besides a reserved one, so that none is free while somebody waits', async () => {
    const turns = createTurns(small, competing)
    expect([turns.acquire('d'), turns.acquire('b'), turns.acquire('a')]).toEqual(['shared', 'shared', 'reserved'])
    const [second, third] = [turns.acquire('a'), turns.acquire('a')]
    turns.release('d', 'shared')
    expect(await outcome(second)).toBe('shared')
    expect(await outcome(third)).toBe('waits')
    turns.release('b', 'shared')
    expect(await outcome(third)).toBe('shared')
    const fourth = turns.acquire('a')
    expect(await outcome(fourth)).toBe('waits')
    turns.release('a', 'reserved')
    expect(await outcome(fourth)).toBe('waits')
  })

  test('are served in turn, however much one of them asks for', async () => {
    const turns = createTurns({ ...small, reserved: 0, waitingMax: 100 }, competing)
    const served: string[] = []
    const ask = async (who: string): Promise<void> => {
      const slot = await turns.acquire(who)
      served.push(who)
      await Bun.sleep(0)
      turns.release(who, slot)
    }
    await Promise.all([...'aaaaaaaaaa', ...'bb', ...'c'].map(ask))
    expect(served.slice(0, 6).join('')).toBe('aaabca')
    expect(served.slice(0, 7)).toContain('b')
    expect(served).toHaveLength(13)
  })

  test('are refused at once where too many wait: half of all for one company, and no more than all together', async () => {
    const turns = createTurns(small, competing)
    const slots = [...'aaaaaaaaaaa'].map((who) => turns.acquire(who))
    const outcomes = await Promise.all(slots.map(outcome))
    expect(outcomes.filter((one) => one === 'shared')).toHaveLength(2)
    expect(outcomes.filter((one) => one === 'waits')).toHaveLength(5)
    expect(outcomes.filter((one) => one === 'refused')).toHaveLength(4)
    const others = await Promise.all([...'bcdefghi'].map((who) => outcome(turns.acquire(who))))
    expect(others).toEqual(['reserved', 'waits', 'waits', 'waits', 'waits', 'waits', 'refused', 'refused'])
  })

  test('do not wait for ever behind work that does not end', async () => {
    const turns = createTurns({ ...small, reserved: 0, waitMsMax: 20 }, competing)
    turns.acquire('a')
    turns.acquire('a')
    const failed = await Promise.resolve(turns.acquire('b')).catch((error) => error)
    expect(failed).toMatchObject({ status: 503, code: 'overloaded' })
    turns.release('a', 'shared')
    expect(turns.acquire('c')).toBe('shared')
  })
})

describe('turns of the event loop', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test('let everyone who competes begin one thing in each, and newcomers at once', async () => {
    const takeTurn = createLoopTurns(100, competing)
    const begun: string[] = []
    const ask = (who: string): string => {
      const wait = takeTurn(who)
      void wait?.then(() => begun.push(who))
      return wait === null ? 'at once' : 'later'
    }
    expect([...'aaab'].map(ask)).toEqual(['at once', 'later', 'later', 'at once'])
    await turn()
    expect([...'bc'].map(ask)).toEqual(['at once', 'at once'])
    expect(begun).toEqual(['a'])
    await turn()
    expect(begun).toEqual(['a', 'a'])
  })

  test('are nothing to one who is alone', () => {
    const takeTurn = createLoopTurns(1, createIsAlone())
    expect(Array.from({ length: 100 }, () => takeTurn('a')).every((wait) => wait === null)).toBe(true)
  })

  test('are refused where too many wait for one', async () => {
    const takeTurn = createLoopTurns(4, competing)
    const waits = [...'aaaa'].map((who) => takeTurn(who))
    expect(await waits[3]?.catch((error) => error)).toMatchObject({ status: 503, code: 'overloaded' })
    await Promise.all(waits.slice(0, 3))
  })
})

test('whatever is asked and ended in whatever order, no slot is given twice and none is lost', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()), { maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const turns = createTurns({ ...small, waitingMax: 1000 }, competing)
      const held: { readonly who: string; readonly slot: Slot }[] = []
      let waiting = 0
      const ask = async (who: string): Promise<void> => {
        waiting += 1
        const slot = await turns.acquire(who)
        waiting -= 1
        if (slot === 'reserved') expect(held.filter((one) => one.who === who)).toEqual([])
        held.push({ who, slot })
      }
      const settle = () => new Promise((resolve) => setImmediate(resolve))
      for (const [who, isEnd] of all) {
        if (!isEnd) void ask(who)
        const ended = isEnd ? held.shift() : undefined
        if (ended) turns.release(ended.who, ended.slot)
        await settle()
        expect(held.filter(({ slot }) => slot === 'shared').length).toBeLessThanOrEqual(2)
        expect(held.filter(({ slot }) => slot === 'reserved').length).toBeLessThanOrEqual(1)
        // Nobody waits while there is room for everybody.
        if (waiting > 0) expect(held.filter(({ slot }) => slot === 'shared')).toHaveLength(2)
      }
      for (let ended = held.shift(); ended; ended = held.shift()) {
        turns.release(ended.who, ended.slot)
        await settle()
      }
      expect(waiting).toBe(0)
    }),
    { numRuns: 100 },
  )
})
