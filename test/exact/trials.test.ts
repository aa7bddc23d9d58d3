import {
  a1,
  a2,
  alpha,
  answers,
  b1,
  b9,
  beta,
  ids,
  moment,
  names,
  prefer,
  project,
  type Row,
  single,
  uuid,
} from './rows.ts'

const rollback = 'tx=rollback'
const [shown, minimal] = [prefer('return=representation', rollback), prefer('return=minimal', rollback)]
const row = (end: string, project_name: string, bid_id = b1) => ({ id: uuid(end), bid_id, project_name })

const unchanged: Row = {
  name: 'and nothing is written',
  request: { path: '/project?select=id,project_name&order=id', headers: prefer('count=exact') },
  expected: {
    status: 200,
    headers: { 'Content-Range': '0-2/3' },
    json: [
      { id: a1, project_name: 'Alpha' },
      { id: a2, project_name: 'Beta' },
      { id: uuid('a3'), project_name: 'Gamma' },
    ],
  },
}

const many = Array.from({ length: 1200 }, (_, at) => ({ bid_id: b1, project_name: `Trial ${at}` }))

/** Each is told as if it were done, and none of them is. */
const trials: readonly Row[] = [
  {
    name: 'POST of a row',
    request: { method: 'POST', path: '/project', headers: prefer(rollback), body: row('c1', 'Trial') },
    expected: {
      status: 201,
      headers: { 'Preference-Applied': rollback, Location: `/rest/v1/project?id=eq.${uuid('c1')}` },
      json: project(uuid('c1'), b1, 'Trial', moment),
    },
  },
  {
    name: 'POST of rows, with their bid',
    request: {
      method: 'POST',
      path: '/project?select=project_name,bid(bid_name)',
      headers: shown,
      body: [row('c1', 'One'), row('c2', 'Two')],
    },
    expected: {
      status: 201,
      headers: { 'Preference-Applied': `return=representation, ${rollback}` },
      json: ['One', 'Two'].map((project_name) => ({ project_name, bid: { bid_name: 'Bid one' } })),
    },
  },
  {
    name: 'POST of very many rows',
    request: {
      method: 'POST',
      path: '/project?select=project_name',
      headers: prefer('return=minimal', 'count=exact', rollback),
      body: many,
    },
    expected: { status: 201, headers: { 'Content-Range': '*/1200' }, text: '' },
  },
  {
    name: 'upsert',
    request: {
      method: 'POST',
      path: '/project?select=id,project_name',
      headers: prefer('resolution=merge-duplicates', 'return=representation', rollback),
      body: [row('a1', 'Merged'), row('c1', 'New')],
    },
    expected: {
      status: 201,
      json: [
        { id: a1, project_name: 'Merged' },
        { id: uuid('c1'), project_name: 'New' },
      ],
    },
  },
  {
    name: 'PUT',
    request: { method: 'PUT', path: `/project?id=eq.${uuid('c1')}`, headers: minimal, body: row('c1', 'Put') },
    expected: { status: 201, headers: { 'Preference-Applied': `return=minimal, ${rollback}` }, text: '' },
  },
  {
    name: 'PATCH',
    request: {
      method: 'PATCH',
      path: `/project?id=in.(${a1},${a2})&select=project_name`,
      headers: shown,
      body: { project_name: 'Changed' },
    },
    expected: { status: 200, headers: { 'Content-Range': '0-1/*' }, json: names('Changed', 'Changed') },
  },
  {
    name: 'PATCH, only counted',
    request: {
      method: 'PATCH',
      path: '/project?id=not.is.null',
      headers: prefer('count=exact', rollback),
      body: { project_name: 'Changed' },
    },
    expected: { status: 204, headers: { 'Content-Range': '0-2/3' }, text: '' },
  },
  {
    name: 'DELETE',
    request: { method: 'DELETE', path: `/project?id=eq.${a2}`, headers: shown },
    expected: { status: 200, json: [beta] },
  },
  {
    name: 'DELETE of all',
    request: { method: 'DELETE', path: '/project?id=not.is.null', headers: prefer('count=exact', rollback) },
    expected: { status: 204, headers: { 'Content-Range': '*/3' }, text: '' },
  },
  // What would be refused is refused in a trial, too.
  {
    name: "POST to the other company's bid",
    request: { method: 'POST', path: '/project', headers: shown, body: row('c1', 'Trial', b9) },
    expected: { status: 409, code: '23503' },
  },
  {
    name: 'POST of a row that is there',
    request: { method: 'POST', path: '/project', headers: shown, body: row('a1', 'Trial') },
    expected: { status: 409, code: '23505' },
  },
  {
    name: 'DELETE of a bid with projects',
    request: { method: 'DELETE', path: `/bid?id=eq.${b1}`, headers: shown },
    expected: { status: 409, code: '23503', details: 'Key (id) is still referenced from table "project".' },
  },
  {
    name: 'DELETE of two where one is wanted',
    request: { method: 'DELETE', path: `/project?id=in.(${a1},${a2})`, headers: { ...shown, ...single } },
    expected: { status: 406, code: 'PGRST116' },
  },
  {
    name: 'DELETE of more than may be',
    request: {
      method: 'DELETE',
      path: `/project?id=in.(${a1},${a2})`,
      headers: prefer('handling=strict', 'max-affected=1', rollback),
    },
    expected: { status: 400, code: 'PGRST124' },
  },
]

const twice = (status: number, isKept: boolean): Row => ({
  name: isKept ? 'a write with the same key is done and kept' : 'a trial is not kept for an Idempotency-Key',
  request: {
    method: 'POST',
    path: '/project?select=id',
    headers: { ...prefer('return=representation', ...(isKept ? [] : [rollback])), 'Idempotency-Key': 'trial-1' },
    body: row('c1', 'Trial'),
  },
  expected: { status, headers: { 'Idempotent-Replayed': null }, json: ids(uuid('c1')) },
})

answers('trials', [
  ...trials.flatMap((trial) => [trial, unchanged]),
  {
    name: 'a read',
    request: { path: `/project?id=eq.${a1}`, headers: prefer(rollback) },
    expected: { status: 200, headers: { 'Preference-Applied': rollback }, json: [alpha] },
  },
  {
    name: 'tx=commit keeps what is written',
    request: {
      method: 'PATCH',
      path: `/project?id=eq.${a1}&select=project_name`,
      headers: prefer('return=representation', 'tx=commit'),
      body: { project_name: 'Alpha' },
    },
    expected: {
      status: 200,
      headers: { 'Preference-Applied': 'return=representation, tx=commit' },
      json: names('Alpha'),
    },
  },
  twice(201, false),
  twice(201, false),
  twice(201, true),
  {
    name: 'a trial of the other company touches its own rows alone',
    by: 'rival',
    request: { method: 'DELETE', path: '/project?id=not.is.null&select=project_name', headers: shown },
    expected: { status: 200, json: names('Rival alpha', 'Rival beta') },
  },
])
