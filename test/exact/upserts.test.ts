import {
  a1,
  a9,
  answers,
  b1,
  b9,
  bare,
  exact,
  ids,
  json,
  moment,
  names,
  prefer,
  project,
  type Row,
  representation,
  single,
  uuid,
} from './rows.ts'

const row = (end: string, name: string, bid_id = b1) => ({ id: uuid(end), bid_id, project_name: name })
const made = (end: string, name: string) => ({ ...project(uuid(end), b1, name, moment) })
const [merge, ignore] = ['resolution=merge-duplicates', 'resolution=ignore-duplicates']
const post = (body: unknown, preferences: readonly string[], query = '?select=id,project_name'): Row['request'] => ({
  method: 'POST',
  path: `/project${query}`,
  headers: prefer(...preferences),
  body,
})
const put = (end: string, body: unknown, headers = {}): Row['request'] => ({
  method: 'PUT',
  path: `/project?id=eq.${uuid(end)}`,
  headers,
  body,
})
const shown = (end: string, project_name: string) => ({ id: uuid(end), project_name })

answers('upserts', [
  {
    name: 'merge, a new row',
    request: post(row('c0', 'fifty'), [merge], ''),
    expected: {
      status: 201,
      headers: {
        'Content-Range': '*/*',
        'Preference-Applied': merge,
        Location: `/rest/v1/project?id=eq.${uuid('c0')}`,
      },
      json: made('c0', 'fifty'),
    },
  },
  {
    name: 'merge, the same row again',
    request: post(row('c0', 'fifty!'), [merge], ''),
    expected: {
      status: 200,
      headers: { 'Content-Range': '*/*', 'Preference-Applied': merge },
      json: made('c0', 'fifty!'),
    },
  },
  {
    name: 'merge, the same row again, return=minimal',
    request: post(row('c0', 'fifty'), [merge, 'return=minimal']),
    expected: {
      status: 200,
      headers: { 'Content-Type': null, 'Preference-Applied': `${merge}, return=minimal` },
      text: '',
    },
  },
  {
    name: 'merge, a new row, representation',
    request: post(row('c1', 'fifty-one'), [merge, 'return=representation']),
    expected: {
      status: 201,
      headers: {
        'Content-Range': '*/*',
        'Preference-Applied': `${merge}, return=representation`,
        'Content-Type': json,
      },
      json: [shown('c1', 'fifty-one')],
    },
  },
  {
    name: 'merge, the same row again, representation',
    request: post(row('c1', 'fifty-one!'), [merge, 'return=representation']),
    expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [shown('c1', 'fifty-one!')] },
  },
  {
    name: 'merge, one new and one present',
    request: post([row('c1', 'x'), row('c2', 'y')], [merge, 'return=representation']),
    expected: { status: 201, headers: { 'Content-Range': '*/*' }, json: [shown('c1', 'x'), shown('c2', 'y')] },
  },
  {
    name: 'merge, both present, with a count',
    request: post([row('c1', 'x1'), row('c2', 'y1')], [merge, 'return=representation', 'count=exact']),
    expected: { status: 200, headers: { 'Content-Range': '*/2' }, json: [shown('c1', 'x1'), shown('c2', 'y1')] },
  },
  {
    name: 'merge, no row',
    request: post([], [merge, 'return=representation']),
    expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [] },
  },
  {
    name: 'merge, present and broken',
    request: post({ id: uuid('c1'), project_name: 'no bid' }, [merge]),
    expected: {
      status: 400,
      code: '23502',
      message: 'null value in column "bid_id" of relation "project" violates not-null constraint',
    },
  },
  {
    name: 'ignore, one new and one present',
    request: post([row('c1', 'zzz'), row('c3', 'y')], [ignore, 'return=representation']),
    expected: {
      status: 201,
      headers: { 'Content-Range': '*/*', 'Preference-Applied': `${ignore}, return=representation` },
      json: [shown('c3', 'y')],
    },
  },
  {
    name: 'ignore, all present',
    request: post([row('c1', 'zzz')], [ignore, 'return=representation']),
    expected: { status: 201, headers: { 'Content-Range': '*/*', Location: null }, json: [] },
  },
  {
    name: 'ignore, one object that is present',
    request: post(row('c1', 'zzz'), [ignore, 'return=minimal']),
    expected: { status: 201, headers: bare, text: '' },
  },
  {
    name: 'ignore, one of two is new: its Location',
    request: post([row('c1', 'zzz'), row('c4', 'y')], [ignore, 'return=headers-only']),
    expected: { status: 201, headers: { Location: `/rest/v1/project?id=eq.${uuid('c4')}` }, text: '' },
  },
  {
    name: 'ignore, the same new row twice in one body',
    request: post([row('c5', 'first'), row('c5', 'second')], [ignore, 'return=representation']),
    expected: { status: 201, json: [shown('c5', 'first')] },
  },
  {
    name: 'merge, the same row twice in one body',
    request: post([row('c6', 'a'), row('c6', 'b')], [merge]),
    expected: {
      status: 400,
      code: '21000',
      message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
      hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
    },
  },
  {
    name: 'and nothing of it was written',
    request: { path: `/project?id=eq.${uuid('c6')}` },
    expected: { status: 200, json: [] },
  },
  {
    name: 'on_conflict names the key',
    request: post(row('c1', 'via id'), [merge, 'return=representation'], '?on_conflict=id&select=id'),
    expected: { status: 200, json: ids(uuid('c1')) },
  },
  {
    name: 'on_conflict names a column without a unique index',
    request: post(row('c1', 'x'), [merge], '?on_conflict=project_name'),
    expected: {
      status: 400,
      code: '42P10',
      message: 'there is no unique or exclusion constraint matching the ON CONFLICT specification',
    },
  },
  {
    name: 'on_conflict without a resolution is ignored',
    request: post(row('c7', 'plain'), ['return=representation'], '?on_conflict=project_name&select=id'),
    expected: { status: 201, headers: { 'Preference-Applied': 'return=representation' }, json: ids(uuid('c7')) },
  },
  {
    name: 'PUT, a new row',
    request: put('d0', row('d0', 'seventy')),
    expected: { status: 201, headers: { ...bare, 'Content-Range': null, 'Content-Length': '0' }, text: '' },
  },
  {
    name: 'PUT, a new row, return=minimal',
    request: put('d4', row('d4', 'seventy-one'), prefer('return=minimal')),
    expected: { status: 201, headers: { ...bare, 'Preference-Applied': 'return=minimal' }, text: '' },
  },
  {
    name: 'PUT, a present row',
    request: put('d0', row('d0', 'seventy!')),
    expected: { status: 204, headers: bare, text: '' },
  },
  {
    name: 'PUT, a new row, representation',
    request: put('d1', row('d1', 'x'), representation),
    expected: {
      status: 201,
      headers: { 'Preference-Applied': 'return=representation', 'Content-Type': json, 'Content-Range': null },
      json: [made('d1', 'x')],
    },
  },
  {
    name: 'PUT, a present row, representation',
    request: put('d1', row('d1', 'y'), { ...representation, ...single }),
    expected: { status: 200, headers: { 'Preference-Applied': 'return=representation' }, json: { ...made('d1', 'y') } },
  },
  {
    name: 'PUT, the key differs from the filter',
    request: put('d3', row('d2', 'y')),
    expected: { status: 400, code: 'PGRST115', message: 'Payload values do not match URL in primary key column(s)' },
  },
  ...[
    '?project_name=eq.y',
    '',
    `?id=gt.${uuid('d2')}`,
    `?id=eq.${uuid('d2')}&project_name=eq.y`,
    `?or=(id.eq.${uuid('d2')})`,
  ].map(
    (query): Row => ({
      name: `PUT with ${query || 'no filter'}`,
      request: { method: 'PUT', path: `/project${query}`, body: row('d2', 'y') },
      expected: {
        status: 405,
        code: 'PGRST105',
        message: "Filters must include all and only primary key columns with 'eq' operators",
      },
    }),
  ),
  {
    name: 'PUT with a limit',
    request: { method: 'PUT', path: `/project?id=eq.${uuid('d2')}&limit=1`, body: row('d2', 'y') },
    expected: { status: 400, code: 'PGRST114', message: 'limit/offset querystring parameters are not allowed for PUT' },
  },
  {
    name: "merge with the other company's id makes a row of one's own",
    request: post(row('a9', 'Mine'), [merge, 'return=representation']),
    expected: { status: 201, json: [shown('a9', 'Mine')] },
  },
  {
    name: "merge with the other company's bid",
    request: post(row('a1', 'Mine', b9), [merge]),
    expected: { status: 409, code: '23503' },
  },
  {
    name: 'and the other company still has its own',
    by: 'rival',
    request: { path: `/project?select=project_name&id=in.(${a1},${a9})`, headers: exact },
    expected: { status: 200, headers: { 'Content-Range': '0-1/2' }, json: names('Rival alpha', 'Rival beta') },
  },
  {
    name: 'what is there in the end',
    request: { path: `/project?select=project_name&id=gte.${uuid('c0')}` },
    expected: {
      status: 200,
      json: names('fifty', 'via id', 'y1', 'y', 'y', 'first', 'plain', 'seventy!', 'y', 'seventy-one'),
    },
  },
])
