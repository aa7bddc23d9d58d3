import { a1, a3, a9, alpha, answers, b1, type Row } from './rows.ts'

/** What one project shows of itself. */
const shows = (select: string, row: unknown, id = a1): Row => ({
  name: select,
  request: { path: `/project?select=${select}&id=eq.${id}` },
  expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: [row] },
})

const refused = (select: string, code: string, message: string | RegExp, details?: string | RegExp): Row => ({
  name: `${select} is refused`,
  request: { path: `/project?select=${select}` },
  expected: { status: 400, code, message, ...(details === undefined ? {} : { details }) },
})

answers('select and casts', [
  shows('id', { id: a1 }),
  shows('id,project_name', { id: a1, project_name: 'Alpha' }),
  shows('*', alpha),
  shows('*,name:project_name', { ...alpha, name: 'Alpha' }),
  shows('id,id', { id: a1 }),
  shows('id, project_name', { id: a1, project_name: 'Alpha' }),
  shows('n:project_name,id::text', { n: 'Alpha', id: a1 }),
  shows('"project_name"', { project_name: 'Alpha' }),
  shows('"The name, please":project_name', { 'The name, please': 'Alpha' }),
  shows('größe:project_name', { größe: 'Alpha' }),
  shows('key:id::text', { key: a1 }),
  shows('project_name::text', { project_name: 'Alpha' }),
  shows('project_name::varchar', { project_name: 'Alpha' }),
  shows('created_at', { created_at: '2026-01-05T06:07:08.123456+00:00' }, a3),
  shows('created_at::text', { created_at: '2026-01-05 06:07:08.123456+00' }, a3),
  shows('created_at::date', { created_at: '2026-01-05' }, a3),
  shows('created_at::time', { created_at: '06:07:08.123456' }, a3),
  shows('created_at::timestamp', { created_at: '2026-01-05T06:07:08.123456' }, a3),
  shows('at:created_at::timestamptz', { at: '2026-01-05T06:07:08.123456+00:00' }, a3),
  shows('created_at::timestamp with time zone', { created_at: '2026-01-05T06:07:08.123456+00:00' }, a3),
  {
    name: 'the cast is encoded in Content-Location',
    request: { path: `/project?select=n:project_name,id::text&id=eq.${a1}` },
    expected: {
      status: 200,
      headers: { 'Content-Location': `/rest/v1/project?id=eq.${a1}&select=n%3Aproject_name%2Cid%3A%3Atext` },
      json: [{ n: 'Alpha', id: a1 }],
    },
  },
  {
    name: 'the text of a row has its columns in the order of the select',
    request: { path: `/project?select=project_name,bid_id,id&id=eq.${a1}` },
    expected: { status: 200, text: `[{"project_name":"Alpha","bid_id":"${b1}","id":"${a1}"}]` },
  },
  refused('id,nope', '42703', 'column project.nope does not exist'),
  refused('company_id', '42703', 'column project.company_id does not exist'),
  refused('id::nope', '42704', 'type "nope" does not exist'),
  refused('id::integer', '42846', 'cannot cast type uuid to integer'),
  refused('created_at::uuid', '42846', 'cannot cast type timestamp with time zone to uuid'),
  refused(
    'id,(',
    'PGRST100',
    '"failed to parse select parameter (id,()" (line 1, column 4)',
    'unexpected "(" expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"',
  ),
  refused(
    'id,bid(',
    'PGRST100',
    /^"failed to parse select parameter \(id,bid\(\)" \(line 1, column \d+\)$/,
    /^unexpected /,
  ),
  refused(
    'id.total()',
    'PGRST100',
    /^"failed to parse select parameter \(id\.total\(\)\)" \(line 1, column \d+\)$/,
    /^unexpected /,
  ),
  {
    name: 'the same select shows the other company its own row',
    by: 'rival',
    request: { path: `/project?select=n:project_name&id=in.(${a1},${a3},${a9})` },
    expected: { status: 200, json: [{ n: 'Rival alpha' }, { n: 'Rival beta' }] },
  },
])
