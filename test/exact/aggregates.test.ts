import { a1, a2, a3, answers, b1, b2, type Row } from './rows.ts'

const shows = (path: string, ...json: readonly unknown[]): Row => ({
  name: path,
  request: { path },
  expected: { status: 200, json },
})

const refused = (path: string, code: string, message: string, details?: string): Row => ({
  name: `${path} is refused`,
  request: { path },
  expected: { status: 400, code, message, ...(details === undefined ? {} : { details }) },
})

const [first, last] = ['2026-01-03T00:00:00+00:00', '2026-01-05T06:07:08.123456+00:00']

answers('aggregates', [
  shows('/project?select=count()', { count: 3 }),
  shows('/project?select=count', { count: 3 }),
  shows('/project?select=total:count()', { total: 3 }),
  shows('/project?select=count()::text', { count: '3' }),
  shows('/project?select=id.count()', { count: 3 }),
  shows('/project?select=project_name.min(),last:project_name.max()', { min: 'Alpha', last: 'Gamma' }),
  shows('/project?select=created_at.min(),created_at.max()', { min: first, max: last }),
  shows('/project?select=created_at.max()::date', { max: '2026-01-05' }),
  shows('/project?select=created_at::date.max()', { max: '2026-01-05' }),
  shows('/project?select=created_at::timestamp.max()', { max: '2026-01-05T06:07:08.123456' }),
  shows('/project?select=created_at::text.min()', { min: '2026-01-03 00:00:00+00' }),
  shows('/project?select=created_at::time.max(),created_at::date.count()', { max: '06:07:08.123456', count: 3 }),
  shows('/project?select=created_at::date.max()::text', { max: '2026-01-05' }),
  shows('/project?select=id::text.max(),first:id::text.min()', { max: a3, first: a1 }),
  shows('/project?select=bid_id::text.count()', { count: 3 }),
  shows('/project?select=bid_id,id::text.max()&order=bid_id', { bid_id: b1, max: a2 }, { bid_id: b2, max: a3 }),
  shows('/project?select=bid_id,count()&order=bid_id', { bid_id: b1, count: 2 }, { bid_id: b2, count: 1 }),
  shows('/project?select=bid_id,count()&order=bid_id.desc', { bid_id: b2, count: 1 }, { bid_id: b1, count: 2 }),
  shows('/project?select=bid_id,count()&order=bid_id&limit=1&offset=1', { bid_id: b2, count: 1 }),
  shows('/project?select=bid_id,project_name.max()&project_name=lt.Gamma', { bid_id: b1, max: 'Beta' }),
  shows(
    '/project?select=day:created_at::date,count()&order=created_at',
    { day: '2026-01-03', count: 1 },
    { day: '2026-01-04', count: 1 },
    { day: '2026-01-05', count: 1 },
  ),
  shows('/project?select=c:created_at::char,created_at,count()&order=created_at.desc&limit=1', {
    c: '2',
    created_at: last,
    count: 1,
  }),
  // Nothing to count
  shows('/project?select=count()&project_name=eq.none', { count: 0 }),
  shows('/project?select=project_name.max()&project_name=eq.none', { max: null }),
  shows('/project?select=bid_id,count()&project_name=eq.none'),
  // With embeds
  shows(
    '/project?select=count(),bid(bid_name)',
    { count: 2, bid: { bid_name: 'Bid one' } },
    { count: 1, bid: { bid_name: 'Bid two' } },
  ),
  shows(
    '/project?select=...bid(bid_name),count()',
    { bid_name: 'Bid one', count: 2 },
    { bid_name: 'Bid two', count: 1 },
  ),
  shows(
    '/project?select=...bid(c:bid_name::char,n:bid_name),count()&order=bid(n).desc',
    { c: 'B', n: 'Bid two', count: 1 },
    { c: 'B', n: 'Bid one', count: 2 },
  ),
  shows('/project?select=...bid(bid_name.max())', { max: 'Bid two' }),
  shows('/project?select=project_name.max(),...bid(latest:created_at.max())', {
    max: 'Gamma',
    latest: '2026-01-02T00:00:00+00:00',
  }),
  shows(
    '/bid?select=bid_name,project(count)',
    { bid_name: 'Bid one', project: [{ count: 2 }] },
    { bid_name: 'Bid two', project: [{ count: 1 }] },
    { bid_name: 'Bid three', project: [{ count: 0 }] },
  ),
  shows('/bid?select=bid_name,project(n:id.count(),project_name.max())&limit=1', {
    bid_name: 'Bid one',
    project: [{ n: 2, max: 'Beta' }],
  }),
  {
    name: 'a page of groups',
    request: { path: '/project?select=bid_id,count()&order=bid_id&limit=1' },
    expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: [{ bid_id: b1, count: 2 }] },
  },
  // Refusals
  refused('/project?select=project_name.sum()', '42883', 'function sum(text) does not exist'),
  refused('/project?select=created_at.avg()', '42883', 'function avg(timestamp with time zone) does not exist'),
  refused('/project?select=created_at::date.sum()', '42883', 'function sum(date) does not exist'),
  refused('/project?select=created_at::text.avg()', '42883', 'function avg(text) does not exist'),
  refused('/project?select=created_at.max()::uuid', '42846', 'cannot cast type timestamp with time zone to uuid'),
  refused('/project?select=id.max()', '42883', 'function max(uuid) does not exist'),
  refused('/project?select=nope.count()', '42703', 'column project.nope does not exist'),
  refused(
    '/bid?select=id,...project(id.count())',
    'PGRST127',
    'Feature not implemented',
    'Aggregates are not implemented for one-to-many or many-to-many spreads.',
  ),
  {
    name: 'the other company counts its own rows',
    by: 'rival',
    request: { path: '/bid?select=count(),bid_name.min()' },
    expected: { status: 200, json: [{ count: 2, min: 'Rival one' }] },
  },
])
