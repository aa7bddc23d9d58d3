import {
  a1,
  a2,
  a3,
  a9,
  alpha,
  answers,
  b1,
  b2,
  beta,
  bidOne,
  bidThree,
  bidTwo,
  exact,
  gamma,
  ids,
  json,
  rivalAlpha,
  rivalBeta,
} from './rows.ts'

const allow = 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'

answers('reads', [
  {
    name: 'all rows, all columns, in the order of their ids',
    request: { path: '/project' },
    expected: {
      status: 200,
      headers: {
        'Content-Type': json,
        'Content-Length': '613',
        'Content-Range': '0-2/*',
        'Content-Location': '/rest/v1/project',
        'Preference-Applied': null,
        'Content-Profile': null,
        'Proxy-Status': null,
        Link: null,
        Location: null,
        Vary: 'Accept, Accept-Encoding, Prefer, Range',
        'Project-Api-Scope': 'company',
      },
      json: [alpha, beta, gamma],
    },
  },
  {
    name: 'some columns, with the query sorted and encoded in Content-Location',
    request: { path: '/project?select=id,bid_id,project_name,created_at&order=id' },
    expected: {
      status: 200,
      headers: {
        'Content-Range': '0-2/*',
        'Content-Location': '/rest/v1/project?order=id&select=id%2Cbid_id%2Cproject_name%2Ccreated_at',
      },
      json: [alpha, beta, gamma].map(({ updated_at, ...row }) => row),
    },
  },
  {
    name: 'brackets and stars are encoded in Content-Location',
    request: { path: `/project?or=(id.eq.${a1},project_name.like.G*)&select=id` },
    expected: {
      status: 200,
      headers: { 'Content-Location': `/rest/v1/project?or=%28id.eq.${a1}%2Cproject_name.like.G%2A%29&select=id` },
      json: ids(a1, a3),
    },
  },
  {
    name: 'no row',
    request: { path: '/project?id=eq.00000000-0000-4000-8000-0000000000ff' },
    expected: {
      status: 200,
      headers: {
        'Content-Range': '*/*',
        'Content-Length': '2',
        'Content-Location': '/rest/v1/project?id=eq.00000000-0000-4000-8000-0000000000ff',
        'Content-Type': json,
      },
      json: [],
    },
  },
  {
    name: 'rows are separated by a comma and a line break',
    request: { path: '/project?select=project_name' },
    expected: {
      status: 200,
      text: '[{"project_name":"Alpha"},\n{"project_name":"Beta"},\n{"project_name":"Gamma"}]',
    },
  },
  { name: 'bids', request: { path: '/bid' }, expected: { status: 200, json: [bidOne, bidTwo, bidThree] } },
  { name: 'select=*', request: { path: '/bid?select=*' }, expected: { status: 200, json: [bidOne, bidTwo, bidThree] } },
  {
    name: 'an empty select',
    request: { path: '/bid?select=' },
    expected: { status: 200, json: [bidOne, bidTwo, bidThree] },
  },
  {
    name: 'one row by its id',
    request: { path: `/project?id=eq.${a2}` },
    expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: [beta] },
  },
  {
    name: 'HEAD has the headers of GET, its length too, and no body',
    request: { method: 'HEAD', path: '/project' },
    expected: {
      status: 200,
      headers: {
        'Content-Range': '0-2/*',
        'Content-Location': '/rest/v1/project',
        'Content-Type': json,
        'Content-Length': '613',
      },
      text: '',
    },
  },
  {
    name: 'HEAD with a count',
    request: { method: 'HEAD', path: '/project?select=*', headers: exact },
    expected: { status: 200, headers: { 'Content-Range': '0-2/3', 'Preference-Applied': 'count=exact' }, text: '' },
  },
  {
    name: 'HEAD with a failure tells it in a header',
    request: { method: 'HEAD', path: '/project?select=nope' },
    expected: { status: 400, headers: { 'Proxy-Status': 'project-api; error=42703' }, text: '' },
  },
  {
    name: 'OPTIONS',
    request: { method: 'OPTIONS', path: '/project' },
    expected: { status: 200, headers: { Allow: allow }, text: '' },
  },
  {
    name: 'OPTIONS as a CORS preflight grants nothing',
    request: {
      method: 'OPTIONS',
      path: '/bid',
      headers: { Origin: 'http://example.com', 'Access-Control-Request-Method': 'POST' },
    },
    expected: { status: 200, headers: { Allow: allow }, text: '' },
  },
  {
    name: 'OPTIONS of an unknown table',
    request: { method: 'OPTIONS', path: '/zzzzzz' },
    expected: {
      status: 404,
      code: 'PGRST205',
      message: "Could not find the table 'public.zzzzzz' in the schema cache",
    },
  },
  {
    name: 'GET with an Origin grants nothing',
    request: { path: `/project?select=id&limit=1`, headers: { Origin: 'http://example.com' } },
    expected: { status: 200, json: ids(a1) },
  },
  {
    name: 'the schema that was named comes back',
    request: { path: '/project?select=id&limit=1', headers: { 'Accept-Profile': 'public' } },
    expected: { status: 200, headers: { 'Content-Profile': 'public' }, json: ids(a1) },
  },
  {
    name: 'a schema that is not exposed',
    request: { path: '/project', headers: { 'Accept-Profile': 'api' } },
    expected: {
      status: 406,
      code: 'PGRST106',
      message: 'Invalid schema: api',
      hint: 'Only the following schemas are exposed: public',
    },
  },
  {
    name: 'the stages are timed',
    request: { path: '/project?select=id&limit=1' },
    expected: {
      status: 200,
      headers: { 'Server-Timing': /^auth;dur=[\d.]+, parse;dur=[\d.]+, plan;dur=[\d.]+, store;dur=[\d.]+/ },
      json: ids(a1),
    },
  },
  {
    name: 'the other company has its own rows, under the same ids',
    by: 'rival',
    request: { path: '/project' },
    expected: { status: 200, headers: { 'Content-Range': '0-1/*' }, json: [rivalAlpha, rivalBeta] },
  },
  {
    name: "the other company's row is no row",
    request: { path: `/project?id=eq.${a9}` },
    expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [] },
  },
  {
    name: 'without a secret there are no rows, and the answer says why',
    request: { path: '/project', headers: { ...exact, 'X-API-Secret': '' } },
    expected: {
      status: 200,
      headers: { 'Project-Api-Scope': 'none; reason=secret_missing', 'Content-Range': '*/0' },
      json: [],
    },
  },
  {
    name: 'with a wrong secret, too',
    request: { path: `/bid?id=in.(${b1},${b2})`, headers: { 'X-API-Secret': 'pas_wrong' } },
    expected: {
      status: 200,
      headers: { 'Project-Api-Scope': 'none; reason=secret_mismatch', 'Content-Range': '*/*' },
      json: [],
    },
  },
])
