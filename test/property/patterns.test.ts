import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ApiError } from '../../src/errors/index.ts'
import { parsePattern } from '../../src/resources/text/pattern.ts'
import { matcherOf } from '../../src/resources/text/pattern-matcher.ts'
import { sizeOfPattern } from '../../src/resources/text/pattern-size.ts'
import { regexOf } from '../../src/store/compile/patterns.ts'
import { sql } from '../../src/store/sql.ts'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

/** What PostgreSQL says of texts and patterns, to compare with. */
const world = new World({})

beforeAll(async () => {
  for (const engine of engines) if (engine.name === 'postgres') await world.open(engine)
}, 600_000)

afterAll(() => world.close())

const anchor = fc.constantFrom('^', '$', '\\A', '\\Z', '\\m', '\\M', '\\y', '\\Y')
const atom = fc.constantFrom(
  'a',
  'B',
  '_',
  ' ',
  '.',
  '\\w',
  '\\W',
  '\\s',
  '[^a]',
  '[[:alpha:]-]',
  '\\x61',
  '\\u00e9',
  '\\.',
)
const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '*?')
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(atom, repeat).map((parts) => parts.join('')) },
    { weight: 2, arbitrary: anchor },
    fc.tuple(tie('pattern'), repeat).map(([inner, times]) => `(?:${inner})${times}`),
  ),
  pattern: fc
    .array(tie('part'), { minLength: 1, maxLength: 4 })
    .chain((parts) => fc.constantFrom(parts.join(''), parts.join(''), parts.join('|'))),
}))
const options = fc.constantFrom('', '', '(?i)', '(?n)', '(?p)', '(?w)', '(?is)', '(?x)')
const text = fc
  .array(fc.constantFrom('a', 'b', 'A', '_', ' ', '-', '.', '\n'), { maxLength: 6 })
  .map((characters) => characters.join(''))

interface Case {
  readonly written: string
  readonly pattern: string
  readonly text: string
  readonly found: boolean
}

/** Some are refused: their anchors are too many, or repeated. */
function caseOf(written: string, text: string): Case[] {
  try {
    const parsed = parsePattern(written)
    if (sizeOfPattern(parsed, false).anchors > 6) return []
    return [{ written, pattern: regexOf(parsed), text, found: matcherOf(parsed, false)(text) }]
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

test('texts match where PostgreSQL says so, of the pattern as it was written and as it is spelled for it', async () => {
  const sample = fc.sample(fc.tuple(options, pattern, text), { numRuns: 1500, seed: Date.now() })
  const cases = sample.flatMap(([start, rest, text]) => caseOf(start + rest, text))
  // In "C", words have the letters of ASCII, as everywhere here.
  const answers = await world.db.read(
    sql`select ((one->>'text') collate "C") ~ (one->>'written'), ((one->>'text') collate "und-x-icu") ~ (one->>'pattern')
      from json_array_elements(${JSON.stringify(cases)}::text::json) with ordinality as list (one, at) order by at`,
  )
  const differ = cases.filter(({ found }, at) => answers[at]?.some((answer) => Boolean(answer) !== found))
  expect(differ).toEqual([])
  expect(cases.length).toBeGreaterThan(500)
  expect(cases.filter(({ found }) => found).length).toBeGreaterThan(150)
}, 600_000)
