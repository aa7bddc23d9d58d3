import { a1, a2, a3, alpha, answers, b1, ids, json, object, type Row, type Seed, single, uuid } from './rows.ts'

const odd = uuid('ad')
const more: Seed[] = [[odd, b1, 'a "q", \\ (b)', '2026-01-06T00:00:00+00:00']]

/** What a reader gets who accepts this. */
const gets = (
  accept: string,
  contentType: string,
  body: { readonly json: unknown } | { readonly text: string },
): Row => ({
  name: `${accept} → ${contentType}`,
  request: { path: `/project?select=id&id=eq.${a1}`, headers: { Accept: accept } },
  expected: { status: 200, headers: { 'Content-Type': contentType, 'Content-Range': '0-0/*' }, ...body },
})

const unavailable = (accept: string): Row => ({
  name: `${accept} is not to be had`,
  request: { path: '/project', headers: { Accept: accept } },
  expected: { status: 406, code: 'PGRST107', message: `None of these media types are available: ${accept}` },
})

const notOne = (count: number) => ({
  status: 406,
  code: 'PGRST116',
  message: 'Cannot coerce the result to a single JSON object',
  details: `The result contains ${count} rows`,
})

const array = { json: ids(a1) }
const one = { json: { id: a1 } }
const table = { text: `id\n${a1}` }
const csv = { Accept: 'text/csv' }
const ndjson = { Accept: 'application/x-ndjson' }
const lines = 'application/x-ndjson; charset=utf-8'

answers(
  'media types',
  [
    gets('*/*', json, array),
    gets('application/json', json, array),
    gets('Application/JSON', json, array),
    gets('text/html, */*;q=0.8', json, array),
    gets('application/vnd.pgrst.array+json', json, array),
    gets('application/xml, text/csv', 'text/csv; charset=utf-8', table),
    gets('text/csv;q=0.5, application/json', json, array),
    gets('application/json;q=0.5, text/csv', 'text/csv; charset=utf-8', table),
    gets('text/csv; header=present', 'text/csv; charset=utf-8', table),
    gets(object, `${object}; charset=utf-8`, one),
    gets('application/vnd.pgrst.object', `${object}; charset=utf-8`, one),
    gets('application/x-ndjson', lines, { text: `{"id":"${a1}"}\n` }),
    unavailable('application/xml'),
    unavailable('application/xml, image/png'),
    unavailable('application/geo+json'),
    unavailable('application/vnd.pgrst.plan+json'),
    unavailable('application/openapi+json'),
    {
      name: 'one object',
      request: { path: `/project?id=eq.${a1}`, headers: single },
      expected: {
        status: 200,
        headers: { 'Content-Range': '0-0/*', 'Content-Location': `/rest/v1/project?id=eq.${a1}` },
        json: alpha,
      },
    },
    {
      name: 'one object of none',
      request: { path: '/project?project_name=eq.none', headers: single },
      expected: notOne(0),
    },
    { name: 'one object of four', request: { path: '/project', headers: single }, expected: notOne(4) },
    {
      name: 'one object, by a limit',
      request: { path: '/project?select=id&order=id.desc&limit=1', headers: single },
      expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: { id: odd } },
    },
    {
      name: 'one object, by an offset and a limit, with a count',
      request: { path: '/project?select=id&offset=1&limit=1', headers: { ...single, Prefer: 'count=exact' } },
      expected: { status: 206, headers: { 'Content-Range': '1-1/4' }, json: { id: a2 } },
    },
    {
      name: 'one object, by a Range',
      request: { path: '/project?select=id', headers: { ...single, Range: '2-2' } },
      expected: { status: 200, headers: { 'Content-Range': '2-2/*' }, json: { id: a3 } },
    },
    {
      name: 'one object of two, by a limit',
      request: { path: '/project?limit=2', headers: single },
      expected: notOne(2),
    },
    {
      name: 'one object without its nulls',
      request: {
        path: `/project?select=id,bid(id)&bid.bid_name=eq.none&id=eq.${a1}`,
        headers: { Accept: `${object};nulls=stripped` },
      },
      expected: {
        status: 200,
        headers: { 'Content-Type': `${object};nulls=stripped; charset=utf-8` },
        json: { id: a1 },
      },
    },
    {
      name: 'an array without nulls',
      request: {
        path: '/project?select=id,bid(id)&bid.bid_name=eq.none&limit=2',
        headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
      },
      expected: {
        status: 200,
        headers: { 'Content-Type': 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8' },
        json: ids(a1, a2),
      },
    },
    {
      name: 'CSV quotes what needs it',
      request: { path: '/project?select=id,project_name&order=id', headers: csv },
      expected: {
        status: 200,
        headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Range': '0-3/*' },
        text: `id,project_name\n${a1},Alpha\n${a2},Beta\n${a3},Gamma\n${odd},"a ""q"", \\\\ (b)"`,
      },
    },
    {
      name: 'CSV writes times as PostgreSQL does',
      request: { path: `/project?select=project_name,created_at&id=eq.${a3}`, headers: csv },
      expected: { status: 200, text: 'project_name,created_at\nGamma,"2026-01-05 06:07:08.123456+00"' },
    },
    {
      name: 'CSV writes null as nothing',
      request: { path: '/project?select=project_name,...bid(bid_name)&bid.bid_name=eq.none&limit=2', headers: csv },
      expected: { status: 200, text: 'project_name,bid_name\nAlpha,\nBeta,' },
    },
    {
      name: 'CSV of no rows',
      request: { path: '/project?project_name=eq.none', headers: csv },
      expected: { status: 200, headers: { 'Content-Range': '*/*', 'Content-Length': '1' }, text: '\n' },
    },
    {
      name: 'CSV of no rows, some columns',
      request: { path: '/project?project_name=eq.none&select=id', headers: csv },
      expected: { status: 200, text: '\n' },
    },
    {
      name: 'CSV of a write',
      request: {
        method: 'PATCH',
        path: `/project?id=eq.${odd}&select=project_name`,
        headers: { ...csv, Prefer: 'return=representation' },
        body: { project_name: 'Odd' },
      },
      expected: {
        status: 200,
        headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Range': '0-0/*' },
        text: 'project_name\nOdd',
      },
    },
    {
      name: 'NDJSON, a line for each row',
      request: { path: '/project?select=project_name&limit=2', headers: ndjson },
      expected: {
        status: 200,
        headers: { 'Content-Type': lines, 'Content-Range': '0-1/*' },
        text: '{"project_name":"Alpha"}\n{"project_name":"Beta"}\n',
      },
    },
    {
      name: 'NDJSON of no rows',
      request: { path: '/project?project_name=eq.none', headers: ndjson },
      expected: { status: 200, headers: { 'Content-Type': lines }, text: '' },
    },
    {
      name: 'HEAD names the type',
      request: { method: 'HEAD', path: '/project', headers: csv },
      expected: { status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, text: '' },
    },
    {
      name: "CSV of the other company's rows is the other company's",
      by: 'rival',
      request: { path: '/project?select=project_name', headers: csv },
      expected: { status: 200, text: 'project_name\n"Rival alpha"\n"Rival beta"' },
    },
  ],
  more,
)
