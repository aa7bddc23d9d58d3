import {
  answers,
  b1,
  b2,
  b9,
  ids,
  json,
  moment,
  names,
  prefer,
  project,
  type Row,
  representation,
  someId,
  uuid,
} from './rows.ts'

const row = (end: string, name: string, bid_id = b1) => ({ id: uuid(end), bid_id, project_name: name })
const made = (end: string, name: string, bid_id = b1) => project(uuid(end), bid_id, name, moment)
const post = (body: unknown, headers = {}, query = ''): Row['request'] => ({
  method: 'POST',
  path: `/project${query}`,
  headers,
  body,
})

const notNull = (column: string) =>
  `null value in column "${column}" of relation "project" violates not-null constraint`
const csv = { 'Content-Type': 'text/csv', ...representation }

answers('bodies of inserts', [
  {
    name: 'different keys, with columns: what is absent is null',
    request: post(
      [row('e0', 'a'), { bid_id: b1, project_name: 'b' }],
      representation,
      '?columns=id,bid_id,project_name',
    ),
    expected: { status: 400, code: '23502', message: notNull('id') },
  },
  {
    name: 'different keys, with columns and missing=default',
    request: post(
      [row('e1', 'a'), { bid_id: b1, project_name: 'b' }],
      prefer('return=representation', 'missing=default'),
      '?columns="id","bid_id","project_name"&select=id,project_name',
    ),
    expected: {
      status: 201,
      headers: { 'Preference-Applied': 'missing=default, return=representation' },
      json: [
        { id: uuid('e1'), project_name: 'a' },
        { id: someId, project_name: 'b' },
      ],
    },
  },
  {
    name: 'columns: other keys are ignored',
    request: post({ ...row('e2', 'c'), nope: 1 }, representation, '?columns=id,bid_id,project_name&select=id'),
    expected: { status: 201, json: ids(uuid('e2')) },
  },
  {
    name: 'an unknown column in columns',
    request: post({ ...row('e3', 'c'), nope: 1 }, {}, '?columns=id,bid_id,project_name,nope'),
    expected: {
      status: 400,
      code: 'PGRST204',
      message: "Could not find the 'nope' column of 'project' in the schema cache",
    },
  },
  {
    name: 'no columns at all in columns',
    request: post(row('e3', 'c'), {}, '?columns='),
    expected: {
      status: 400,
      code: 'PGRST100',
      message: '"failed to parse columns parameter ()" (line 1, column 1)',
      details: /^unexpected end of input expecting field name /,
    },
  },
  {
    name: 'CSV',
    request: post(
      `id,bid_id,project_name\n${uuid('f0')},${b1},"forty, ""q"""\n${uuid('f1')},${b2},forty-one\n`,
      csv,
      '?select=id,bid_id,project_name',
    ),
    expected: {
      status: 201,
      headers: { 'Content-Range': '*/*', 'Content-Type': json },
      json: [row('f0', 'forty, "q"'), row('f1', 'forty-one', b2)],
    },
  },
  {
    name: 'CSV with a NULL',
    request: post(`id,bid_id,project_name\n${uuid('f2')},NULL,x\n`, csv),
    expected: { status: 400, code: '23502', message: notNull('bid_id') },
  },
  {
    name: 'CSV with lines of different length',
    request: post(`id,bid_id,project_name\n${uuid('f2')},${b1}\n`, csv),
    expected: { status: 400, code: 'PGRST102', message: 'All lines must have same number of fields' },
  },
  {
    name: 'a form',
    request: post(`id=${uuid('f3')}&bid_id=${b1}&project_name=form+of+%C3%A9`, {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...representation,
    }),
    expected: { status: 201, json: [made('f3', 'form of é')] },
  },
  {
    name: 'a body without a content type is JSON',
    request: post(new TextEncoder().encode(JSON.stringify(row('f4', 'bytes')))),
    expected: { status: 201, json: made('f4', 'bytes') },
  },
  {
    name: 'another content type is refused',
    request: post('x', { 'Content-Type': 'text/plain' }),
    expected: { status: 415, code: 'unsupported_media_type', message: 'Content-Type not acceptable: text/plain' },
  },
  {
    name: 'CSV with a bid of the other company is refused as a whole',
    request: post(`bid_id,project_name\n${b1},Mine\n${b9},Theirs\n`, csv),
    expected: { status: 409, code: '23503' },
  },
  {
    name: 'and neither company has any of it',
    by: 'rival',
    request: { path: '/project?select=project_name' },
    expected: { status: 200, json: names('Rival alpha', 'Rival beta') },
  },
  {
    name: 'nothing of what was refused was written',
    request: { path: `/project?select=id&or=(project_name.eq.Mine,id.in.(${['e0', 'e3', 'f2'].map(uuid)}))` },
    expected: { status: 200, json: [] },
  },
])
