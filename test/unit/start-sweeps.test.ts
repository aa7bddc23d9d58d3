import { expect, test } from 'bun:test'
import { startSweeps } from '../../src/cli/start-sweeps.ts'
import { until } from '../support/service.ts'

const often = { firstMs: 1, eachMs: 1 }

test('a run begins when the one before has ended, and one kind that fails keeps no other back', async () => {
  const failed: unknown[] = []
  let [runs, running, most] = [0, 0, 0]
  const slow = async () => {
    running += 1
    most = Math.max(most, running)
    await Bun.sleep(20)
    running -= 1
    runs += 1
  }
  const stop = startSweeps([() => Promise.reject('away'), slow], (error) => failed.push(error), often)
  await until(() => runs >= 3)
  stop()
  expect(most).toBe(1)
  expect(failed.length).toBeGreaterThanOrEqual(3)
})

test('the first run comes long before the second one would', async () => {
  let runs = 0
  const forget = async () => {
    runs += 1
  }
  const stop = startSweeps([forget], () => {}, { firstMs: 1, eachMs: 3_600_000 })
  await until(() => runs === 1)
  stop()
})

test('nothing is run after the end, even if a run was under way', async () => {
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let runs = 0
  const held = async () => {
    runs += 1
    begun.resolve()
    await release.promise
  }
  const stop = startSweeps([held], () => {}, often)
  await begun.promise
  stop()
  release.resolve()
  await Bun.sleep(50)
  expect(runs).toBe(1)
})
