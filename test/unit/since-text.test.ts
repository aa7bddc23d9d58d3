import { expect, test } from 'bun:test'
import { sinceText } from '../../src/web/parts/since-text.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const after = (seconds: number) => sinceText(new Date(now + seconds * 1000), now)

test('a time still to come is not just now', () => {
  expect([-5, 0, 5, 59].map(after)).toEqual(['just now', 'just now', 'in a few seconds', 'in a few seconds'])
  expect([-60, 60, -7200, 259_200].map(after)).toEqual(['1 minute ago', 'in 1 minute', '2 hours ago', 'in 3 days'])
})
