import { expect, test } from 'bun:test'
import { pendingText, successText } from '../../src/web/webhooks/figures.ts'

test('the share of received attempts is a whole number only for none and all', () => {
  const shares = [
    [0, 0, 'No attempts'],
    [0, 7, '0 %'],
    [7, 7, '100 %'],
    [1, 5000, '0.1 %'],
    [4999, 5000, '99.9 %'],
    [1, 2, '50.0 %'],
  ] as const
  for (const [received, attempts, text] of shares) expect(successText({ received, attempts })).toBe(text)
})

test('as many pending events as are counted may be more', () => {
  expect([0, 999, 1000].map((pending) => pendingText({ pending }))).toEqual(['0', '999', '1,000 or more'])
})
