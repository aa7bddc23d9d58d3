import { expect, test } from 'bun:test'
import { numericKey } from '../../src/types/cast-number.ts'
import { castText } from '../../src/types/cast-text.ts'
import { growthOf } from '../support/growth.ts'

const refused = (text: string): void => expect(() => castText('numeric', text)).toThrow()

const work: readonly [string, (length: number) => unknown][] = [
  ['zeros before a last digit', (length) => numericKey(`0.${'0'.repeat(length)}1`)],
  ['zeros behind a digit', (length) => numericKey(`0.1${'0'.repeat(length)}`)],
  ['negative digits', (length) => numericKey(`-${'7'.repeat(length)}`)],
  ['digits before a letter', (length) => refused(`${'7'.repeat(length)}x`)],
  ['blanks between two letters', (length) => refused(`a${' '.repeat(length)}b`)],
]

test.each(work)('a number of many %s is read in a time that grows with its length', async (_, read) => {
  expect(await growthOf(10_000, read)).toBeLessThan(8)
})

test('keys of numbers sort as the numbers do, and are the same for the same number', () => {
  const sorted = ['-100.5', '-100', '-9', '-0.10', '-0.01', '0', '0.001', '0.01', '0.1', '9.99', '10', '100.50']
  const keys = sorted.map(numericKey)
  expect(keys.toSorted()).toEqual(keys)
  expect(new Set(keys).size).toBe(keys.length)
  expect([numericKey('-100.500'), numericKey('0.0'), numericKey('010')]).toEqual([
    numericKey('-100.5'),
    numericKey('0'),
    numericKey('10'),
  ])
})
