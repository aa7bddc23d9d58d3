import { describe, expect, test } from 'bun:test'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'
import { chunkBytes, type Source, streamParts, streamWhole } from '../../src/traffic/paced-stream.ts'

const megabyte = 1024 * 1024

/** Parts of one size, and what was asked of them. */
function partsOf(count: number, bytes: number, fails = false) {
  const told = { asked: 0, ended: [] as unknown[], cancelled: 0 }
  const source: Source = {
    next: async () => {
      if (fails && told.asked === 1) throw new Error('The database is gone')
      told.asked += 1
      return told.asked > count ? null : new Uint8Array(bytes).fill(told.asked)
    },
    ended: (error) => told.ended.push(error),
    cancel: () => (told.cancelled += 1),
  }
  return { source, told }
}

describe('an answer in parts', () => {
  test('comes whole, in chunks, and holds one part at a time', async () => {
    const budget = createByteBudget(64 * megabyte)
    const { source, told } = partsOf(3, megabyte + 5)
    const reader = (await streamParts(source, budget.hold('a'))).getReader()
    let size = 0
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      size += step.value.byteLength
      expect(step.value.byteLength).toBeLessThanOrEqual(chunkBytes)
      expect(budget.load().held).toBe(megabyte + 5)
    }
    expect([size, told.ended, budget.load().held]).toEqual([3 * (megabyte + 5), [undefined], 0])
  })

  test('is fetched no faster than it is taken', async () => {
    const { source, told } = partsOf(10, megabyte)
    const reader = (await streamParts(source, createByteBudget(64 * megabyte).hold('a'))).getReader()
    await reader.read()
    await Bun.sleep(20)
    expect(told.asked).toBe(1)
  })

  test.each([
    ['the client goes', false],
    ['the source fails', true],
  ])('gives back what it holds when %s', async (_, fails) => {
    const budget = createByteBudget(64 * megabyte)
    const { source, told } = partsOf(10, 1000, fails)
    const reader = (await streamParts(source, budget.hold('a'))).getReader()
    await reader.read()
    if (fails) await expect(reader.read()).rejects.toThrow('cut short')
    else await reader.cancel()
    expect(budget.load().held).toBe(0)
    expect(told.ended).toEqual([fails ? new Error('The database is gone') : undefined])
    expect(told.cancelled).toBe(fails ? 0 : 1)
  })

  test('waits for room before its next part', async () => {
    const budget = createByteBudget(8 * megabyte)
    const { source, told } = partsOf(2, 1.5 * megabyte)
    const reader = (await streamParts(source, budget.hold('a'))).getReader()
    for (let chunk = 0; chunk < 24; chunk += 1) await reader.read()
    const other = budget.hold('a')
    other.hold(2 * megabyte)
    const next = reader.read()
    await Bun.sleep(20)
    expect(told.asked).toBe(1)
    other.release()
    expect((await next).done).toBe(false)
  })

  test('holds what its parts may be before it has one, and does not wait for more behind a larger one', async () => {
    const budget = createByteBudget(64 * megabyte)
    const texts = ['a'.repeat(9 * megabyte)]
    const held: number[] = []
    const next = async () => {
      held.push(budget.load().held)
      return texts.pop() ?? null
    }
    const reader = (await streamParts({ partBytes: megabyte, next, ended: () => {} }, budget.hold('a'))).getReader()
    expect([...held, budget.load().held]).toEqual([2 * megabyte, 18 * megabyte])
    // Two megabytes of the company's quarter are left.
    budget.hold('a').hold(14 * megabyte)
    for (let step = await reader.read(); !step.done; step = await reader.read());
    expect(budget.load().held).toBe(14 * megabyte)
  })

  test('is refused before it begins where there is no room', async () => {
    const budget = createByteBudget(8 * megabyte)
    budget.hold('a').hold(2 * megabyte)
    await expect(streamParts(partsOf(1, 1).source, budget.hold('a'))).rejects.toThrow('More requests came in')
    expect(budget.load().held).toBe(2 * megabyte)
  })

  test('is refused where its first part fails, and holds nothing then', async () => {
    const budget = createByteBudget(64 * megabyte)
    const next = () => Promise.reject(new Error('The database is gone'))
    const ended: unknown[] = []
    const source: Source = { next, ended: (error) => ended.push(error) }
    await expect(streamParts(source, budget.hold('a'))).rejects.toThrow('The database is gone')
    // Whoever is told of the failure ends the request.
    expect([budget.load().held, ended]).toEqual([0, []])
  })
})

test('an answer in memory is held until its last chunk is taken', async () => {
  const budget = createByteBudget(64 * megabyte)
  const hold = budget.hold('a')
  const bytes = new Uint8Array(3 * chunkBytes + 1).map((_, at) => at)
  hold.hold(bytes.byteLength)
  const taken: Uint8Array[] = []
  for await (const chunk of streamWhole(bytes, hold)) {
    expect(budget.load().held).toBe(bytes.byteLength)
    taken.push(chunk)
  }
  expect(Buffer.concat(taken).equals(bytes)).toBe(true)
  expect([taken.length, budget.load().held]).toEqual([4, 0])
})

test('a text is cut between its characters, wherever they are', async () => {
  for (const before of [0, 1, 2, 3]) {
    const text = `${'a'.repeat(before)}${'é€😀'.repeat(chunkBytes)}`
    const hold = createByteBudget(64 * megabyte).hold('a')
    expect(await new Response(streamWhole(text, hold)).text()).toBe(text)
  }
})
