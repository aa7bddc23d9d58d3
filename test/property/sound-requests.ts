import fc from 'fast-check'
import type { ColumnType } from '../../src/types/column-type.ts'
import { operatorOf, type TakenOperator } from '../../src/types/operators.ts'
import { text } from '../../src/types/text.ts'
import { timestamp } from '../../src/types/timestamp.ts'
import { uuid } from '../../src/types/uuid.ts'

/** Parts of requests that mostly make sense: what is all wrong never gets past the first check. */

const oneOf = <Item>(...items: readonly Item[]) => fc.constantFrom(...items)

export const ids = {
  acmeBids: ['00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000b2'],
  acmeProjects: Array.from({ length: 8 }, (_, at) => `00000000-0000-4000-8000-0000000000a${at}`),
  rivalBid: '00000000-0000-4000-8000-00000000bad1',
  rivalProject: '00000000-0000-4000-8000-00000000bad2',
} as const

export const names = [
  'Alpha',
  'Beta',
  'beta 2',
  'Ünïcode Straße',
  'a,b',
  'q"uote',
  "o'clock",
  '50%_off',
  '(x)',
  'back\\slash',
  'NULL',
  '*star*',
]

const id = oneOf(...ids.acmeBids, ...ids.acmeProjects, ids.rivalBid, ids.rivalProject)
const moment = oneOf(
  '2025-12-31',
  '2026-01-01T00:00:00Z',
  '2026-01-01 01:00+01',
  '2026-01-02 03:04:05.678901+02',
  'infinity',
)
const pattern = oneOf('*a*', 'A%', '_lpha', '*', '%\\%%', 'BETA*', '*straße', 'ünï*', '\\(x\\)', '*\\\\*')
const regex = oneOf(
  '^A',
  'a$',
  '[a-z]+',
  'b|B',
  '^.e',
  'a{2}',
  '\\d',
  '\\w \\d',
  '^[^a]',
  '(al|be)+',
  'é?',
  'ß',
  '\\.',
  '[(]x[)]',
  '^\\S+$',
  '(?i)ALPHA|\\x42',
  '\\mb',
  'a\\M',
  '\\y\\w+\\y',
  '\\A\\W?\\Y',
  '(?n)^b',
  '(?q)(x',
)
const words = oneOf(
  'alpha',
  'beta & 2',
  'beta | alpha',
  '!alpha',
  'beta <-> 2',
  'alph:*',
  '(a | b) & !c',
  'betas <-> !3',
  "'back slashes' <-> !(x <-> y)",
  'the | o <-> clock',
  'a <2> b',
)
const phrase = oneOf(
  'beta 2',
  'alpha',
  '"beta 2" or alpha',
  '-alpha',
  'a b',
  'straße',
  'ÜNÏCODE',
  '',
  'the alphas',
  'back slashes',
  'the',
)

const quoted = (values: fc.Arbitrary<string>) => values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`)
const list = (values: fc.Arbitrary<string>, open: string, close: string) =>
  fc.array(quoted(values), { maxLength: 4 }).map((items) => `${open}${items.join(',')}${close}`)

const items = oneOf('{alpha}', '{}', '{beta,"b c"}', '{"","a\\"b"}')

/** What stands behind each operator. 'own': a value of the column. */
const operands: Record<TakenOperator, fc.Arbitrary<string> | 'own'> = {
  eq: 'own',
  neq: 'own',
  gt: 'own',
  gte: 'own',
  lt: 'own',
  lte: 'own',
  in: 'own',
  isdistinct: 'own',
  is: oneOf('null', 'not_null'),
  like: pattern,
  ilike: pattern,
  match: regex,
  imatch: regex,
  fts: words,
  plfts: phrase,
  phfts: phrase,
  wfts: phrase,
  cs: items,
  cd: items,
  ov: items,
}

/** `gt.5`, `in.("a","b")`, `eq(any).{"a","b"}`, `wfts(english).a` */
function comparisonBy(name: TakenOperator, own: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const behind = operands[name]
  const values = behind === 'own' ? own : behind
  const { takes, quantified } = operatorOf(name)
  if (takes === 'list') return list(values, '(', ')').map((items) => `${name}.${items}`)
  const plain = values.map((value) => `${name}.${value}`)
  if (takes === 'search')
    return fc.oneof(
      plain,
      fc.tuple(oneOf('simple', 'english'), values).map(([language, value]) => `${name}(${language}).${value}`),
    )
  if (!quantified) return plain
  const many = fc.tuple(oneOf('any', 'all'), list(values, '{', '}'))
  return fc.oneof(
    plain,
    many.map(([way, items]) => `${name}(${way}).${items}`),
  )
}

export const comparisonsWith = (type: ColumnType, own: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(...type.operators.map((name) => comparisonBy(name, own)))

const comparisons: Record<string, fc.Arbitrary<string>> = {
  id: comparisonsWith(uuid, id),
  bid_id: comparisonsWith(uuid, id),
  project_name: comparisonsWith(text, oneOf(...names)),
  bid_name: comparisonsWith(text, oneOf('Bid 0', 'Bid 1', 'x')),
  created_at: comparisonsWith(timestamp, moment),
  updated_at: comparisonsWith(timestamp, moment),
}

const columns: Record<string, readonly string[]> = {
  project: ['id', 'bid_id', 'project_name', 'created_at', 'updated_at'],
  bid: ['id', 'bid_name', 'created_at', 'updated_at'],
}
const other: Record<string, string> = { project: 'bid', bid: 'project' }

const filterOn = (resource: string): fc.Arbitrary<[string, string]> =>
  oneOf(...(columns[resource] ?? [])).chain((name) =>
    fc
      .tuple(oneOf('', '', 'not.'), comparisons[name] ?? fc.constant(''))
      .map(([not, rest]): [string, string] => [name, not + rest]),
  )

/** Within a tree a value ends at a comma or bracket, unless it is a list or in quotes. */
const conditionOn = (resource: string): fc.Arbitrary<string> =>
  filterOn(resource).map(([name, rest]) => `${name}.${/[({"]/.test(rest) || !/[,)]/.test(rest) ? rest : 'not.is.null'}`)

function fieldsOf(resource: string): fc.Arbitrary<string> {
  const plain = fc
    .tuple(oneOf('', '', 'x:', 'y:'), oneOf(...(columns[resource] ?? [])), oneOf('', '', '', '::text'))
    .map((parts) => parts.join(''))
  return fc.array(plain, { minLength: 1, maxLength: 3 }).map((items) => items.join(','))
}

function selectOf(resource: string): fc.Arbitrary<string> {
  const to = other[resource] ?? ''
  const embedded = fc
    .tuple(oneOf('', '', 'e:', '...'), oneOf('', '', '!inner'), fc.oneof(fieldsOf(to), oneOf('*', '', 'count')))
    .map(([before, join, fields]) => `${before}${to}${join}(${before === '...' && fields === 'count' ? 'id' : fields})`)
  return fc.oneof(
    fieldsOf(resource),
    fc.tuple(fieldsOf(resource), embedded).map((parts) => parts.join(',')),
    oneOf('*', 'count', 'count()', 'created_at,count()', 'created_at::date,id.count(),n:created_at.max()'),
    embedded.map((one) => `${one},n:count()`),
  )
}

/** A path with parameters that fit the resource. */
export const soundPath: fc.Arbitrary<string> = oneOf('project', 'project', 'bid').chain((resource) => {
  const tree = fc
    .tuple(
      oneOf('or', 'and', 'not.or'),
      fc.array(conditionOn(resource), { minLength: 1, maxLength: 3 }),
      oneOf('and', 'not.or'),
    )
    .map(([key, [first = '', ...others], kind]): [string, string] => [
      key,
      `(${others.length > 1 ? `${first},${kind}(${others.join(',')})` : [first, ...others].join(',')})`,
    ])
  const parts = fc.tuple(
    fc.option(selectOf(resource).map((value): [string, string] => ['select', value])),
    fc.array(filterOn(resource), { maxLength: 2 }),
    fc.option(tree, { freq: 3 }),
    fc.option(
      fc.tuple(
        fc.constant('order'),
        fc
          .tuple(oneOf(...(columns[resource] ?? [])), oneOf('', '.desc', '.asc.nullsfirst'))
          .map((words) => words.join('')),
      ),
      { freq: 2 },
    ),
    fc.option(fc.tuple(fc.constant('limit'), oneOf('1', '2', '3'))),
    fc.option(fc.tuple(fc.constant('offset'), oneOf('1', '2')), { freq: 4 }),
  )
  return parts.map(([select, filters, logic, ...others]) => {
    const pairs = [select, ...filters, logic, ...others].filter((pair) => pair !== null)
    return `/${resource}?${pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`
  })
})
