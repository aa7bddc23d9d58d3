import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { now, subscribe } from '../../src/web/parts/clock.ts'

afterEach(() => {
  setSystemTime()
})

test('is right at once after a while in which nothing was shown', () => {
  const start = Date.parse('2026-03-01T12:00:00Z')
  setSystemTime(start)
  expect(now()).toBe(start)
  setSystemTime(start + 120_000)
  expect(now()).toBe(start + 120_000)
})

test('is right for something new between two ticks', () => {
  const start = Date.parse('2026-03-01T12:00:00Z')
  setSystemTime(start)
  const stop = subscribe(() => {})
  expect(now()).toBe(start)
  setSystemTime(start + 5000)
  expect(now()).toBe(start + 5000)
  stop()
})

test('stands still within a second', () => {
  const start = Date.parse('2026-03-01T12:00:00Z')
  setSystemTime(start)
  now()
  setSystemTime(start + 400)
  expect(now()).toBe(start)
})
