import { expect, test } from 'bun:test'
import { arrayText } from '../../src/store/postgres/postgres-compare.ts'

test('a list for PostgreSQL has quotes and backslashes escaped, and all else as it is', () => {
  const texts = [
    '',
    'plain',
    'a "b" \\ c',
    'ü\u2028😀',
    '\n\t"',
    '\u007f\u0085\\',
    '\ud800"',
    '"'.repeat(3),
    'null',
    '{,}',
  ]
  const escaped = texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  expect(arrayText([...texts, null])).toBe(`{${escaped.join()},null}`)
})
