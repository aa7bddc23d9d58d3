import { a1, a2, a3, answers, b1, beta, ids, json, names, prefer, type Row, representation, uuid } from './rows.ts'

const shows = (path: string, ...rows: readonly unknown[]): Row => ({
  name: path,
  request: { path },
  expected: { status: 200, json: rows },
})

const post = (query: string, end: string, more: Partial<Row['expected']> = {}): Row => ({
  name: `POST ${query}`,
  request: {
    method: 'POST',
    path: `/project?${query}`,
    headers: representation,
    body: { id: uuid(end), bid_id: b1, project_name: end },
  },
  expected: { status: 201, json: ids(uuid(end)), ...more },
})

answers('parameters', [
  // Given twice: the first of these …
  shows(`/project?select=id&select=project_name&id=eq.${a1}`, { id: a1 }),
  shows('/project?select=id&order=id.desc&order=id.asc&limit=1', { id: a3 }),
  shows('/bid?select=project(id)&project.order=id.desc&project.order=id&limit=1', { project: ids(a2, a1) }),
  // … and the last of these.
  shows('/project?select=id&limit=1&limit=2', { id: a1 }, { id: a2 }),
  shows('/project?select=id&offset=0&offset=2', { id: a3 }),
  shows('/bid?select=project(id)&project.limit=2&project.limit=1&limit=1', { project: ids(a1) }),
  shows('/project?select=id&project_name=gt.Alpha&project_name=lt.Gamma', { id: a2 }),
  {
    name: 'what does not count is not parsed',
    request: { path: `/project?select=id&select=(&order=id&order=(&id=eq.${a1}` },
    expected: { status: 200, json: ids(a1) },
  },
  {
    name: 'repeated filters keep their order in Content-Location',
    request: { path: '/project?select=id&project_name=neq.Gamma&id=not.is.null&project_name=gt.Alpha' },
    expected: {
      status: 200,
      headers: {
        'Content-Location': '/rest/v1/project?id=not.is.null&project_name=neq.Gamma&project_name=gt.Alpha&select=id',
      },
      json: ids(a2),
    },
  },
  // Without an equals sign
  shows(`/project?id=eq.${a2}&select`, beta),
  shows(`/project?id=eq.${a2}&select=id&nope&limit&order&and&`, { id: a2 }),
  {
    name: 'a filter without an equals sign is none',
    request: { method: 'DELETE', path: '/project?id' },
    expected: { status: 400, code: '21000', message: 'DELETE requires a WHERE clause' },
  },
  // Blanks
  shows(`/project?select=id&or= ( id.eq.${a1}, and ( id.eq.${a3}, project_name.eq.Gamma) )`, { id: a1 }, { id: a3 }),
  shows(`/project?select=id&and=(id.not.is.null , not.or (id.eq.${a1}, id.in. ( ${a2},${a3})))`),
  shows(`/project?select=id&or=(%09id.eq.${a1},or%09(id.is.null%09))`, { id: a1 }),
  shows(`/project?select=id&id=in. (${a1},${a2})`, { id: a1 }, { id: a2 }),
  shows(`/project?select= id , n : project_name , bid ( * ) &limit=0`),
  shows(`/project?select=id, bid (bid_name) ,project_name&id=eq.${a1}`, {
    id: a1,
    bid: { bid_name: 'Bid one' },
    project_name: 'Alpha',
  }),
  shows('/project?select=id&or=(project_name.eq."Beta",project_name.eq."Gamma"x)', { id: a2 }),
  // A new row meets no filter
  {
    name: 'the first columns count',
    request: {
      method: 'POST',
      path: '/project?columns=bid_id,project_name&columns=id&select=project_name',
      headers: representation,
      body: { id: 'no id', bid_id: b1, project_name: 'First' },
    },
    expected: { status: 201, json: names('First') },
  },
  post('select=id&project_name=eq.Other', 'd1'),
  post('select=id&nope=eq.1&or=(nope.is.null)', 'd2'),
  post(`select=id,bid(bid_name)&bid.bid_name=eq.Other&id=eq.${a1}`, 'd3', { json: [{ id: uuid('d3'), bid: null }] }),
  {
    name: 'a filter of a POST that cannot be parsed is refused',
    request: { method: 'POST', path: '/project?id=5', body: { bid_id: b1, project_name: 'x' } },
    expected: { status: 400, code: 'PGRST100' },
  },
  {
    name: 'a filter counts in what a PUT and a PATCH of the same query do',
    request: {
      method: 'PATCH',
      path: '/project?select=id&project_name=eq.Other',
      headers: representation,
      body: { project_name: 'x' },
    },
    expected: { status: 200, json: [] },
  },
  // The path
  shows(`/pro%6Aect?select=id&id=eq.${a1}`, { id: a1 }),
  shows('/%62%69%64?select=bid_name&limit=1', { bid_name: 'Bid one' }),
  {
    name: 'an encoded slash does not make another segment',
    request: { path: '/project%2Fx' },
    expected: {
      status: 404,
      code: 'PGRST205',
      message: "Could not find the table 'public.project%2Fx' in the schema cache",
    },
  },
  {
    name: 'a path that is no text names nothing',
    request: { path: '/%ff' },
    expected: { status: 404, code: 'PGRST205', message: "Could not find the table 'public.%ff' in the schema cache" },
  },
  {
    name: 'an encoded name is written to as well',
    request: {
      method: 'POST',
      path: '/p%72oject?select=project_name',
      headers: prefer('return=representation'),
      body: { bid_id: b1, project_name: 'Encoded' },
    },
    expected: { status: 201, headers: { 'Content-Type': json }, json: names('Encoded') },
  },
  // Embeds that show nothing
  shows('/project?select=id,bid(project())&limit=1', { id: a1 }),
  shows('/project?select=id,bid(project(bid()))&limit=1', { id: a1 }),
  shows('/project?select=id,bid(bid_name,project())&limit=1', { id: a1, bid: { bid_name: 'Bid one' } }),
  shows('/project?select=id,bid!inner(project!inner())&bid.project.project_name=eq.Gamma', { id: a3 }),
  {
    name: 'an embed that shows nothing has no column in CSV',
    request: { path: '/project?select=project_name,bid(project())&limit=1', headers: { Accept: 'text/csv' } },
    expected: { status: 200, text: 'project_name\nAlpha' },
  },
  {
    name: 'the other company has rows of its own under an encoded name',
    by: 'rival',
    request: { path: '/pro%6Aect?select=project_name&select=id&limit=5&limit=1' },
    expected: { status: 200, json: names('Rival alpha') },
  },
])
