import { a1, a2, a3, a9, alpha, answers, b1, beta, gamma, moment, prefer, type Row, representation } from './rows.ts'

const merge = prefer('resolution=merge-duplicates', 'return=representation')
const ignore = prefer('resolution=ignore-duplicates', 'return=representation')
const newer = '2026-01-04T00:00:00.000001+00:00'
const absent = '00000000-0000-4000-8000-0000000000af'

const refused = (name: string, request: Row['request'], column: string): Row => ({
  name: `${name} is refused`,
  request,
  expected: {
    status: 400,
    code: '428C9',
    message: `cannot insert a non-DEFAULT value into column "${column}"`,
    details: `Column "${column}" is set by the server.`,
    hint: `Leave "${column}" out, or change an existing row and send the value that it has now.`,
  },
})

const patch = (filter: string, body: unknown) => ({
  method: 'PATCH',
  path: `/project?${filter}`,
  headers: representation,
  body,
})
const put = (id: string, body: unknown) => ({
  method: 'PUT',
  path: `/project?id=eq.${id}`,
  headers: representation,
  body,
})
const post = (headers: Readonly<Record<string, string>>, body: unknown) => ({
  method: 'POST',
  path: '/project',
  headers,
  body,
})

answers('rows that are sent back as they were read', [
  ...[{ toString: 1 }, [['2026-01-01']], 5, true].map((updated_at) => ({
    name: `${JSON.stringify(updated_at)} is no time`,
    request: patch(`id=eq.${a1}`, { updated_at }),
    expected: { status: 400, code: '22007' },
  })),
  refused('a new row with the times of another', post(representation, { ...alpha, id: absent }), 'created_at'),
  refused('another time', patch(`id=eq.${a1}`, { ...alpha, created_at: newer }), 'created_at'),
  refused('a time from before the last change', patch(`id=eq.${a1}`, { ...alpha, updated_at: newer }), 'updated_at'),
  refused('no time', patch(`id=eq.${a1}`, { ...alpha, updated_at: null }), 'updated_at'),
  refused(
    'the time of one row for two',
    patch(`id=in.(${a1},${a2})`, { project_name: 'x', created_at: alpha.created_at }),
    'created_at',
  ),
  refused('another time by PUT', put(a1, { ...alpha, created_at: newer }), 'created_at'),
  refused('a row that is not there by PUT', put(absent, { ...alpha, id: absent }), 'created_at'),
  refused('a row that must not be there', { ...put(a1, alpha), headers: { 'If-None-Match': '*' } }, 'created_at'),
  refused('another time in an upsert', post(merge, { ...alpha, updated_at: newer }), 'updated_at'),
  refused('a new row in an upsert', post(merge, [alpha, { ...beta, id: absent }]), 'created_at'),
  refused('another time in an upsert of several', post(merge, [alpha, { ...beta, updated_at: newer }]), 'updated_at'),
  refused(
    'the times of two rows exchanged',
    post(merge, [
      { ...alpha, id: a2 },
      { ...beta, id: a1 },
    ]),
    'created_at',
  ),
  refused('another time in what would be ignored', post(ignore, { ...alpha, created_at: newer }), 'created_at'),
  refused('a row of the other company', put(a9, { ...alpha, id: a9 }), 'created_at'),
  {
    name: 'what is no time is refused as such',
    request: patch(`id=eq.${a1}`, { created_at: 'x' }),
    expected: {
      status: 400,
      code: '22007',
      message: 'invalid input syntax for type timestamp with time zone: "x"',
    },
  },
  {
    name: 'nothing was written so far',
    request: { path: '/project?order=id' },
    expected: { status: 200, json: [alpha, beta, gamma] },
  },
  {
    name: 'rows that are there are ignored',
    request: post(ignore, [alpha, gamma]),
    expected: { status: 201, json: [] },
  },
  {
    name: 'no row has no other time',
    request: patch(`id=eq.${absent}`, { ...alpha, id: absent }),
    expected: { status: 200, json: [] },
  },
  {
    name: 'several rows are changed by one upsert',
    request: post(merge, [
      { ...beta, project_name: 'Beta 2' },
      { ...gamma, project_name: 'Gamma 2' },
    ]),
    expected: {
      status: 200,
      json: [
        { ...beta, project_name: 'Beta 2', updated_at: moment },
        { ...gamma, project_name: 'Gamma 2', updated_at: moment },
      ],
    },
  },
  {
    name: 'the same again is refused: the rows have been changed since',
    request: post(merge, [beta, gamma]),
    expected: { status: 400, code: '428C9', message: /"updated_at"/, details: /"updated_at"/ },
  },
  {
    name: 'a row is changed by PATCH, with its times in any spelling',
    request: patch(`id=eq.${a1}`, {
      ...alpha,
      project_name: 'Alpha 2',
      created_at: '2026-01-03T09:00:00+09:00',
      updated_at: '2026-01-03 00:00:00.000Z',
    }),
    expected: { status: 200, json: [{ ...alpha, project_name: 'Alpha 2', updated_at: moment }] },
  },
  {
    name: 'a time alone changes nothing else',
    request: patch(`id=eq.${a1}`, { created_at: alpha.created_at }),
    expected: { status: 200, json: [{ ...alpha, project_name: 'Alpha 2', updated_at: moment }] },
  },
  {
    name: 'a row is changed by PUT',
    request: put(a1, { id: a1, bid_id: b1, project_name: 'Alpha 3', created_at: alpha.created_at }),
    expected: { status: 200, json: [{ ...alpha, project_name: 'Alpha 3', updated_at: moment }] },
  },
  {
    name: 'a row is changed by CSV',
    request: {
      method: 'POST',
      path: '/project?select=project_name',
      headers: { ...merge, 'Content-Type': 'text/csv' },
      body: `id,bid_id,project_name,created_at\n${a1},${b1},Alpha 4,2026-01-03 00:00:00+00`,
    },
    expected: { status: 200, json: [{ project_name: 'Alpha 4' }] },
  },
  {
    name: 'the other company has its rows as they were',
    by: 'rival',
    request: { path: `/project?select=project_name,updated_at&id=in.(${a1},${a3},${a9})` },
    expected: {
      status: 200,
      json: [
        { project_name: 'Rival alpha', updated_at: '2026-01-03T00:00:00+00:00' },
        { project_name: 'Rival beta', updated_at: '2026-01-04T00:00:00+00:00' },
      ],
    },
  },
])
