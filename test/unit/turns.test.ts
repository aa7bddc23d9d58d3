import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLoopTurns } from '../../src/traffic/loop-turns.ts'
import { createIsAlone, createTurns, type Lane, type TurnSettings } from '../../src/traffic/turns.ts'

const competing = () => false
const small: TurnSettings = { atOnce: 2, alone: 4, kept: 1, waitingMax: 10 }

/** What becomes of a place that was asked for, once promises had their time. */
async function outcome(place: Lane | Promise<Lane>): Promise<Lane | 'waits' | 'refused'> {
  const settled = Promise.resolve(place).catch(() => 'refused' as const)
  return Promise.race([settled, Bun.sleep(0).then(() => 'waits' as const)])
}

describe('a company alone', () => {
  test('has all places at once, without a promise, and then waits', async () => {
    const turns = createTurns(small, createIsAlone())
    expect(Array.from({ length: 4 }, () => turns.take('a'))).toEqual(['shared', 'shared', 'shared', 'shared'])
    const fifth = turns.take('a')
    expect(await outcome(fifth)).toBe('waits')
    turns.give('a', 'shared')
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
  test('leave a place for one that has nothing under way, and only for such', async () => {
    const turns = createTurns(small, competing)
    expect([turns.take('a'), turns.take('a')]).toEqual(['shared', 'shared'])
    const third = turns.take('a')
    expect(await outcome(third)).toBe('waits')
    expect(turns.take('b')).toBe('kept')
    expect(await outcome(turns.take('b'))).toBe('waits')
  })

  test('are served in turn, however much one of them asks for', async () => {
    const turns = createTurns({ ...small, kept: 0, waitingMax: 100 }, competing)
    const served: string[] = []
    const ask = async (who: string): Promise<void> => {
      const lane = await turns.take(who)
      served.push(who)
      await Bun.sleep(0)
      turns.give(who, lane)
    }
    await Promise.all([...'aaaaaaaaaa', ...'bb', ...'c'].map(ask))
    expect(served.slice(0, 6).join('')).toBe('aaabca')
    expect(served.slice(0, 7)).toContain('b')
    expect(served).toHaveLength(13)
  })

  test('are refused at once where too many wait: half of all for one company, and no more than all together', async () => {
    const turns = createTurns(small, competing)
    const places = [...'aaaaaaaaaaa'].map((who) => turns.take(who))
    const outcomes = await Promise.all(places.map(outcome))
    expect(outcomes.filter((one) => one === 'shared')).toHaveLength(2)
    expect(outcomes.filter((one) => one === 'waits')).toHaveLength(5)
    expect(outcomes.filter((one) => one === 'refused')).toHaveLength(4)
    const others = await Promise.all([...'bcdefghi'].map((who) => outcome(turns.take(who))))
    expect(others).toEqual(['kept', 'waits', 'waits', 'waits', 'waits', 'waits', 'refused', 'refused'])
  })

  test('do not wait for ever behind work that does not end', async () => {
    const turns = createTurns({ ...small, kept: 0, waitMsMax: 20 }, competing)
    turns.take('a')
    turns.take('a')
    const failed = await Promise.resolve(turns.take('b')).catch((error) => error)
    expect(failed).toMatchObject({ status: 503, code: 'overloaded' })
    turns.give('a', 'shared')
    expect(turns.take('c')).toBe('shared')
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

test('whatever is asked and ended in whatever order, no place is given twice and none is lost', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()), { maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const turns = createTurns({ ...small, waitingMax: 1000 }, competing)
      const held: { readonly who: string; readonly lane: Lane }[] = []
      let waiting = 0
      const ask = async (who: string): Promise<void> => {
        waiting += 1
        const lane = await turns.take(who)
        waiting -= 1
        if (lane === 'kept') expect(held.filter((one) => one.who === who)).toEqual([])
        held.push({ who, lane })
      }
      const settle = () => new Promise((resolve) => setImmediate(resolve))
      for (const [who, isEnd] of all) {
        if (!isEnd) void ask(who)
        const ended = isEnd ? held.shift() : undefined
        if (ended) turns.give(ended.who, ended.lane)
        await settle()
        expect(held.filter(({ lane }) => lane === 'shared').length).toBeLessThanOrEqual(2)
        expect(held.filter(({ lane }) => lane === 'kept').length).toBeLessThanOrEqual(1)
        // Nobody waits while there is room for everybody.
        if (waiting > 0) expect(held.filter(({ lane }) => lane === 'shared')).toHaveLength(2)
      }
      for (let ended = held.shift(); ended; ended = held.shift()) {
        turns.give(ended.who, ended.lane)
        await settle()
      }
      expect(waiting).toBe(0)
    }),
    { numRuns: 100 },
  )
})
