import { expect } from 'bun:test'
import { a1, a2, a3, answers, b1, ids, prefer, type Row, representation, type Seed, uuid } from './rows.ts'

const dayMs = 86_400_000
const noonIn = (days: number): string =>
  new Date(Math.floor(Date.now() / dayMs) * dayMs + days * dayMs + dayMs / 2).toISOString().replace('.000Z', '+00:00')

/** So far from today that a test may run over midnight. */
const [past, future] = [uuid('e1'), uuid('e2')]
const seeds: Seed[] = [
  [past, b1, 'Past', noonIn(-2)],
  [future, b1, 'Future', noonIn(2)],
]

const own = `id=in.(${a1},${a2},${a3})`
const finds = (filter: string, ...found: readonly string[]): Row => ({
  name: `created_at=${filter}`,
  request: { path: `/project?select=id&${own}&created_at=${filter}` },
  expected: { status: 200, json: ids(...found) },
})

const findsNear = (filter: string, ...found: readonly string[]): Row => ({
  name: `created_at=${filter}`,
  request: { path: `/project?select=id&id=in.(${past},${future})&created_at=${filter}` },
  expected: { status: 200, json: ids(...found) },
})

const refused = (value: string): Row => ({
  name: `${value} is refused`,
  request: { path: `/project?created_at=gt.${value}` },
  expected: {
    status: 400,
    code: '22007',
    message: `invalid input syntax for type timestamp with time zone: ${JSON.stringify(value)}`,
  },
})

const outOfRange = (value: string): Row => ({
  name: `${value} is not in the calendar`,
  request: { path: `/project?created_at=gt.${value}` },
  expected: { status: 400, code: '22008', message: `date/time field value out of range: ${JSON.stringify(value)}` },
})

answers(
  'values of time',
  [
    finds('eq.20260103', a1),
    finds('eq.20260105T060708.123456Z', a3),
    finds('eq.20260105 060708.123456', a3),
    finds('eq.20260105T0707:08.123456%2B01', a3),
    finds('gte.20260105T0607', a3),
    finds('gt.epoch', a1, a2, a3),
    finds('lt.epoch'),
    finds('in.(20260103,"2026-01-04 00:00:00Z",epoch)', a1, a2),
    finds('gt(any).{infinity,20260104}', a3),
    ...['now', 'now()', 'NOW', ' now ', 'today', 'tomorrow'].map((word) => findsNear(`lt.${word}`, past)),
    ...['now', 'now()', 'today', 'yesterday'].map((word) => findsNear(`gt.${word}`, future)),
    findsNear('gt.tomorrow', future),
    findsNear('lt.yesterday', past),
    findsNear('lt.Tomorrow', past),
    {
      name: 'words in a logic tree',
      request: { path: `/project?select=id&id=in.(${past},${future})&or=(created_at.gt.now,created_at.lt.epoch)` },
      expected: { status: 200, json: ids(future) },
    },
    ...['next week', 'today()', '2026013', 'nowadays'].map(refused),
    ...['20261301', '20260103T2500', '2026-02-30', '2026-01-31T10:60'].map(outOfRange),
    {
      name: "the other company's rows are not found by a word",
      by: 'rival',
      request: { path: `/project?select=id&created_at=gt.epoch&id=in.(${past},${future},${a1})` },
      expected: { status: 200, json: ids(a1) },
    },
  ],
  seeds,
)

const newYork = 'timezone=America/New_York'

const inZone = (zone: string, path: string, ...json: readonly unknown[]): Row => ({
  name: `${zone} ${path}`,
  request: { path, headers: prefer(zone) },
  expected: { status: 200, headers: { 'Preference-Applied': zone }, json },
})

answers('a time zone', [
  // Casts
  inZone(newYork, `/project?select=created_at::text&id=eq.${a1}`, { created_at: '2026-01-02 19:00:00-05' }),
  inZone(newYork, `/project?select=created_at::date&id=eq.${a1}`, { created_at: '2026-01-02' }),
  inZone(newYork, `/project?select=created_at::timestamp&id=eq.${a1}`, { created_at: '2026-01-02T19:00:00' }),
  inZone(newYork, `/project?select=created_at::time&id=eq.${a1}`, { created_at: '19:00:00' }),
  inZone(newYork, `/project?select=created_at::timestamptz&id=eq.${a1}`, { created_at: '2026-01-02T19:00:00-05:00' }),
  inZone('timezone=Asia/Kolkata', `/project?select=at:created_at::time,created_at&id=eq.${a3}`, {
    at: '11:37:08.123456',
    created_at: '2026-01-05T11:37:08.123456+05:30',
  }),
  inZone('timezone=Asia/Kolkata', `/project?select=shown:created_at::text&id=eq.${a3}`, {
    shown: '2026-01-05 11:37:08.123456+05:30',
  }),
  inZone('timezone=UTC', `/project?select=created_at::text&id=eq.${a1}`, { created_at: '2026-01-03 00:00:00+00' }),
  inZone('timezone=Etc/UTC', `/project?select=created_at::text&id=eq.${a1}`, { created_at: '2026-01-03 00:00:00+00' }),
  inZone(newYork, `/project?select=id::text,b:bid(day:created_at::date),...bid(on:created_at::date)&id=eq.${a1}`, {
    id: a1,
    b: { day: '2025-12-31' },
    on: '2025-12-31',
  }),
  inZone(newYork, '/bid?select=project(day:created_at::date)&limit=1', {
    project: [{ day: '2026-01-02' }, { day: '2026-01-03' }],
  }),
  inZone(newYork, '/project?select=created_at.max()::date,first:created_at::date.min()', {
    max: '2026-01-05',
    first: '2026-01-02',
  }),
  inZone(newYork, '/project?select=created_at.min()::text', { min: '2026-01-02 19:00:00-05' }),
  inZone(
    'timezone=Pacific/Auckland',
    '/project?select=day:created_at::date,count()&created_at=lt.2026-01-05',
    { day: '2026-01-03', count: 1 },
    { day: '2026-01-04', count: 1 },
  ),
  inZone(
    newYork,
    '/project?select=id,bid(day:created_at::date)&order=bid(day).desc,id&limit=2',
    { id: a3, bid: { day: '2026-01-01' } },
    { id: a1, bid: { day: '2025-12-31' } },
  ),
  // Values without an offset, and with one
  inZone(newYork, '/project?select=id&created_at=eq.2026-01-02 19:00:00', { id: a1 }),
  inZone(newYork, '/project?select=id&created_at=eq.20260102T1900', { id: a1 }),
  inZone(newYork, '/project?select=id&created_at=eq.2026-01-03T00:00:00Z', { id: a1 }),
  inZone(newYork, '/project?select=id&created_at=gt.2026-01-03', { id: a2 }, { id: a3 }),
  inZone(newYork, '/project?select=id&created_at=in.(2026-01-02T19:00,2026-01-03T19:00)', { id: a1 }, { id: a2 }),
  inZone(newYork, '/project?select=id&or=(created_at.eq.2026-01-02T19:00,id.is.null)', { id: a1 }),
  inZone(newYork, '/project?select=id,bid(bid_name)&bid.created_at=eq.2025-12-31T19:00&limit=1', {
    id: a1,
    bid: { bid_name: 'Bid one' },
  }),
  inZone('timezone=Asia/Kolkata', '/project?select=id&created_at=eq.2026-01-03 05:30', { id: a1 }),
  {
    name: 'CSV of casts',
    request: {
      path: `/project?select=created_at,text:created_at::text,day:created_at::date&id=eq.${a1}`,
      headers: { ...prefer(newYork), Accept: 'text/csv' },
    },
    expected: {
      status: 200,
      text: 'created_at,text,day\n"2026-01-02 19:00:00-05","2026-01-02 19:00:00-05",2026-01-02',
    },
  },
  {
    name: 'what a change shows',
    request: {
      method: 'PATCH',
      path: `/project?select=day:created_at::date,created_at::text,project_name&created_at=eq.2026-01-02T19:00`,
      headers: prefer(newYork, 'return=representation'),
      body: { project_name: 'Renamed' },
    },
    expected: {
      status: 200,
      headers: { 'Preference-Applied': `return=representation, ${newYork}` },
      json: [{ day: '2026-01-02', created_at: '2026-01-02 19:00:00-05', project_name: 'Renamed' }],
    },
  },
  {
    name: 'the same change without a zone finds nothing',
    request: {
      method: 'PATCH',
      path: `/project?select=day:created_at::date,created_at::text,project_name&created_at=eq.2026-01-02T19:00`,
      headers: representation,
      body: { project_name: 'Renamed again' },
    },
    expected: { status: 200, json: [] },
  },
  {
    name: 'what a new row shows, beside a filter that does not count',
    request: {
      method: 'POST',
      path: '/project?select=project_name,zone:created_at::text&created_at=eq.2026-01-02T19:00',
      headers: prefer('timezone=Asia/Tokyo', 'return=representation'),
      body: { bid_id: b1, project_name: 'New' },
    },
    expected: {
      status: 201,
      headers: { 'Preference-Applied': 'return=representation, timezone=Asia/Tokyo' },
      json: [{ project_name: 'New', zone: expect.stringMatching(/ \d\d:\d\d:\d\d(\.\d+)?\+09$/) }],
    },
  },
  {
    name: 'a zone that there is not is not confirmed, and nothing is in it',
    request: {
      path: `/project?select=created_at::date&created_at=eq.2026-01-03&id=eq.${a1}`,
      headers: prefer('timezone=Moon/Base'),
    },
    expected: { status: 200, headers: { 'Preference-Applied': null }, json: [{ created_at: '2026-01-03' }] },
  },
  {
    name: 'the other company sees its own rows in the zone',
    by: 'rival',
    request: { path: '/project?select=id,created_at::date&created_at=lt.2026-01-03', headers: prefer(newYork) },
    expected: { status: 200, json: [{ id: a1, created_at: '2026-01-02' }] },
  },
])
