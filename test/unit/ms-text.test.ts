import { expect, test } from 'bun:test'
import { msText } from '../../src/web/parts/ms-text.ts'

test.each([
  [0, '0 ms'],
  [0.834, '0.83 ms'],
  [5, '5 ms'],
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1234.5, '1.23 s'],
  [15_000, '15.00 s'],
])('%p milliseconds are %p', (ms, text) => {
  expect(msText(ms)).toBe(text)
})
