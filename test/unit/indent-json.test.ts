import { expect, test } from 'bun:test'
import { indentJson } from '../../src/web/api-reference/indent-json.ts'

test.each([
  [[]],
  [{}],
  [[1, -2.5, true, null, 'a "b", {c: [d]} \\']],
  [{ a: { b: [], c: {} }, d: [[], [1]] }],
  ['text'],
])('indents %j as JSON.stringify does', (value) => {
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  expect(indentJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2))
})

test('leaves the digits of numbers as they are', () => {
  expect(indentJson('{"cost":12345678901234567.50}')).toBe('{\n  "cost": 12345678901234567.50\n}')
})
