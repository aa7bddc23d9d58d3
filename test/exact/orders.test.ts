import { a1, a2, a3, a9, answers, b2, ids, type Row, type Seed, uuid } from './rows.ts'

const [a4, a5] = [uuid('a4'), uuid('a5')]
const more: Seed[] = [
  [a4, b2, 'Beta', '2026-01-02T00:00:00+00:00'],
  [a5, b2, 'alpha', '2026-01-03T00:00:00.5+00:00'],
]

const sorts = (order: string, ...found: readonly string[]): Row => ({
  name: order,
  request: { path: `/project?select=id&order=${order}` },
  expected: { status: 200, json: ids(...found) },
})

const refused = (order: string, code: string, message: string, details?: string | RegExp): Row => ({
  name: `${order} is refused`,
  request: { path: `/project?select=id&order=${order}` },
  expected: { status: 400, code, message, ...(details === undefined ? {} : { details }) },
})

answers(
  'orders',
  [
    {
      name: 'no order is that of the ids',
      request: { path: '/project?select=id' },
      expected: { status: 200, json: ids(a1, a2, a3, a4, a5) },
    },
    sorts('id', a1, a2, a3, a4, a5),
    sorts('id.asc', a1, a2, a3, a4, a5),
    sorts('id.desc', a5, a4, a3, a2, a1),
    sorts('project_name', a1, a2, a4, a3, a5),
    sorts('project_name.desc', a5, a3, a2, a4, a1),
    sorts('project_name.asc,id.desc', a1, a4, a2, a3, a5),
    sorts('bid_id.desc,project_name.desc', a5, a3, a4, a2, a1),
    sorts('created_at', a4, a1, a5, a2, a3),
    sorts('created_at.desc.nullslast', a3, a2, a5, a1, a4),
    sorts('created_at.nullsfirst', a4, a1, a5, a2, a3),
    sorts('created_at.asc.nullsfirst&limit=2&offset=1', a1, a5),
    sorts('"project_name".desc&limit=1', a5),
    {
      name: 'by a column of the bid',
      request: { path: '/project?select=id,bid(bid_name)&order=bid(bid_name).desc,id.desc&limit=4' },
      expected: {
        status: 200,
        json: [a5, a4, a3]
          .map((id) => ({ id, bid: { bid_name: 'Bid two' } }))
          .concat([{ id: a2, bid: { bid_name: 'Bid one' } }]),
      },
    },
    {
      name: 'by a column of the bid that is not shown',
      request: { path: '/project?select=id,bid()&order=bid(created_at).desc,id' },
      expected: { status: 200, json: ids(a3, a4, a5, a1, a2) },
    },
    {
      name: 'by an alias in the bid',
      request: { path: '/project?select=id,b:bid(n:bid_name)&order=b(n).desc,id.desc&limit=4' },
      expected: {
        status: 200,
        json: [a5, a4, a3].map((id) => ({ id, b: { n: 'Bid two' } })).concat([{ id: a2, b: { n: 'Bid one' } }]),
      },
    },
    {
      name: 'by an alias in the bid that is the name of another column',
      request: { path: '/project?select=id,bid(id:bid_name)&order=bid(id).desc,id&limit=1' },
      expected: { status: 200, json: [{ id: a3, bid: { id: 'Bid two' } }] },
    },
    {
      name: 'by what the bid shows after a cast',
      request: { path: '/project?select=id,bid(year:created_at::text)&order=bid(year),id.desc&limit=2' },
      expected: { status: 200, json: [a2, a1].map((id) => ({ id, bid: { year: '2026-01-01 00:00:00+00' } })) },
    },
    {
      name: 'by an alias in a bid that is spread',
      request: { path: '/project?select=id,...bid(n:bid_name)&order=bid(n).desc,id&limit=1' },
      expected: { status: 200, json: [{ id: a3, n: 'Bid two' }] },
    },
    {
      name: 'by an alias that there is not',
      request: { path: '/project?select=id,bid(n:bid_name)&order=bid(m)' },
      expected: { status: 400, code: '42703', message: 'column bid.m does not exist' },
    },
    {
      name: 'by a column of a bid that is not embedded',
      request: { path: '/project?select=id&order=bid(bid_name)' },
      expected: {
        status: 400,
        code: 'PGRST108',
        message: "'bid' is not an embedded resource in this request",
        hint: "Verify that 'bid' is included in the 'select' query parameter.",
      },
    },
    {
      name: 'by a column of the many projects of a bid',
      request: { path: '/bid?select=id,project(id)&order=project(project_name)' },
      expected: {
        status: 400,
        code: 'PGRST118',
        message: "A related order on 'project' is not possible",
        details: "'bid' and 'project' do not form a many-to-one or one-to-one relationship",
      },
    },
    {
      name: 'by a column of the many projects of a bid, under another name',
      request: { path: '/bid?select=id,works:project(id)&order=works(project_name)' },
      expected: {
        status: 400,
        code: 'PGRST118',
        message: "A related order on 'works' is not possible",
        details: "'bid' and 'works' do not form a many-to-one or one-to-one relationship",
        hint: "Order the rows within 'works' with works.order=...",
      },
    },
    {
      name: 'within an embed',
      request: { path: '/bid?select=bid_name,project(id)&project.order=project_name.desc,id.desc' },
      expected: {
        status: 200,
        json: [
          { bid_name: 'Bid one', project: ids(a2, a1) },
          { bid_name: 'Bid two', project: ids(a5, a3, a4) },
          { bid_name: 'Bid three', project: [] },
        ],
      },
    },
    refused('nope', '42703', 'column project.nope does not exist'),
    refused('company_id', '42703', 'column project.company_id does not exist'),
    refused(
      'id.up',
      'PGRST100',
      '"failed to parse order (id.up)" (line 1, column 4)',
      'unexpected "u" expecting "asc", "desc", "nullsfirst" or "nullslast"',
    ),
    refused(
      'id.asc.nullslasttt',
      'PGRST100',
      '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
      'unexpected "t" expecting "," or end of input',
    ),
    refused('id,,id', 'PGRST100', '"failed to parse order (id,,id)" (line 1, column 4)', /^unexpected "," expecting /),
    {
      name: 'the other company has an order of its own',
      by: 'rival',
      request: { path: '/project?select=id&order=project_name.desc' },
      expected: { status: 200, json: ids(a9, a1) },
    },
  ],
  more,
)
