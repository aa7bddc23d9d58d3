import {
  a1,
  answers,
  b1,
  b9,
  bare,
  bidThree,
  ids,
  json,
  moment,
  names,
  object,
  prefer,
  project,
  type Row,
  representation,
  single,
  someId,
  uuid,
} from './rows.ts'

const row = (end: string, name: string, bid_id = b1) => ({ id: uuid(end), bid_id, project_name: name })
const made = (end: string, name: string, bid_id = b1) => project(uuid(end), bid_id, name, moment)
const location = (end: string) => `/rest/v1/project?id=eq.${uuid(end)}`
const post = (body: unknown, headers = {}, query = ''): Row['request'] => ({
  method: 'POST',
  path: `/project${query}`,
  headers,
  body,
})

answers('inserts', [
  {
    name: 'an object: the created object comes back',
    request: post(row('c0', 'Delta')),
    expected: {
      status: 201,
      headers: { 'Content-Type': json, 'Content-Range': '*/*', 'Preference-Applied': null, Location: location('c0') },
      json: made('c0', 'Delta'),
    },
  },
  {
    name: 'an object without an id gets one',
    request: post({ bid_id: b1, project_name: 'Epsilon' }),
    expected: {
      status: 201,
      headers: { Location: /^\/rest\/v1\/project\?id=eq\.[0-9a-f-]{36}$/ },
      json: { ...made('c0', 'Epsilon'), id: someId },
    },
  },
  {
    name: 'an array: an array comes back',
    request: post([row('c1', 'One'), row('c2', 'Two')]),
    expected: {
      status: 201,
      headers: { Location: null, 'Content-Range': '*/*' },
      json: [made('c1', 'One'), made('c2', 'Two')],
    },
  },
  {
    name: 'an array of one has a Location',
    request: post([row('c3', 'Three')]),
    expected: { status: 201, headers: { Location: location('c3') }, json: [made('c3', 'Three')] },
  },
  {
    name: 'return=minimal',
    request: post(row('c4', 'ten'), prefer('return=minimal')),
    expected: {
      status: 201,
      headers: {
        'Content-Length': '0',
        'Content-Type': null,
        'Content-Range': '*/*',
        'Preference-Applied': 'return=minimal',
        Location: location('c4'),
      },
      text: '',
    },
  },
  {
    name: 'return=headers-only',
    request: post(row('c5', 'eleven'), prefer('return=headers-only')),
    expected: {
      status: 201,
      headers: {
        'Content-Length': '0',
        'Content-Type': null,
        'Content-Range': '*/*',
        'Preference-Applied': 'return=headers-only',
        Location: location('c5'),
      },
      text: '',
    },
  },
  {
    name: 'return=representation is an array',
    request: post(row('c6', 'twelve'), representation),
    expected: {
      status: 201,
      headers: {
        'Content-Range': '*/*',
        'Preference-Applied': 'return=representation',
        'Content-Type': json,
        Location: location('c6'),
      },
      json: [made('c6', 'twelve')],
    },
  },
  {
    name: 'return=representation, select',
    request: post(row('c7', 'thirteen'), representation, '?select=id,bid(bid_name)'),
    expected: {
      status: 201,
      headers: { 'Content-Range': '*/*' },
      json: [{ id: uuid('c7'), bid: { bid_name: 'Bid one' } }],
    },
  },
  {
    name: 'return=representation, singular',
    request: post(row('c8', 'fourteen'), { ...representation, ...single }),
    expected: {
      status: 201,
      headers: { 'Content-Type': `${object}; charset=utf-8`, 'Content-Range': '*/*' },
      json: made('c8', 'fourteen'),
    },
  },
  {
    name: 'return=representation, count=exact',
    request: post([row('d0', 'a'), row('d1', 'b')], prefer('return=representation', 'count=exact'), '?select=id'),
    expected: {
      status: 201,
      headers: { 'Content-Range': '*/2', 'Preference-Applied': 'return=representation, count=exact' },
      json: ids(uuid('d0'), uuid('d1')),
    },
  },
  {
    name: 'return=minimal, count=exact',
    request: post([row('d2', 'a'), row('d3', 'b')], prefer('return=minimal', 'count=exact')),
    expected: {
      status: 201,
      headers: {
        ...bare,
        'Content-Length': '0',
        'Content-Range': '*/2',
        'Preference-Applied': 'return=minimal, count=exact',
      },
      text: '',
    },
  },
  {
    name: 'the rows come back in the order in which they were sent',
    request: post([row('d7', 'z'), row('d6', 'y'), row('d5', 'x')], representation, '?select=project_name'),
    expected: { status: 201, json: names('z', 'y', 'x') },
  },
  {
    name: 'an empty array',
    request: post([], representation),
    expected: {
      status: 201,
      headers: { 'Content-Range': '*/*', 'Preference-Applied': 'return=representation', Location: null },
      json: [],
    },
  },
  {
    name: 'an empty array, default return',
    request: post([]),
    expected: { status: 201, headers: { 'Content-Range': '*/*', Location: null }, json: [] },
  },
  {
    name: 'an empty array, return=minimal',
    request: post([], prefer('return=minimal')),
    expected: { status: 201, headers: { ...bare, 'Content-Length': '0' }, text: '' },
  },
  {
    name: 'a bid',
    request: { method: 'POST', path: '/bid', body: { id: uuid('bb'), bid_name: 'Bid four' } },
    expected: {
      status: 201,
      headers: { Location: `/rest/v1/bid?id=eq.${uuid('bb')}` },
      json: { ...bidThree, id: uuid('bb'), bid_name: 'Bid four', created_at: moment, updated_at: moment },
    },
  },
  {
    name: 'the other company may use an id that is taken here, and its bid',
    by: 'rival',
    request: post(row('c0', 'Rival delta', b9), representation, '?select=id,bid(bid_name)'),
    expected: { status: 201, json: [{ id: uuid('c0'), bid: { bid_name: 'Rival two' } }] },
  },
  {
    name: 'and both have their own',
    request: { path: `/project?select=project_name&id=in.(${a1},${uuid('c0')})` },
    expected: { status: 200, json: names('Alpha', 'Delta') },
  },
])
