import { expect, test } from 'bun:test'
import { createPreparedTexts } from '../../src/store/postgres/prepared-texts.ts'

const text = (number: number): string => `select ${String(number).padEnd(990, ' ')}`

test('keeps statements until they take too much room, and then only those that it has', () => {
  const prepared = createPreparedTexts(1, () => 0)
  const admitted = Array.from({ length: 1000 }, (_, number) => number).filter((number) => prepared.admits(text(number)))
  expect(admitted.length).toBeGreaterThan(100)
  expect(admitted.length).toBeLessThan(300)
  expect(prepared.admits(text(0))).toBe(true)
  expect(prepared.admits(text(999))).toBe(false)
})

test('never keeps a long one', () => {
  expect(createPreparedTexts(1).admits('x'.repeat(3001))).toBe(false)
})

test('is full only after a while, so that connections are not made anew for each new statement', () => {
  let now = 0
  const prepared = createPreparedTexts(1, () => now)
  for (let number = 0; number < 1000; number += 1) prepared.admits(text(number))
  expect(prepared.isFull()).toBe(false)
  now = 61_000
  expect(prepared.isFull()).toBe(true)
  prepared.startOver()
  expect([prepared.isFull(), prepared.admits(text(999))]).toEqual([false, true])
})

test('keeps only those that are used often, where that is asked', () => {
  const prepared = createPreparedTexts(3)
  expect([1, 2, 3, 4].map(() => prepared.admits('select 1'))).toEqual([false, false, true, true])
  // What is used once each does not push out what is used often, and takes no room.
  for (let number = 0; number < 20_000; number += 1) expect(prepared.admits(text(number))).toBe(false)
  expect([prepared.admits('select 1'), prepared.isFull()]).toEqual([true, false])
})
