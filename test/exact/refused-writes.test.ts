import { a1, a2, a9, alpha, answers, b1, b3, b9, exact, names, type Row, uuid } from './rows.ts'

const row = (end: string, name: string, bid_id = b1) => ({ id: uuid(end), bid_id, project_name: name })
const notInserted = (name: string, body: unknown, code: string, message: string | RegExp, more: object = {}): Row => ({
  name: `${name} is refused`,
  request: { method: 'POST', path: '/project', body },
  expected: {
    status: code === '23503' || code === '23505' ? 409 : 400,
    headers: { Location: null },
    code,
    message,
    ...more,
  },
})

const notUpdated = (query: string, body: unknown, code: string, message: string | RegExp, more: object = {}): Row => ({
  name: `${JSON.stringify(body).slice(0, 60)} to ${query || 'everything'} is refused`,
  request: { method: 'PATCH', path: `/project?${query}`, body },
  expected: { status: 400, code, message, ...more },
})

const notNull = (column: string) =>
  `null value in column "${column}" of relation "project" violates not-null constraint`
const check = 'new row for relation "project" violates check constraint "project_project_name_check"'

answers('refused writes', [
  notInserted(
    'different keys',
    [row('ee', 'a'), { ...row('ef', 'b'), nope: 1 }],
    'PGRST102',
    'All object keys must match',
  ),
  notInserted('an array with a scalar', [row('ee', 'a'), 1], 'PGRST102', 'All object keys must match'),
  notInserted('an empty object', {}, '23502', notNull('bid_id')),
  notInserted('an object without a name', { bid_id: b1 }, '23502', notNull('project_name')),
  notInserted('a name that is null', { bid_id: b1, project_name: null }, '23502', notNull('project_name')),
  notInserted('a blank name', { bid_id: b1, project_name: ' ' }, '23514', check),
  notInserted('a name of 256 characters', { bid_id: b1, project_name: 'x'.repeat(256) }, '23514', check),
  notInserted(
    'a bid_id that is no uuid',
    { bid_id: 'abc', project_name: 'x' },
    '22P02',
    'invalid input syntax for type uuid: "abc"',
  ),
  notInserted(
    'an unknown field',
    { ...row('ee', 'x'), nope: 1 },
    'PGRST204',
    "Could not find the 'nope' column of 'project' in the schema cache",
  ),
  notInserted(
    'company_id',
    { ...row('ee', 'x'), company_id: b1 },
    'PGRST204',
    "Could not find the 'company_id' column of 'project' in the schema cache",
  ),
  notInserted(
    'created_at',
    { ...row('ee', 'x'), created_at: alpha.created_at },
    '428C9',
    'cannot insert a non-DEFAULT value into column "created_at"',
    { details: /^Column "created_at" is / },
  ),
  notInserted('malformed JSON', '{"id":', 'PGRST102', 'Empty or invalid json'),
  notInserted('an empty body', '', 'PGRST102', 'Empty or invalid json'),
  notInserted('a JSON scalar', 3, 'PGRST102', 'Empty or invalid json'),
  notInserted(
    'an id that is there',
    { ...row('a1', 'dup') },
    '23505',
    'duplicate key value violates unique constraint "project_pkey"',
    { details: /^Key \(id\)(=\(.*\))? already exists\.$/ },
  ),
  notInserted(
    'the same id twice',
    [row('ee', 'x'), row('ee', 'y')],
    '23505',
    'duplicate key value violates unique constraint "project_pkey"',
    { details: /already exists\.$/ },
  ),
  notInserted(
    'a bid that is not there',
    row('ee', 'x', uuid('bf')),
    '23503',
    'insert or update on table "project" violates foreign key constraint "project_bid_id_fkey"',
    { details: /^Key \(bid_id\)(=\(.*\))? is not present in table "bid"\.$/ },
  ),
  notInserted(
    "the other company's bid, among good rows,",
    [row('ed', 'x', b3), row('ee', 'x', b9)],
    '23503',
    'insert or update on table "project" violates foreign key constraint "project_bid_id_fkey"',
    { details: /is not present in table "bid"\.$/ },
  ),
  {
    name: 'nothing of what was refused was written',
    request: {
      path: `/project?select=id&or=(id.in.(${['e0', 'e3', 'ed', 'ee', 'ef', 'f2'].map(uuid)}),project_name.eq.dup)`,
      headers: exact,
    },
    expected: { status: 200, headers: { 'Content-Range': '*/0' }, json: [] },
  },
  notUpdated('', { project_name: 'x' }, '21000', 'UPDATE requires a WHERE clause'),
  notUpdated('limit=1&order=id', { project_name: 'x' }, '21000', 'UPDATE requires a WHERE clause'),
  notUpdated('select=id,bid(id)&bid.id=not.is.null', { project_name: 'x' }, '21000', 'UPDATE requires a WHERE clause'),
  notUpdated(
    `id=eq.${a1}`,
    { nope: 1 },
    'PGRST204',
    "Could not find the 'nope' column of 'project' in the schema cache",
  ),
  notUpdated(
    `id=eq.${a1}`,
    { company_id: a1 },
    'PGRST204',
    "Could not find the 'company_id' column of 'project' in the schema cache",
  ),
  notUpdated(
    `id=eq.${a1}`,
    { project_name: null },
    '23502',
    'null value in column "project_name" of relation "project" violates not-null constraint',
  ),
  notUpdated(
    `id=eq.${a1}`,
    { project_name: '' },
    '23514',
    'new row for relation "project" violates check constraint "project_project_name_check"',
  ),
  notUpdated(`id=eq.${a1}`, { bid_id: 'abc' }, '22P02', 'invalid input syntax for type uuid: "abc"'),
  notUpdated(`id=eq.${a1}`, { updated_at: '2026-01-01' }, '428C9', /"updated_at"/, {
    details: /^Column "updated_at" is /,
  }),
  notUpdated('nope=eq.1', { project_name: 'x' }, '42703', 'column project.nope does not exist'),
  notUpdated(`id=eq.${a1}`, { id: a2 }, '23505', 'duplicate key value violates unique constraint "project_pkey"', {
    status: 409,
    details: /already exists\.$/,
  }),
  notUpdated(
    `id=eq.${a1}`,
    { bid_id: b9 },
    '23503',
    'insert or update on table "project" violates foreign key constraint "project_bid_id_fkey"',
    {
      status: 409,
      details: /^Key \(bid_id\)(=\(.*\))? is not present in table "bid"\.$/,
    },
  ),
  {
    name: 'no row was changed',
    request: { path: '/project?select=project_name', headers: exact },
    expected: { status: 200, headers: { 'Content-Range': '0-2/3' }, json: names('Alpha', 'Beta', 'Gamma') },
  },
  {
    name: 'the other company reads what it always had',
    by: 'rival',
    request: { path: `/project?select=project_name&id=in.(${a1},${a9})` },
    expected: { status: 200, json: names('Rival alpha', 'Rival beta') },
  },
])
