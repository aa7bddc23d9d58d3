import { expect, test } from 'bun:test'
import { latencyColumns, noLatency, percentile, stepOf } from '../../src/keys/latency.ts'

test('a time is counted in the step that it lies in', () => {
  const times = [0, 0.1, 0.24, 0.25, 0.49, 0.5, 1, 3.99, 4, 4095, 4096, 1e9]
  expect(times.map(stepOf)).toEqual([0, 0, 0, 1, 1, 2, 3, 4, 5, 14, 15, 15])
  expect(latencyColumns).toHaveLength(16)
})

test('percentiles are near those of the times that were counted', () => {
  const counts = noLatency()
  const times = Array.from({ length: 1000 }, (_, at) => 1 + at / 10)
  for (const ms of times) counts[stepOf(ms)] = (counts[stepOf(ms)] ?? 0) + 1
  for (const [share, exact] of [
    [0.5, 51],
    [0.95, 96],
  ] as const) {
    expect(Math.abs((percentile(counts, share) ?? 0) / exact - 1)).toBeLessThan(0.35)
  }
  expect(percentile(noLatency(), 0.5)).toBe(null)
})
