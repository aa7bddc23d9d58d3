import {
  a1,
  a2,
  a3,
  a9,
  alpha,
  answers,
  b1,
  b2,
  bare,
  beta,
  gamma,
  ids,
  json,
  moment,
  names,
  prefer,
  type Row,
  representation,
  single,
} from './rows.ts'

const patch = (query: string, body: unknown, headers = {}): Row['request'] => ({
  method: 'PATCH',
  path: `/project?${query}`,
  headers,
  body,
})
const renamed = (row: typeof alpha, project_name: string) => ({ ...row, project_name, updated_at: moment })
const [none, both] = ['id=eq.00000000-0000-4000-8000-0000000000ff', `id=in.(${a1},${a2})`]

answers('updates', [
  {
    name: 'default return',
    request: patch(`id=eq.${a1}`, { project_name: 'Alpha 1' }),
    expected: {
      status: 204,
      headers: { ...bare, 'Content-Range': '0-0/*', 'Content-Length': null, 'Preference-Applied': null },
      text: '',
    },
  },
  {
    name: 'representation',
    request: patch(`id=eq.${a1}`, { project_name: 'Alpha 2' }, representation),
    expected: {
      status: 200,
      headers: { 'Content-Range': '0-0/*', 'Preference-Applied': 'return=representation', 'Content-Type': json },
      json: [renamed(alpha, 'Alpha 2')],
    },
  },
  {
    name: 'headers-only',
    request: patch(`id=eq.${a1}`, { project_name: 'Alpha 3' }, prefer('return=headers-only')),
    expected: {
      status: 204,
      headers: { ...bare, 'Content-Range': '0-0/*', 'Preference-Applied': 'return=headers-only' },
      text: '',
    },
  },
  {
    name: 'singular',
    request: patch(`id=eq.${a1}&select=id`, { project_name: 'Alpha' }, { ...representation, ...single }),
    expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: { id: a1 } },
  },
  {
    name: 'no row matches',
    request: patch(none, { project_name: 'x' }),
    expected: { status: 204, headers: { 'Content-Range': '*/*' }, text: '' },
  },
  {
    name: 'no row matches, representation',
    request: patch(none, { project_name: 'x' }, representation),
    expected: {
      status: 200,
      headers: { 'Content-Range': '*/*', 'Preference-Applied': 'return=representation' },
      json: [],
    },
  },
  {
    name: 'no row matches, singular',
    request: patch(none, { project_name: 'x' }, { ...representation, ...single }),
    expected: {
      status: 406,
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
    },
  },
  {
    name: 'no row matches, count=exact',
    request: patch(none, { project_name: 'x' }, prefer('count=exact')),
    expected: { status: 204, headers: { 'Content-Range': '*/0', 'Preference-Applied': 'count=exact' }, text: '' },
  },
  {
    name: 'two rows match, singular, even though nothing is to be shown',
    request: patch(both, { project_name: 'x' }, single),
    expected: {
      status: 406,
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 2 rows',
    },
  },
  {
    name: 'max-affected exceeded',
    request: patch(both, { project_name: 'x' }, prefer('handling=strict', 'max-affected=1')),
    expected: {
      status: 400,
      code: 'PGRST124',
      message: 'Query result exceeds max-affected preference constraint',
      details: 'The query affects 2 rows',
    },
  },
  {
    name: 'neither changed anything',
    request: { path: `/project?${both}&select=project_name` },
    expected: { status: 200, json: names('Alpha', 'Beta') },
  },
  {
    name: 'max-affected kept',
    request: patch(both, { bid_id: b1 }, prefer('handling=strict', 'max-affected=2', 'return=representation')),
    expected: {
      status: 200,
      headers: {
        'Content-Range': '0-1/*',
        'Preference-Applied': 'return=representation, handling=strict, max-affected=2',
      },
      json: [renamed(alpha, 'Alpha'), renamed(beta, 'Beta')],
    },
  },
  {
    name: 'max-affected counts only when strict',
    request: patch(both, { bid_id: b1 }, prefer('max-affected=1')),
    expected: { status: 204, headers: { 'Content-Range': '0-1/*', 'Preference-Applied': null }, text: '' },
  },
  {
    name: 'count=exact',
    request: patch(both, { bid_id: b1 }, prefer('count=exact')),
    expected: { status: 204, headers: { 'Content-Range': '0-1/2', 'Preference-Applied': 'count=exact' }, text: '' },
  },
  {
    name: 'count=estimated is exact here',
    request: patch(both, { bid_id: b1 }, prefer('count=estimated')),
    expected: { status: 204, headers: { 'Content-Range': '0-1/2', 'Preference-Applied': 'count=estimated' }, text: '' },
  },
  {
    name: 'count=planned counts nothing in a write',
    request: patch(both, { bid_id: b1 }, prefer('count=planned')),
    expected: { status: 204, headers: { 'Content-Range': '0-1/*' }, text: '' },
  },
  {
    name: 'an empty object',
    request: patch(`id=eq.${a1}`, {}),
    expected: { status: 204, headers: { 'Content-Range': '*/*' }, text: '' },
  },
  {
    name: 'an empty object, representation',
    request: patch(`id=eq.${a1}`, {}, representation),
    expected: {
      status: 200,
      headers: { 'Content-Range': '*/*', 'Preference-Applied': 'return=representation' },
      json: [],
    },
  },
  {
    name: 'an empty array',
    request: patch(`id=eq.${a1}`, []),
    expected: { status: 204, headers: { 'Content-Range': '*/*' }, text: '' },
  },
  {
    name: 'an array: its first element counts',
    request: patch(`id=eq.${a1}&select=id,project_name`, [{ project_name: 'First' }], representation),
    expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: [{ id: a1, project_name: 'First' }] },
  },
  {
    name: 'columns: other fields are ignored',
    request: patch(
      `id=eq.${a1}&select=project_name&columns=project_name`,
      { project_name: 'Alpha', nope: 1 },
      representation,
    ),
    expected: { status: 200, json: names('Alpha') },
  },
  {
    name: 'limit does not limit, order orders what is shown',
    request: patch(`id=gte.${a1}&limit=1&order=id.desc&select=id`, { bid_id: b2 }, representation),
    expected: { status: 200, headers: { 'Content-Range': '0-2/*' }, json: ids(a3, a2, a1) },
  },
  {
    name: 'embeds show the row as it is now',
    request: patch(`id=eq.${a1}&select=id,bid(bid_name)`, { bid_id: b1 }, representation),
    expected: { status: 200, json: [{ id: a1, bid: { bid_name: 'Bid one' } }] },
  },
  {
    name: 'a filter on an embed filters the embed only',
    request: patch(
      `id=eq.${a3}&select=id,bid(bid_name)&bid.bid_name=eq.none`,
      { project_name: 'Gamma' },
      representation,
    ),
    expected: { status: 200, json: [{ id: a3, bid: null }] },
  },
  {
    name: 'a logic tree is a filter',
    request: patch(`or=(id.eq.${a3},id.eq.${a9})`, { project_name: 'Gamma' }, representation),
    expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: [renamed(gamma, 'Gamma')] },
  },
  {
    name: 'a form',
    request: patch(`id=eq.${a2}&select=project_name`, 'project_name=Beta+2', {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...representation,
    }),
    expected: { status: 200, json: names('Beta 2') },
  },
  {
    name: "the other company's rows are not there to change",
    request: patch(`id=eq.${a9}`, { project_name: 'Mine' }, prefer('count=exact')),
    expected: { status: 204, headers: { 'Content-Range': '*/0' }, text: '' },
  },
  {
    name: 'and nothing above changed them',
    by: 'rival',
    request: { path: '/project?select=project_name' },
    expected: { status: 200, json: names('Rival alpha', 'Rival beta') },
  },
])
