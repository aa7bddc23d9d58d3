import { expect, test } from 'bun:test'
import { BoundedMap } from '../../src/caches/bounded-map.ts'

test('starts over when one more entry would be too many', () => {
  const map = new BoundedMap<number>(2)
  map.set('a', 1).set('b', 2)
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect([...map.set('c', 3)]).toEqual([['c', 3]])
})

test('keeps all entries when a known one gets a new value', () => {
  const map = new BoundedMap<number>(2, 2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map.values()]).toEqual([3, 2])
})

test('starts over when its keys would get too long', () => {
  const map = new BoundedMap<number>(10, 10)
  map.set('a'.repeat(6), 1).set('b'.repeat(4), 2)
  expect(map.size).toBe(2)
  expect([...map.set('c', 3).values()]).toEqual([3])
})

test('gives back the room of what is deleted', () => {
  const map = new BoundedMap<number>(10, 10)
  map.set('a'.repeat(6), 1).set('b', 2)
  expect([map.delete('a'.repeat(6)), map.delete('a'.repeat(6))]).toEqual([true, false])
  expect([...map.set('c'.repeat(9), 3).values()]).toEqual([2, 3])
})
