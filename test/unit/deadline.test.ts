import { expect, test } from 'bun:test'
import { createDeadline } from '../../src/traffic/deadline.ts'

class Late extends Error {}
const failLate = createDeadline(() => new Late())
const inTime = <Result>(work: Promise<Result>, ms = 20) => failLate(work, ms, asIs, () => {})
const asIs = <Result>(found: Result): Result => found
const never = () => new Promise<never>(() => {})

test('passes on what is settled in time', async () => {
  expect(await inTime(Promise.resolve(1))).toBe(1)
  await expect(inTime(Promise.reject(new RangeError()))).rejects.toBeInstanceOf(RangeError)
})

test('fails where what was found cannot be read', async () => {
  const unreadable = () => {
    throw new RangeError()
  }
  await expect(failLate(Promise.resolve(1), 20, unreadable, () => {})).rejects.toBeInstanceOf(RangeError)
})

test('fails what is not, each by itself', async () => {
  const works = [inTime(never()), inTime(Promise.resolve('meanwhile')), inTime(never())]
  const settled = await Promise.allSettled(works)
  expect(settled.map((one) => (one.status === 'rejected' ? one.reason : one.value))).toEqual([
    new Late(),
    'meanwhile',
    new Late(),
  ])
})

test('watches again after all was settled', async () => {
  await Bun.sleep(40)
  await expect(inTime(never())).rejects.toBeInstanceOf(Late)
})

test('fails the soonest first, whichever came first', async () => {
  const failed: string[] = []
  const note = (name: string, ms: number) => inTime(never(), ms).catch(() => failed.push(name))
  await Promise.all([note('later', 60), note('soon', 20), note('in between', 40)])
  expect(failed).toEqual(['soon', 'in between', 'later'])
})

test('tells when something is settled, in time or not', async () => {
  let settled = 0
  const count = () => {
    settled += 1
  }
  const late = Promise.withResolvers<void>()
  const works = [
    failLate(Promise.resolve(), 20, asIs, count),
    failLate(Promise.reject(new RangeError()), 20, asIs, count),
    failLate(late.promise, 20, asIs, count),
  ]
  await Promise.allSettled(works)
  expect(settled).toBe(2)
  late.resolve()
  await Bun.sleep(0)
  expect(settled).toBe(3)
})
