import { expect, test } from 'bun:test'
import { pastText, sinceText } from '../../src/web/parts/since-text.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const after = (seconds: number) => sinceText(new Date(now + seconds * 1000), now)

test('a time still to come is not just now', () => {
  expect([-5, 0, 5, 59].map(after)).toEqual(['just now', 'just now', 'in a few seconds', 'in a few seconds'])
  expect([-60, 60, -7200, 259_200].map(after)).toEqual(['1 minute ago', 'in 1 minute', '2 hours ago', 'in 3 days'])
})

test('what has happened is never still to come', () => {
  const happened = (seconds: number) => pastText(new Date(now + seconds * 1000), now)
  expect([-120, -5, 3, 600].map(happened)).toEqual(['2 minutes ago', 'just now', 'just now', 'just now'])
})
