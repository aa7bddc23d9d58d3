import { expect, test } from 'bun:test'
import { inSlices } from '../../src/traffic/in-slices.ts'
import { burn, countTurns } from '../support/turns-of-loop.ts'

test('long work of all callers together has a part of each turn of the event loop', async () => {
  const turns = countTurns()
  const order: string[] = []
  const work = (who: string) =>
    inSlices([1, 2, 3], (item) => {
      burn()
      turns.note()
      order.push(`${who}${item}`)
    })
  await Promise.all([work('a'), work('b'), work('c')])
  turns.stop()
  expect(turns.mostInOne()).toBe(1)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2', 'b3', 'c3'])
})

test('work that fails lets that of others go on', async () => {
  const failing = inSlices([1, 2], (item) => {
    burn()
    if (item === 2) throw new Error('of the second item')
  })
  const done: number[] = []
  const other = inSlices([1, 2, 3], (item) => {
    burn()
    done.push(item)
  })
  await expect(failing).rejects.toThrow('of the second item')
  await other
  expect(done).toEqual([1, 2, 3])
})
