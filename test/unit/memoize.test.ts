import { expect, test } from 'bun:test'
import { memoizeText } from '../../src/caches/memoize.ts'

test('makes something once for each text', () => {
  const made: string[] = []
  const upper = memoizeText((text) => {
    made.push(text)
    return text.toUpperCase()
  })
  expect([upper('a'), upper('b'), upper('a')]).toEqual(['A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
})

test('remembers nothing of what failed', () => {
  let tries = 0
  const fail = memoizeText(() => {
    tries += 1
    throw new RangeError()
  })
  expect(() => fail('a')).toThrow(RangeError)
  expect(() => fail('a')).toThrow(RangeError)
  expect(tries).toBe(2)
})

test('forgets where ever new texts come', () => {
  let made = 0
  const count = memoizeText(() => {
    made += 1
    return made
  })
  count('first')
  for (let at = 0; at < 60; at += 1) count(String(at).repeat(10_000))
  expect(count('first')).toBe(62)
  expect(count('first')).toBe(62)
})
