import { expect, test } from 'bun:test'
import { paced } from '../../src/web/live/paced.ts'
import { until } from '../support/service.ts'

test('many calls in a row run at once, and once more afterwards', async () => {
  let runs = 0
  const call = paced(async () => {
    runs += 1
    if (runs === 1) throw new Error('a failure ends nothing')
  })
  call()
  expect(runs).toBe(1)
  for (let at = 0; at < 100; at += 1) call()
  await until(() => runs === 2)
  await Bun.sleep(0)
  expect(runs).toBe(2)
})
