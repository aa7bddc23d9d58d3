import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { languageNames, languages, type SearchLanguage } from '../../src/resources/text/languages.ts'
import { type SearchKind, spellSearch, wordsOf } from '../../src/resources/text/search.ts'
import { searcherOf } from '../../src/resources/text/search-text.ts'
import { definedSql, type Sql, sql, textLiteral } from '../../src/store/sql.ts'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

/** What PostgreSQL says of texts and searches, to compare with. */
const world = new World({})

beforeAll(async () => {
  for (const engine of engines) if (engine.name === 'postgres') await world.open(engine)
}, 600_000)

afterAll(() => world.close())

const asked = async (statement: Sql): Promise<unknown[]> => (await world.db.read(statement)).map(([value]) => value)

const docs = join(import.meta.dir, '../../docs')
const read = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => wordsOf(readFileSync(join(docs, name), 'utf8')))

const starts =
  'abat absor accept actual adjust appl argu arsen begg bridg business cit commun conque crossw dam deck die dry easi enjoy ethic fall fil flour gener ' +
  'hap harbour hop idl intern inn ki lead ly mast news north on oper organ past plann pol prob quay rail rat relat sky steel succe tan tun univers us weir y'
const ends =
  'e ed eed eedly ing ingly s ss es ies ied us y ly li ally fully less lessness ful fulness ation ational ator ization izer iveness ive ous ousness ance ence er ier able ible ' +
  'ant ent ement ment ism ist ity sion tion al ical icate ology ogist logi l ll n2 2nd é'

/** Thousands of words, of which many are no words. */
const words = [
  ...new Set([...read, ...starts.split(' ').flatMap((start) => ['', ...ends.split(' ')].map((end) => start + end))]),
]

test('the words of every language are searched by what PostgreSQL searches them by', async () => {
  const [version] = await asked(sql`select current_setting('server_version_num')::int`)
  // PostgreSQL 18 has stems of its own for `added`, `ebbing`, `erred` and `offing`.
  const known = Number(version) < 180_000 ? words : words.filter((word) => !/^[aeo]([b-df-hj-np-tv-z])\1/.test(word))
  expect(known.length).toBeGreaterThan(5000)
  for (const language of languageNames) {
    const found = await asked(
      sql`select to_tsvector(${textLiteral(language)}, word)::text from json_array_elements_text(${JSON.stringify(known)}::text::json) as word`,
    )
    const differ = known.filter((word, at) => vectorOf(languages[language](word)) !== found[at])
    expect(differ).toEqual([])
  }
})

const vectorOf = (lexeme: string | null): string => (lexeme === null ? '' : `'${lexeme}':1`)

const long = 'bridge bridges bridging north northern dam dams deck 2 2nd 8e3x été'.split(' ')
const longWord = fc.constantFrom(...long)
const word = fc.constantFrom('the', 'of', 'and', ...long)
const text = fc.array(word, { maxLength: 8 }).map((all) => all.join(' '))

const { query } = fc.letrec<{ query: string; part: string }>((tie) => ({
  part: fc.oneof(
    { weight: 4, arbitrary: word },
    word.map((one) => `${one}:*`),
    // PostgreSQL leaves out common words at the ends of these, and here they count.
    fc.tuple(longWord, longWord).map((pair) => `'${pair.join(' ')}'`),
    tie('query').map((inner) => `(${inner})`),
    tie('query').map((inner) => `!(${inner})`),
    word.map((one) => `!${one}`),
  ),
  query: fc
    .tuple(
      tie('part'),
      fc.array(fc.tuple(fc.constantFrom('&', '|', '<->', '<->', '<2>', '<0>'), tie('part')), { maxLength: 3 }),
    )
    .map(([first, others]) => [first, ...others.flat()].join(' ')),
}))

/** With signs where they mean something, and where they do not. A sign within a word is a matter of PostgreSQL's parser of words. */
const web = fc
  .array(fc.constantFrom('the', 'dam', 'dams', 'deck', 'or ', 'OR', 'orb', ' -', '"', '|', '!', '(', ')', ' :'), {
    maxLength: 7,
  })
  .chain((parts) => fc.tuple(...parts.map((part) => fc.constantFrom(part, ` ${part}`, `${part} `))))
  .map((parts) => parts.join(''))

const search = fc.oneof(
  fc.tuple(fc.constant<SearchKind>('fts'), query),
  fc.tuple(fc.constant<SearchKind>('wfts'), web),
  fc.tuple(fc.constantFrom<SearchKind>('plfts', 'phfts'), text),
)

const functions: Record<SearchKind, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}

/** Searches that once were answered otherwise than by PostgreSQL. */
const known: readonly Case[] = [
  // What is left out of an `or` makes the phrase around it no longer.
  ['english', ['fts', 'bridge <-> (the <2> of | deck)'], 'bridge deck'],
  ['english', ['fts', '(bridge | the <2> of) <-> deck'], 'bridge deck'],
  ['english', ['fts', 'bridge <-> (deck & the <2> of) <-> dam'], 'bridge deck dam'],
]

test('texts have what is searched for where PostgreSQL says so', async () => {
  const made = fc.sample(fc.tuple(fc.constantFrom(...languageNames), search, text), {
    numRuns: 10_000,
    seed: Date.now(),
  })
  const cases: readonly Case[] = [...known, ...made]
  const expected = await asked(answersOf(cases))
  const found = cases.map(([language, [kind, query], text]) => searcherOf(spellSearch(kind, query), language)(text))
  expect(cases.filter((_, at) => found[at] !== expected[at])).toEqual([])
  expect(found.filter(Boolean).length).toBeGreaterThan(1000)
}, 600_000)

type Case = readonly [SearchLanguage, readonly [SearchKind, string], string]

/** One statement for all: by the functions of PostgreSQL that take a query as it was written. */
function answersOf(cases: readonly Case[]): Sql {
  const rows = cases.map(([language, [kind, asked], text]) => [language, functions[kind], asked, text])
  const queries = Object.values(functions).map((name) => `when '${name}' then ${name}((one->>0)::regconfig, one->>2)`)
  return sql`select to_tsvector((one->>0)::regconfig, one->>3) @@ case one->>1 ${definedSql(queries.join(' '))} end
    from json_array_elements(${JSON.stringify(rows)}::text::json) with ordinality as list (one, at) order by at`
}
