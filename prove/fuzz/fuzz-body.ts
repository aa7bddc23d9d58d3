import type { Random } from '../random.ts'
import { ownNames, ownValue } from './fuzz-fields.ts'
import { column, id, pair } from './fuzz-query.ts'
import { anyText, moment, mutated, name, oddText } from './fuzz-text.ts'

/** Rows in the form of a content type, or what is none. */
export function bodyOf(random: Random, type: string, path: string): string {
  if (random.chance(0.03)) return random.pick(badBodies)(random)
  const rows = Array.from({ length: random.chance(0.7) ? 1 : random.below(random.chance(0.005) ? 1200 : 4) }, () =>
    row(random, path),
  )
  if (type === 'text/csv') return csvOf(random, rows)
  if (type === 'application/x-www-form-urlencoded')
    return Object.entries(rows[0] ?? {})
      .map(([key, value]) => pair(random, key, String(value)))
      .join('&')
  const text = JSON.stringify(rows.length === 1 && random.chance(0.8) ? rows[0] : rows)
  return random.chance(0.04) ? mutated(random, text) : text
}

/** Mostly what the resource wants, so that it gets written. */
export function row(random: Random, path: string): Record<string, unknown> {
  const made: Record<string, unknown> =
    path === '/bid' ? { bid_name: name(random) } : { bid_id: id(random), project_name: name(random) }
  if (random.chance(0.5)) made.id = id(random)
  if (random.chance(0.3)) made[random.pick(ownNames)] = ownValue(random)
  if (random.chance(0.05))
    made[column(random)] = random.pick([null, 1, true, [], {}, [[1]], { a: 1 }, oddText(random), moment(random), 1e308])
  if (random.chance(0.03)) delete made[random.pick(Object.keys(made))]
  return made
}

const csvOf = (random: Random, rows: readonly Record<string, unknown>[]): string => {
  const names = Object.keys(rows[0] ?? {})
  const cell = (value: unknown) => (random.chance(0.7) ? `"${String(value).replaceAll('"', '""')}"` : String(value))
  return [names.join(','), ...rows.map((one) => names.map((key) => cell(one[key])).join(','))].join(
    random.pick(['\n', '\r\n']),
  )
}

const badBodies: readonly ((random: Random) => string)[] = [
  (random) =>
    random.pick([
      '',
      '{',
      '[',
      '[]',
      '{}',
      'null',
      '3',
      '"x"',
      '[1]',
      '[[]]',
      '[{},null]',
      '{"id":{}}',
      '{"":1}',
      '\ufeff{}',
      'NaN',
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
    ]),
  (random) => '['.repeat(random.pick([100, 10_000, 100_000])),
  (random) => `${'{"a":'.repeat(random.pick([100, 5000]))}1${'}'.repeat(random.pick([100, 5000]))}`,
  (random) =>
    `{"project_name":${random.pick(['"\\ud800"', '"\\u0000"', '1e999', '-0', '"\\x"', '123456789012345678901234567890'])}}`,
  anyText,
]
