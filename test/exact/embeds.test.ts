import {
  a1,
  a2,
  a3,
  a9,
  alpha,
  answers,
  b1,
  b2,
  b3,
  beta,
  bidOne,
  bidTwo,
  exact,
  gamma,
  ids,
  names,
  type Row,
} from './rows.ts'

const shows = (path: string, ...json: readonly unknown[]): Row => ({
  name: path,
  request: { path },
  expected: { status: 200, headers: { 'Content-Range': json.length > 0 ? `0-${json.length - 1}/*` : '*/*' }, json },
})

const refused = (path: string, code: string, message: string | RegExp, details?: string, hint?: string): Row => ({
  name: `${path} is refused`,
  request: { path },
  expected: {
    status: 400,
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(hint === undefined ? {} : { hint }),
  },
})

const [one, two, three] = [{ bid_name: 'Bid one' }, { bid_name: 'Bid two' }, { bid_name: 'Bid three' }]
const noRelation = (to: string, hint = '') =>
  `Searched for a foreign key relationship between 'project' and '${to}'${hint} in the schema 'public', but no matches were found.`

answers('embeds', [
  // The bid of a project
  shows('/project?select=id,project_name,bid(bid_name)&order=id&limit=1', { id: a1, project_name: 'Alpha', bid: one }),
  shows('/project?select=*,bid(*)', { ...alpha, bid: bidOne }, { ...beta, bid: bidOne }, { ...gamma, bid: bidTwo }),
  shows('/project?select=id,b:bid(bid_name)&limit=1', { id: a1, b: one }),
  shows('/project?select=id,bid_id(bid_name)&limit=1', { id: a1, bid_id: one }),
  shows('/project?select=id,project_bid_id_fkey(bid_name)&limit=1', { id: a1, project_bid_id_fkey: one }),
  shows('/project?select=id,bid!bid_id(bid_name)&limit=1', { id: a1, bid: one }),
  shows('/project?select=id,bid!project_bid_id_fkey!inner(bid_name)&limit=1', { id: a1, bid: one }),
  shows('/project?select=id,bid!left(bid_name)&limit=1', { id: a1, bid: one }),
  shows(
    '/project?select=id,bid(bid_name)&bid.bid_name=eq.Bid two',
    { id: a1, bid: null },
    { id: a2, bid: null },
    { id: a3, bid: two },
  ),
  shows('/project?select=id,bid!inner(bid_name)&bid.bid_name=eq.Bid two', { id: a3, bid: two }),
  shows('/project?select=id,b:bid!inner(bid_name)&b.bid_name=eq.Bid two', { id: a3, b: two }),
  shows('/project?select=id,"a.b":bid!inner(bid_name)&"a.b".bid_name=eq.Bid two', { id: a3, 'a.b': two }),
  shows(
    `/project?select=id,"b.c":bid(bid_name),b:bid!inner(c:project(id))&id=eq.${a1}&b.c.id=eq.${a2}&"b.c".bid_name=eq.Bid two`,
    { id: a1, 'b.c': null, b: { c: [{ id: a2 }] } },
  ),
  shows('/project?select=id,b:bid!inner(id)&bid.bid_name=eq.Bid two&b.bid_name=neq.Bid two'),
  shows('/project?select=id,bid!inner()&bid.bid_name=eq.Bid two', { id: a3 }),
  shows('/project?select=id,bid()&bid.bid_name=eq.Bid two&bid=not.is.null', { id: a3 }),
  shows('/project?select=id,bid()&bid.bid_name=eq.Bid two&bid=is.null', { id: a1 }, { id: a2 }),
  shows(`/project?select=id,bid()&bid.bid_name=eq.Bid two&or=(bid.not.is.null,id.eq.${a1})`, { id: a1 }, { id: a3 }),
  shows('/project?select=id,...bid(bid_name)&limit=1', { id: a1, bid_name: 'Bid one' }),
  shows('/project?select=id,...bid(name:bid_name)&bid.bid_name=eq.Bid two&limit=1', { id: a1, name: null }),
  shows('/project?select=id,...bid!inner(name:bid_name)&bid.bid_name=eq.Bid two', { id: a3, name: 'Bid two' }),
  shows('/project?select=id,x:bid(bid_name),y:bid(id)&limit=1', { id: a1, x: one, y: { id: b1 } }),
  // The projects of a bid
  shows(
    '/bid?select=bid_name,project(project_name)&order=id&project.order=project_name.desc',
    { ...one, project: names('Beta', 'Alpha') },
    { ...two, project: names('Gamma') },
    { ...three, project: [] },
  ),
  shows('/bid?select=bid_name,project!inner(project_name)&project.project_name=eq.Gamma', {
    ...two,
    project: names('Gamma'),
  }),
  shows('/bid?select=id,project!inner(id)', { id: b1, project: ids(a1, a2) }, { id: b2, project: ids(a3) }),
  shows('/bid?select=id,p:project_bid_id_fkey(id)&limit=1', { id: b1, p: ids(a1, a2) }),
  shows('/bid?select=id,project!bid_id(id)&limit=1', { id: b1, project: ids(a1, a2) }),
  shows('/bid?select=id,project()&project=is.null', { id: b3 }),
  shows('/bid?select=id,project()&project=not.is.null', { id: b1 }, { id: b2 }),
  shows(
    '/bid?select=id,project(id)&project.limit=1&project.order=id.desc&limit=2',
    { id: b1, project: ids(a2) },
    { id: b2, project: ids(a3) },
  ),
  shows('/bid?select=id,project(id)&project.offset=1&limit=2', { id: b1, project: ids(a2) }, { id: b2, project: [] }),
  shows(
    `/bid?select=id,project(id)&project.or=(id.eq.${a1},id.eq.${a3})&limit=2`,
    { id: b1, project: ids(a1) },
    { id: b2, project: ids(a3) },
  ),
  shows(`/bid?select=id,project(id)&project.not.or=(id.eq.${a1},id.eq.${a3})&limit=1`, { id: b1, project: ids(a2) }),
  shows(
    '/bid?select=id,...project(ids:id,names:project_name)&project.order=id.desc',
    { id: b1, ids: [a2, a1], names: ['Beta', 'Alpha'] },
    { id: b2, ids: [a3], names: ['Gamma'] },
    { id: b3, ids: [], names: [] },
  ),
  // Deeper
  shows('/bid?select=id,project(id,bid(bid_name))&limit=1&project.limit=1', {
    id: b1,
    project: [{ id: a1, bid: one }],
  }),
  shows(
    '/project?select=id,bid(project(id))&bid.project.project_name=eq.Beta&limit=2',
    { id: a1, bid: { project: ids(a2) } },
    { id: a2, bid: { project: ids(a2) } },
  ),
  {
    name: 'the count of rows whose embed matches',
    request: { path: '/project?select=id,bid!inner()&bid.bid_name=eq.Bid one&limit=1', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '0-0/2' }, json: ids(a1) },
  },
  // Refusals
  refused(
    '/project?select=id,bids(*)',
    'PGRST200',
    "Could not find a relationship between 'project' and 'bids' in the schema cache",
    noRelation('bids'),
    "Perhaps you meant 'bid' instead of 'bids'.",
  ),
  refused(
    '/project?select=id,company(*)',
    'PGRST200',
    "Could not find a relationship between 'project' and 'company' in the schema cache",
    noRelation('company'),
  ),
  refused(
    '/project?select=id,bid!nope(*)',
    'PGRST200',
    "Could not find a relationship between 'project' and 'bid' in the schema cache",
    noRelation('bid', " using the hint 'nope'"),
  ),
  refused(
    '/project?select=id&bid.bid_name=eq.x',
    'PGRST108',
    "'bid' is not an embedded resource in this request",
    undefined,
    "Verify that 'bid' is included in the 'select' query parameter.",
  ),
  refused('/project?select=id,bid(nope)', '42703', /^column bid\w*\.nope does not exist$/),
  refused('/project?select=id,bid(id)&bid.nope=eq.x', '42703', /^column bid\w*\.nope does not exist$/),
  refused('/project?select=id,bid(id)&bid=eq.x', '42703', 'column project.bid does not exist'),
  refused('/project?select=bid(id),bid(bid_name)', '42712', /^table name "\w+" specified more than once$/),
  {
    name: "the other company's embeds hold its own rows, though the ids are the same",
    by: 'rival',
    request: { path: '/bid?select=bid_name,project(id,project_name,bid(bid_name))' },
    expected: {
      status: 200,
      json: [
        { bid_name: 'Rival one', project: [{ id: a1, project_name: 'Rival alpha', bid: { bid_name: 'Rival one' } }] },
        { bid_name: 'Rival two', project: [{ id: a9, project_name: 'Rival beta', bid: { bid_name: 'Rival two' } }] },
      ],
    },
  },
])
