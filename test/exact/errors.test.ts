import { a1, a9, alpha, answers, b1, ids, type Row, uuid } from './rows.ts'

const body = { id: uuid('c0'), bid_id: b1, project_name: 'x' }
const challenge = 'Bearer realm="project-api"'

const noTable = (name: string, nearest: string | null): Row => ({
  name: `/${name} is no table`,
  request: { path: `/${name}` },
  expected: {
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table 'public.${name}' in the schema cache`,
    hint: nearest && `Perhaps you meant the table 'public.${nearest}'`,
  },
})

const noPath = (path: string, hint?: string): Row => ({
  name: `${path} is no path`,
  request: { path },
  expected: {
    ...{ status: 404, code: 'PGRST125', message: 'Invalid path specified in request URL' },
    ...(hint === undefined ? {} : { hint }),
  },
})

/** What people send who come from other APIs, and what the hint says of it. */
const fromOtherApis: Readonly<Record<string, RegExp>> = {
  'page=2': /limit=20&offset=20/,
  'page=2&limit=20': /limit=20&offset=20/,
  'per_page=50': /limit=20&offset=20/,
  'pageSize=50': /limit=20&offset=20/,
  'skip=10': /limit=20&offset=20/,
  'sort=-created_at': /order=column\.desc/,
  'sort_by=project_name': /order=column/,
  'fields=id,project_name': /select=column,column/,
  'q=bridge': /ilike\.\*word\*/,
  'colour=red': /column=operator\.value/,
}

/** The key that comes with a request, in both of its headers or in the first one alone. */
const key = (apikey: string, bearer = apikey) => ({ apikey, Authorization: `Bearer ${bearer}` })

const notAuthentic = (name: string, headers: Record<string, string>, method = 'GET'): Row => ({
  name: `${method} with ${name}`,
  request: { method, path: '/project', headers, ...(method === 'POST' ? { body } : {}) },
  expected: {
    status: 401,
    headers: { 'WWW-Authenticate': challenge, 'Project-Api-Scope': null },
    code: 'invalid_api_key',
  },
})

const noCompany = (method: string, secret: string, reason: string): Row => ({
  name: `${method} with ${secret || 'no secret'}`,
  request: {
    method,
    path: `/project?id=eq.${a1}`,
    headers: { 'X-API-Secret': secret },
    ...(method === 'DELETE' ? {} : { body: { ...body, id: a1 } }),
  },
  expected: { status: 403, headers: { 'Project-Api-Scope': `none; reason=${reason}` }, code: '42501' },
})

answers('errors', [
  noTable('projects', 'project'),
  noTable('projec', 'project'),
  noTable('bids', 'bid'),
  noTable('zzzzzz', null),
  noTable('credential', null),
  noTable('company', null),
  {
    name: 'an insert into no table',
    request: { method: 'POST', path: '/projects', body },
    expected: {
      status: 404,
      code: 'PGRST205',
      message: "Could not find the table 'public.projects' in the schema cache",
    },
  },
  noPath('/project/1', 'For one row, filter by its key: /rest/v1/project?id=eq.1'),
  noPath('/bid/1', 'For one row, filter by its key: /rest/v1/bid?id=eq.1'),
  noPath('/bid/a%26b', 'For one row, filter by its key: /rest/v1/bid?id=eq.a%26b'),
  noPath('/project/1/bid'),
  noPath('/project/', 'Resources are at /rest/v1/<name>, without a trailing slash.'),
  ...Object.entries(fromOtherApis).map(
    ([query, hint]): Row => ({
      name: `a parameter of other APIs: ${query}`,
      request: { path: `/project?${query}` },
      expected: { status: 400, code: 'PGRST100', hint },
    }),
  ),
  noPath('/nothing/at/all'),
  {
    name: 'no function',
    request: { method: 'POST', path: '/rpc/nope', body: {} },
    expected: {
      status: 404,
      code: 'PGRST202',
      message: 'Could not find the function public.nope in the schema cache',
    },
  },
  {
    name: 'a method that is not served',
    request: { method: 'PROPFIND', path: '/project' },
    expected: {
      status: 405,
      headers: { Allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
      code: 'PGRST117',
      message: 'Unsupported HTTP method: PROPFIND',
    },
  },
  {
    name: 'a query that is not percent-encoded UTF-8',
    request: { path: '/project?project_name=eq.%FF' },
    expected: { status: 400, code: 'PGRST100' },
  },
  {
    name: 'a schema that is not exposed, for a write',
    request: { method: 'POST', path: '/project', headers: { 'Content-Profile': 'private' }, body },
    expected: {
      status: 406,
      code: 'PGRST106',
      message: 'Invalid schema: private',
      hint: 'Only the following schemas are exposed: public',
    },
  },
  {
    name: 'syntax comes before names',
    request: { path: '/project?nope=eq.1&id=1' },
    expected: {
      status: 400,
      code: 'PGRST100',
      message: '"failed to parse filter (1)" (line 1, column 1)',
      details: 'unexpected "1" expecting "not" or operator (eq, gt, ...)',
    },
  },
  {
    name: 'syntax comes before ranges',
    request: { path: '/project?limit=-1&id=1' },
    expected: {
      status: 400,
      code: 'PGRST100',
      message: '"failed to parse filter (1)" (line 1, column 1)',
      details: /^unexpected "1"/,
    },
  },
  {
    name: 'ranges come before names',
    request: { path: '/project?limit=-1&select=nope' },
    expected: {
      status: 416,
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: 'Limit should be greater than or equal to zero.',
    },
  },
  {
    name: 'the hint names the columns',
    request: { path: '/project?select=project_nam' },
    expected: {
      status: 400,
      code: '42703',
      message: 'column project.project_nam does not exist',
      hint: /"project\.project_name"/,
    },
  },
  {
    name: 'the media type comes before names',
    request: { path: '/project?select=nope', headers: { Accept: 'application/xml' } },
    expected: { status: 406, code: 'PGRST107', message: 'None of these media types are available: application/xml' },
  },
  {
    name: 'the body comes before names',
    request: { method: 'POST', path: '/project?select=nope', body: '{' },
    expected: { status: 400, code: 'PGRST102', message: 'Empty or invalid json' },
  },
  notAuthentic('no key', { apikey: '' }),
  notAuthentic('a malformed key', key('abc')),
  notAuthentic('an unknown key', key(`pak_${'0'.repeat(38)}`)),
  notAuthentic('a malformed key', key('abc'), 'POST'),
  notAuthentic('another key as bearer', { Authorization: 'Bearer abc' }),
  notAuthentic('basic authorization', { Authorization: 'Basic YTpi' }),
  noCompany('POST', '', 'secret_missing'),
  noCompany('PATCH', 'pas_wrong', 'secret_mismatch'),
  noCompany('PUT', '', 'secret_missing'),
  noCompany('DELETE', 'pas_wrong', 'secret_mismatch'),
  {
    name: 'a secret in a browser',
    request: { path: '/project', headers: { 'Sec-Fetch-Site': 'cross-site' } },
    expected: { status: 403, code: 'secret_in_browser' },
  },
  {
    name: 'what was refused did nothing',
    request: { path: '/project?limit=1' },
    expected: { status: 200, json: [alpha] },
  },
  {
    name: "a row of the other company's and a row that is not there have one and the same answer",
    request: {
      path: `/project?select=id&id=in.(${a9},${uuid('ff')})`,
      headers: { Accept: 'application/vnd.pgrst.object+json' },
    },
    expected: {
      status: 406,
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
    },
  },
  {
    name: 'while the other company has it',
    by: 'rival',
    request: { path: `/project?select=id&id=eq.${a9}` },
    expected: { status: 200, json: ids(a9) },
  },
])
