import fc from 'fast-check'
import { operatorNames } from '../../src/types/operators.ts'
import { ids, names, soundPath } from './sound-requests.ts'

/** A request as data, so that the same one can be sent to two servers. */
export interface Generated {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const oneOf = <Item>(...items: readonly Item[]) => fc.constantFrom(...items)
const id = oneOf(
  ...ids.acmeBids,
  ...ids.acmeProjects,
  ids.rivalBid,
  ids.rivalProject,
  '00000000-0000-4000-8000-00000000ffff',
)
const odd = oneOf(
  '',
  ' ',
  '"',
  '\\',
  "';--",
  '%',
  '\u0001',
  '𝄞',
  'ﬁ',
  'null',
  '1',
  '{',
  '}',
  '(',
  ')',
  ',',
  '.',
  '::text',
  '->',
  '../',
  'İ',
  'ß',
)
const moment = oneOf(
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-02 03:04:05.678901+02',
  'infinity',
  '-infinity',
  '99999-01-01',
  'yesterdayish',
  '2026-02-30',
)
const text = fc.oneof(
  oneOf(...names),
  odd,
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  oneOf(
    '*a*',
    'A%',
    '_lpha',
    '^A',
    'a$',
    '[a-z]+',
    'b|B',
    '(',
    'a{2}',
    '\\d',
    'Beta & !x',
    'alpha or beta',
    '"beta 2"',
  ),
)
const value = fc.oneof(text, id, moment)

const column = oneOf('id', 'bid_id', 'project_name', 'bid_name', 'created_at', 'updated_at')
const strange = fc.oneof(
  column,
  oneOf('company_id', 'nope', 'constructor', '__proto__', 'bid', 'project', 'count', '"id"', 'project.id', "id'"),
)
const operator = oneOf(...operatorNames, 'equals', '')
const comparison = fc
  .record({
    not: oneOf('', '', 'not.'),
    operator,
    quantifier: oneOf('', '', '', '(any)', '(all)', '(simple)'),
    value: fc.oneof(value, listOf('(', ')'), listOf('{', '}'), oneOf('null', 'not_null', 'true')),
  })
  .map(({ not, operator, quantifier, value }) => `${not}${operator}${quantifier}.${value}`)

function listOf(open: string, close: string) {
  const item = fc.oneof(
    value,
    value.map((one) => `"${one}"`),
  )
  return fc.array(item, { maxLength: 4 }).map((items) => `${open}${items.join(',')}${close}`)
}

const condition: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(fc.oneof(column, strange), comparison).map(([name, rest]) => `${name}.${rest}`),
    fc
      .tuple(oneOf('and', 'or', 'not.and', 'not.or'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
      .map(([kind, of]) => `${kind}(${of.join(',')})`),
  ),
})).condition

const field = fc
  .record({
    alias: oneOf('', '', 'x:', '"a b":'),
    name: fc.oneof(column, column, strange, oneOf('*', 'count()')),
    cast: oneOf('', '', '::text', '::date', '::nope'),
    aggregate: oneOf('', '', '', '.count()', '.max()', '.sum()'),
  })
  .map(({ alias, name, cast, aggregate }) => (name === '*' ? name : `${alias}${name}${cast}${aggregate}`))
const embed = fc
  .record({
    spread: oneOf('', '', '...'),
    alias: oneOf('', '', 'e:'),
    name: oneOf('bid', 'project', 'bid_id', 'project_bid_id_fkey', 'nope'),
    join: oneOf('', '!inner', '!left', '!bid_id'),
    fields: fc.array(field, { maxLength: 3 }),
  })
  .map(({ spread, alias, name, join, fields }) => `${spread}${spread ? '' : alias}${name}${join}(${fields.join(',')})`)
const select = fc
  .array(fc.oneof({ weight: 3, arbitrary: field }, { weight: 1, arbitrary: embed }), { maxLength: 4 })
  .map((items) => items.join(','))
const order = fc
  .array(
    fc.tuple(
      fc.oneof(column, strange, oneOf('bid(bid_name)', 'project(id)')),
      oneOf('', '.asc', '.desc', '.desc.nullslast', '.asc.nullsfirst', '.up'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((terms) => terms.map(([name, way]) => name + way).join(','))

const parameter = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.oneof(column, strange), comparison) },
  { weight: 1, arbitrary: fc.tuple(oneOf('bid.bid_name', 'project.project_name', 'e.id', 'nope.id'), comparison) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      oneOf('and', 'or', 'not.or', 'project.or'),
      fc.array(condition, { minLength: 1, maxLength: 3 }).map((of) => `(${of.join(',')})`),
    ),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('select'), select) },
  { weight: 2, arbitrary: fc.tuple(oneOf('order', 'project.order'), order) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      oneOf('limit', 'offset', 'project.limit', 'bid.offset'),
      oneOf('0', '1', '2', '-1', 'x', '100'),
    ),
  },
)
const path = fc
  .tuple(oneOf('project', 'project', 'bid', 'nope'), fc.array(parameter, { maxLength: 4 }))
  .map(
    ([name, pairs]) =>
      `/${name}?${pairs.map(([key, one]) => `${encodeURIComponent(key)}=${encodeURIComponent(one.toWellFormed())}`).join('&')}`,
  )

const accept = oneOf(
  'application/json',
  '*/*',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'text/csv',
  'application/x-ndjson',
  'image/png',
)
const prefer = oneOf(
  ...['', '', '', '', 'count=exact', 'return=representation', 'return=minimal, count=exact', 'return=representation'],
  ...['resolution=merge-duplicates, return=representation', 'resolution=ignore-duplicates, return=representation'],
  ...['handling=strict, max-affected=1', 'missing=default', 'handling=strict, nope'],
)
const headers = fc.record({
  Accept: fc.oneof({ weight: 3, arbitrary: fc.constant('application/json') }, { weight: 1, arbitrary: accept }),
  Prefer: prefer,
  Range: oneOf('', '', '', '', '', '', '0-1', '1-', '5-2', 'x'),
})

export const arbitraryRead: fc.Arbitrary<Generated> = fc.record({
  method: oneOf('GET', 'GET', 'GET', 'HEAD'),
  path: fc.oneof({ weight: 2, arbitrary: soundPath }, { weight: 1, arbitrary: path }),
  headers,
  body: fc.constant(null),
})

const row = fc.record(
  {
    id,
    bid_id: id,
    project_name: fc.oneof(text, fc.constant(null), fc.constant('x'.repeat(256))),
    bid_name: text,
    nope: text,
    created_at: moment,
  },
  { requiredKeys: [] },
)
/** Rows that mostly fit the resource: what is all wrong never gets past the first check. */
const project = fc.record({
  id: oneOf(...ids.acmeProjects, ids.rivalProject),
  bid_id: oneOf(...ids.acmeBids, ids.rivalBid),
  project_name: oneOf(...names),
})
const bodies = fc.oneof(
  project.map((one) => JSON.stringify(one)),
  fc.array(project, { maxLength: 3 }).map((rows) => JSON.stringify(rows)),
  row.map((one) => JSON.stringify(one)),
  fc.array(row, { maxLength: 3 }).map((rows) => JSON.stringify(rows)),
  project.map(({ project_name }) => JSON.stringify({ project_name })),
  oneOf('', '{', '[]', '{}', 'null', '3', '"x"', '[1]', '[[]]', '{"id":{}}', '{"project_name":["a"]}'),
)
/** A row without an id gets one that differs from server to server, so writes show no ids that they made. */
const writePath = fc.oneof(
  path,
  soundPath.map((one) =>
    one
      .replace(/([?&])select=[^&]*/, '$1')
      .concat(one.startsWith('/bid') ? '&select=bid_name' : '&select=bid_id,project_name'),
  ),
  fc.tuple(oneOf('project', 'bid'), id).map(([name, key]) => `/${name}?id=eq.${key}&select=bid_id,project_name`),
  oneOf(
    '/project?select=bid_id,project_name',
    '/project?select=project_name,bid(bid_name)',
    '/bid?select=bid_name',
    '/project?columns=id,bid_id,project_name&select=id',
    '/bid?on_conflict=id&select=bid_name',
    '/bid?on_conflict=bid_name',
  ),
)
export const arbitraryWrite: fc.Arbitrary<Generated> = fc.record({
  method: oneOf('POST', 'PATCH', 'PUT', 'DELETE'),
  path: writePath,
  headers: headers.map((some) => ({ ...some, 'Content-Type': 'application/json' })),
  body: bodies,
})
