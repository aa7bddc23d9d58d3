import { a1, a3, answers, b1, b2, names, type Row, type Seed, uuid } from './rows.ts'

const moment = '2026-01-03T00:00:00+00:00'
const texts = {
  c1: ' +0012 ',
  c2: '1.50e1',
  c3: '-2.5',
  c4: 'yes',
  c5: '{"a": [1, 2.50]}',
  c6: '2026-02-03T04:05:06.70+01:30',
  c7: '06:07-05:30',
  c8: '01890A5DAC96774BBCCEB302099A8057',
  c9: '9223372036854775807',
  ca: '-2.50',
  cb: '[1,\n2]',
  cc: '12345678901234567890',
  cd: '06:07-00',
  ce: '9999-12-31 23:30-01',
  cf: '0001-01-01 00:30+01',
}
const seeds = Object.entries(texts).map(([end, name]): Seed => [uuid(end), b2, name, moment])

/** What a project shows of itself. */
const shows = (id: string, select: string, row: unknown): Row => ({
  name: `${id.slice(-2)}: ${select}`,
  request: { path: `/project?select=${encodeURIComponent(select)}&id=eq.${id}` },
  expected: { status: 200, json: [row] },
})

const cast = (end: keyof typeof texts, type: string, value: unknown): Row =>
  shows(uuid(end), `v:project_name::${type}`, { v: value })

const failed = (path: string, code: string, message: string): Row => ({
  name: `${path} is refused`,
  request: { path },
  expected: {
    status: 400,
    code,
    message,
    details: 'A row has a value that this type cannot have.',
    hint: 'Leave such rows out by a filter, or select the column without the cast.',
  },
})

const unreadable = 'invalid input syntax for the type of a cast'
const all = `id=in.(${['c1', 'c2', 'c3', 'c9', 'ca'].map(uuid)})`

answers(
  'casts of each value',
  [
    cast('c1', 'int', 12),
    cast('c1', 'int2', 12),
    cast('c1', 'float8', 12),
    cast('c2', 'numeric', 15),
    cast('c2', 'double precision', 15),
    cast('c3', 'decimal', -2.5),
    cast('c4', 'bool', true),
    cast('c4', 'char', 'y'),
    cast('c4', 'character', 'y'),
    cast('c5', 'json', { a: [1, 2.5] }),
    cast('cb', 'json', [1, 2]),
    cast('c6', 'timestamptz', '2026-02-03T02:35:06.7+00:00'),
    cast('c6', 'timestamp', '2026-02-03T04:05:06.7'),
    cast('c6', 'date', '2026-02-03'),
    cast('c7', 'timetz', '06:07:00-05:30'),
    cast('c7', 'time with time zone', '06:07:00-05:30'),
    cast('cd', 'timetz', '06:07:00+00'),
    cast('ce', 'timestamp', '9999-12-31T23:30:00'),
    ...['ce', 'cf'].map((end) =>
      failed(
        `/project?select=project_name::timestamptz&id=eq.${uuid(end)}`,
        '22007',
        'invalid date or time for the type of a cast',
      ),
    ),
    cast('c8', 'uuid', '01890a5d-ac96-774b-bcce-b302099a8057'),
    {
      name: 'digits are kept, also in CSV',
      request: { path: `/project?select=project_name::bigint,n:project_name::numeric&id=eq.${uuid('c9')}` },
      expected: { status: 200, text: `[{"project_name":${texts.c9},"n":${texts.c9}}]` },
    },
    {
      name: 'the digits of a numeric are those of its text',
      request: {
        path: `/project?select=project_name::numeric&id=in.(${uuid('c2')},${uuid('ca')})`,
        headers: { Accept: 'text/csv' },
      },
      expected: { status: 200, text: 'project_name\n15.0\n-2.50' },
    },
    shows(a3, 'created_at::timetz', { created_at: '06:07:08.123456+00' }),
    shows(a3, 'created_at::char,id::char', { created_at: '2', id: '0' }),
    {
      name: 'a time of day with its zone follows the time zone of the request',
      request: { path: `/project?select=created_at::timetz&id=eq.${a3}`, headers: { Prefer: 'timezone=Asia/Kolkata' } },
      expected: { status: 200, json: [{ created_at: '11:37:08.123456+05:30' }] },
    },
    shows(a1, 'id.count()::numeric,n:count()::float8', { count: 1, n: 1 }),
    failed('/project?select=project_name::int', '22P02', unreadable),
    failed(`/project?select=project_name::int&${all}`, '22P02', unreadable),
    failed(`/project?select=project_name::json&id=eq.${a1}`, '22P02', unreadable),
    failed(`/project?select=project_name::bool&id=eq.${a1}`, '22P02', unreadable),
    failed(`/project?select=project_name::uuid&id=eq.${a1}`, '22P02', unreadable),
    failed(
      `/project?select=project_name::int&id=eq.${uuid('c9')}`,
      '22003',
      'value out of range for the type of a cast',
    ),
    failed(`/project?select=project_name::date&id=eq.${a1}`, '22007', 'invalid date or time for the type of a cast'),
    failed(`/bid?select=project(project_name::int)&id=eq.${b1}`, '22P02', unreadable),
    {
      name: 'a write whose rows cannot be shown so is undone',
      request: {
        method: 'PATCH',
        path: `/project?id=eq.${a1}&select=project_name::int`,
        headers: { Prefer: 'return=representation' },
        body: { project_name: 'Changed' },
      },
      expected: {
        status: 400,
        code: '22P02',
        message: unreadable,
        details: 'A row has a value that this type cannot have.',
      },
    },
    {
      name: 'and its row is as it was',
      request: { path: `/project?select=project_name&id=eq.${a1}` },
      expected: { status: 200, json: names('Alpha') },
    },
    {
      name: 'numerics are added up',
      request: {
        path: `/project?select=s:project_name::numeric.sum(),a:project_name::numeric.avg(),hi:project_name::numeric.max(),lo:project_name::numeric.min()&${all}`,
      },
      expected: {
        status: 200,
        text: '[{"s":9223372036854775829.00,"a":1844674407370955165.80,"hi":9223372036854775807,"lo":-2.50}]',
      },
    },
    {
      name: 'numerics are grouped by their value and come in their order',
      request: { path: `/project?select=n:project_name::numeric,count()&${all}` },
      expected: {
        status: 200,
        json: [
          { n: -2.5, count: 2 },
          { n: 12, count: 1 },
          { n: 15, count: 1 },
          { n: Number(texts.c9), count: 1 },
        ],
      },
    },
    {
      name: 'digits of an aggregate that was cast are kept in CSV',
      request: {
        path: `/project?select=n:project_name.max()::numeric,count()::float8&id=eq.${uuid('cc')}`,
        headers: { Accept: 'text/csv' },
      },
      expected: { status: 200, text: `n,count\n${texts.cc},1` },
    },
    {
      name: 'and without nulls',
      request: {
        path: `/project?select=n:project_name.max()::numeric&id=eq.${uuid('cc')}`,
        headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
      },
      expected: { status: 200, text: `[{"n":${texts.cc}}]` },
    },
    {
      name: 'and beside a time in another time zone',
      request: {
        path: `/project?select=n:project_name.max()::numeric,created_at&id=eq.${uuid('cc')}`,
        headers: { Prefer: 'timezone=Asia/Tokyo' },
      },
      expected: { status: 200, text: `[{"n":${texts.cc},"created_at":"2026-01-03T09:00:00+09:00"}]` },
    },
    {
      name: 'a time that was read from a text is shown in the time zone of the request',
      request: {
        path: `/project?select=v:project_name::timestamptz&id=eq.${uuid('c6')}`,
        headers: { Prefer: 'timezone=Asia/Tokyo' },
      },
      expected: { status: 200, json: [{ v: '2026-02-03T11:35:06.7+09:00' }] },
    },
    {
      name: 'JSON cannot be grouped by',
      request: { path: `/project?select=project_name::json,count()&id=eq.${uuid('c5')}` },
      expected: { status: 400, code: '42883', message: 'could not identify an equality operator for type json' },
    },
    {
      name: 'nor ordered by',
      request: { path: `/project?select=bid(n:bid_name::json)&order=bid(n)` },
      expected: {
        status: 400,
        code: '42883',
        message: 'could not identify an ordering operator for type json',
        hint: 'Order by another column.',
      },
    },
    {
      name: 'another company is not asked about its values',
      by: 'rival',
      request: { path: `/project?select=project_name::int&${all}` },
      expected: { status: 200, json: [] },
    },
  ],
  seeds,
)
