import {
  a1,
  a2,
  a3,
  a9,
  answers,
  b1,
  b3,
  b9,
  bare,
  bidThree,
  gamma,
  ids,
  json,
  names,
  prefer,
  type Row,
  representation,
  type Seed,
  single,
  uuid,
} from './rows.ts'

const more: Seed[] = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'].map((end) => [
  uuid(end),
  b1,
  `Spare ${end}`,
  '2026-01-09T00:00:00+00:00',
])
const remove = (query: string, headers = {}): Row['request'] => ({
  method: 'DELETE',
  path: `/project?${query}`,
  headers,
})
const none = 'id=eq.00000000-0000-4000-8000-0000000000ff'

answers(
  'deletes',
  [
    {
      name: 'default return',
      request: remove(`id=eq.${uuid('d0')}`),
      expected: {
        status: 204,
        headers: { ...bare, 'Content-Range': '*/*', 'Content-Length': null, 'Preference-Applied': null },
        text: '',
      },
    },
    {
      name: 'with the content type that clients send without a body',
      request: remove(`id=eq.${uuid('d1')}`, { 'Content-Type': 'application/json' }),
      expected: { status: 204, headers: { 'Content-Range': '*/*' }, text: '' },
    },
    {
      name: 'representation',
      request: remove(`id=eq.${uuid('d2')}&select=id,project_name`, representation),
      expected: {
        status: 200,
        headers: { 'Content-Range': '*/*', 'Preference-Applied': 'return=representation', 'Content-Type': json },
        json: [{ id: uuid('d2'), project_name: 'Spare d2' }],
      },
    },
    {
      name: 'representation with an embed',
      request: remove(`id=eq.${uuid('d3')}&select=id,bid(bid_name)`, representation),
      expected: { status: 200, json: [{ id: uuid('d3'), bid: { bid_name: 'Bid one' } }] },
    },
    {
      name: 'return=minimal',
      request: remove(`id=eq.${uuid('d4')}`, prefer('return=minimal')),
      expected: { status: 204, headers: { 'Content-Range': '*/*', 'Preference-Applied': 'return=minimal' }, text: '' },
    },
    {
      name: 'count=exact',
      request: remove(`id=in.(${uuid('d5')},${uuid('d6')})`, prefer('count=exact')),
      expected: { status: 204, headers: { 'Content-Range': '*/2', 'Preference-Applied': 'count=exact' }, text: '' },
    },
    {
      name: 'no row matches',
      request: remove(none),
      expected: { status: 204, headers: { 'Content-Range': '*/*' }, text: '' },
    },
    {
      name: 'no row matches, representation',
      request: remove(none, representation),
      expected: {
        status: 200,
        headers: { 'Content-Range': '*/*', 'Preference-Applied': 'return=representation' },
        json: [],
      },
    },
    {
      name: 'no row matches, singular',
      request: remove(none, { ...representation, ...single }),
      expected: {
        status: 406,
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 0 rows',
      },
    },
    {
      name: 'two rows match, singular',
      request: remove(`id=in.(${a1},${a2})`, single),
      expected: {
        status: 406,
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 2 rows',
      },
    },
    {
      name: 'max-affected exceeded',
      request: remove(`id=in.(${a1},${a2},${a3})`, prefer('handling=strict', 'max-affected=2')),
      expected: {
        status: 400,
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: 'The query affects 3 rows',
      },
    },
    ...['', 'limit=1', 'select=id,bid(id)&bid.bid_name=eq.x'].map(
      (query): Row => ({
        name: `with ${query || 'no filter'} is refused`,
        request: remove(query),
        expected: { status: 400, code: '21000', message: 'DELETE requires a WHERE clause' },
      }),
    ),
    {
      name: 'an unknown column',
      request: remove('nope=eq.1'),
      expected: { status: 400, code: '42703', message: 'column project.nope does not exist' },
    },
    {
      name: 'a bid with projects',
      request: { method: 'DELETE', path: `/bid?id=eq.${b1}` },
      expected: {
        status: 409,
        code: '23503',
        message:
          'update or delete on table "bid" violates foreign key constraint "project_bid_id_fkey" on table "project"',
        details: 'Key (id) is still referenced from table "project".',
      },
    },
    {
      name: 'a bid without',
      request: { method: 'DELETE', path: `/bid?id=eq.${b3}&select=*,project(id)`, headers: representation },
      expected: { status: 200, json: [{ ...bidThree, project: [] }] },
    },
    {
      name: "a bid and the other company's",
      request: { method: 'DELETE', path: `/bid?id=in.(${b3},${b9})`, headers: prefer('count=exact') },
      expected: { status: 204, headers: { 'Content-Range': '*/0' }, text: '' },
    },
    {
      name: 'what was refused is still there',
      request: { path: '/project?select=id' },
      expected: { status: 200, json: ids(a1, a2, a3, uuid('d7')) },
    },
    {
      name: 'singular',
      request: remove(`id=eq.${a3}`, { ...representation, ...single }),
      expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: gamma },
    },
    {
      name: 'max-affected kept, in the order that was asked',
      request: remove(
        `or=(id.eq.${a1},id.eq.${a2})&select=project_name&order=project_name.desc`,
        prefer('return=representation', 'handling=strict', 'max-affected=2'),
      ),
      expected: {
        status: 200,
        headers: { 'Preference-Applied': 'return=representation, handling=strict, max-affected=2' },
        json: names('Beta', 'Alpha'),
      },
    },
    {
      name: "the other company's row is not there to delete",
      request: remove(`id=eq.${a9}`, representation),
      expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [] },
    },
    {
      name: 'and nothing above deleted it, nor its namesake',
      by: 'rival',
      request: { path: '/project?select=id,bid(bid_name)' },
      expected: {
        status: 200,
        json: [
          { id: a1, bid: { bid_name: 'Rival one' } },
          { id: a9, bid: { bid_name: 'Rival two' } },
        ],
      },
    },
  ],
  more,
)
