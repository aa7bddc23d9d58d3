import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { strangerLanes } from '../../src/exchange.ts'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'

const megabyte = 1024 * 1024

describe('a budget of bytes', () => {
  test('gives one company a quarter, and leaves the rest to others', () => {
    const budget = createByteBudget(64 * megabyte)
    const takes = (who: string) => budget.hold(who).tryHold(8 * megabyte)
    expect([takes('a'), takes('a'), takes('a')]).toEqual([true, true, false])
    expect([takes('b'), takes('b'), takes('b')]).toEqual([true, true, false])
    expect(budget.load()).toEqual({ held: 32 * megabyte, refused: 2 })
  })

  test('gives strangers together no more than a company', () => {
    const budget = createByteBudget(64 * megabyte)
    const takes = (lane: number) => budget.hold(`strangers ${lane}`, 'other').tryHold(megabyte)
    const lanes = Array.from({ length: strangerLanes }, (_, lane) => lane)
    for (const lane of lanes) expect([takes(lane), takes(lane), takes(lane)]).toEqual([true, true, false])
    expect(budget.load().held).toBe(16 * megabyte)
  })

  test('has an end for all together, but a little for everyone', () => {
    const budget = createByteBudget(8 * megabyte)
    for (const who of 'abcd') expect(budget.hold(who).tryHold(2 * megabyte)).toBe(true)
    const late = budget.hold('e')
    expect([late.tryHold(2 * megabyte), late.tryHold(megabyte), late.tryHold(megabyte + 1)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('lets one request alone be larger than the share of its company', () => {
    const budget = createByteBudget(64 * megabyte)
    budget.hold('b').tryHold(8 * megabyte)
    const large = budget.hold('a')
    for (const size of [10, 20, 40]) expect(large.tryHold(size * megabyte)).toBe(true)
    expect(budget.hold('a').tryHold(2 * megabyte)).toBe(false)
    expect(large.tryHold(60 * megabyte)).toBe(false)
  })

  test('lets the last one exceed a share of which anything is left, but not all there is', () => {
    const budget = createByteBudget(64 * megabyte)
    const more = (who: string, size: number) => budget.hold(who).tryMore(size * megabyte)
    expect([more('a', 15), more('a', 15), more('a', 0), more('a', 1)]).toEqual([true, true, false, false])
    expect([more('b', 15), more('b', 20), more('b', 0)]).toEqual([true, false, true])
    expect(budget.load()).toEqual({ held: 45 * megabyte, refused: 3 })
  })

  test('adds to what a request holds, which never stands in its own way', () => {
    const budget = createByteBudget(64 * megabyte)
    const own = budget.hold('a')
    expect([own.tryHold(20 * megabyte), own.tryMore(0), own.tryMore(10 * megabyte)]).toEqual([true, true, true])
    expect([own.bytes, budget.hold('a').tryMore(0)]).toEqual([30 * megabyte, false])
    own.release()
    expect([own.tryMore(1), budget.load().held]).toEqual([false, 0])
  })

  test('leaves a little for everyone who holds more', () => {
    const budget = createByteBudget(8 * megabyte)
    for (const who of 'abcd') budget.hold(who).hold(2 * megabyte)
    const late = budget.hold('e')
    expect([late.tryMore(megabyte), late.tryMore(1), late.bytes]).toEqual([true, false, megabyte])
  })

  test('counts what is in memory already, however much that is', () => {
    const budget = createByteBudget(8 * megabyte)
    budget.hold('a').hold(20 * megabyte)
    expect(budget.load().held).toBe(20 * megabyte)
    expect(budget.hold('a').tryHold(2 * megabyte)).toBe(false)
  })

  test('holds nothing for a request that has ended', () => {
    const budget = createByteBudget(8 * megabyte)
    const ended = budget.hold('a')
    ended.hold(megabyte)
    ended.release()
    ended.hold(megabyte)
    expect([ended.tryHold(1), budget.load().held]).toEqual([false, 0])
  })

  test('is empty again, whatever was held and released in whatever order', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20), fc.boolean()), { maxLength: 50 })
    fc.assert(
      fc.property(steps, (all) => {
        const budget = createByteBudget(16 * megabyte)
        const holds = all.map(([who, size, isForced]) => {
          const hold = budget.hold(who)
          if (isForced) hold.hold(size * megabyte)
          else hold.tryHold(size * megabyte)
          return hold
        })
        expect(budget.load().held).toBe(holds.reduce((sum, { bytes }) => sum + bytes, 0))
        for (const hold of holds) hold.release()
        expect(budget.load().held).toBe(0)
      }),
    )
  })
})
