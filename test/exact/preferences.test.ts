import { a1, a9, alpha, answers, b1, ids, json, names, prefer, type Row, uuid } from './rows.ts'

/** A read of one row, and what it says of the preferences. */
const applies = (preferences: string, applied: string | null, more: object = {}): Row => ({
  name: `${preferences} → ${applied}`,
  request: { path: `/project?select=id&id=eq.${a1}`, headers: { Prefer: preferences } },
  expected: {
    status: 200,
    headers: { 'Preference-Applied': applied, 'Content-Range': '0-0/*', ...more },
    json: ids(a1),
  },
})

/** The same for a row that is written: it does not matter to what. */
const appliesTo = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', preferences: string, applied: string): Row => ({
  name: `${method}, ${preferences} → ${applied}`,
  request: {
    method,
    path: method === 'POST' ? '/project?select=id' : `/project?select=id&id=eq.${uuid('c0')}`,
    headers: { Prefer: preferences },
    ...(method === 'DELETE' ? {} : { body: { id: uuid('c0'), bid_id: b1, project_name: 'c0' } }),
  },
  expected: {
    status: method === 'POST' ? 201 : 200,
    headers: { 'Preference-Applied': applied, 'Content-Type': json },
    json: ids(uuid('c0')),
  },
})

const strict = (method: string, preferences: string, invalid: string): Row => ({
  name: `${method}, ${preferences} is refused`,
  request: {
    method,
    path: `/project?id=eq.${a1}`,
    headers: { Prefer: preferences },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: { project_name: 'x' } }),
  },
  expected: {
    status: 400,
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${invalid}`,
  },
})

const all = 'max-affected=5, handling=strict, count=exact, return=representation'

answers('preferences', [
  applies('count=exact', 'count=exact', { 'Content-Range': '0-0/1' }),
  applies('anything, count=exact', 'count=exact', { 'Content-Range': '0-0/1' }),
  applies('count=exact,count=planned', 'count=exact', { 'Content-Range': '0-0/1' }),
  applies('  count=exact  ,  handling=lenient', 'count=exact, handling=lenient', { 'Content-Range': '0-0/1' }),
  applies('handling=strict, count=exact', 'count=exact, handling=strict', { 'Content-Range': '0-0/1' }),
  applies('count=none', null),
  applies('COUNT=exact', null),
  applies('anything', null),
  applies('', null),
  applies('return=representation', null),
  applies('resolution=merge-duplicates', null),
  applies('missing=default', null),
  applies('tx=rollback', 'tx=rollback'),
  applies('tx=commit', 'tx=commit'),
  applies('handling=strict, tx=rollback', 'tx=rollback, handling=strict'),
  applies('handling=strict, max-affected=1', 'handling=strict'),
  appliesTo(
    'POST',
    `${all}, missing=default, resolution=merge-duplicates`,
    'resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=strict',
  ),
  appliesTo(
    'PUT',
    `${all}, missing=default, resolution=merge-duplicates`,
    'return=representation, count=exact, handling=strict',
  ),
  appliesTo(
    'PATCH',
    `${all}, missing=default, resolution=merge-duplicates`,
    'missing=default, return=representation, count=exact, handling=strict, max-affected=5',
  ),
  appliesTo(
    'DELETE',
    `${all}, missing=default, resolution=merge-duplicates`,
    'return=representation, count=exact, handling=strict, max-affected=5',
  ),
  strict('GET', 'handling=strict, anything', 'anything'),
  strict('GET', 'anything, something=else, handling=strict', 'anything, something=else'),
  strict('GET', 'handling=strict, count=none', 'count=none'),
  strict('PATCH', 'handling=strict, return=everything', 'return=everything'),
  strict('DELETE', 'handling=strict, max-affected=few', 'max-affected=few'),
  {
    name: 'and what was refused did nothing',
    request: { path: `/project?id=eq.${a1}` },
    expected: { status: 200, json: [alpha] },
  },
  {
    name: 'timezone',
    request: { path: `/project?select=created_at&id=eq.${a1}`, headers: prefer('timezone=America/New_York') },
    expected: {
      status: 200,
      headers: { 'Preference-Applied': 'timezone=America/New_York' },
      json: [{ created_at: '2026-01-02T19:00:00-05:00' }],
    },
  },
  {
    name: 'the last of return=minimal and return=representation does not count',
    request: {
      method: 'POST',
      path: '/project',
      headers: prefer('return=minimal', 'return=representation'),
      body: { id: uuid('c1'), bid_id: b1, project_name: 'c1' },
    },
    expected: { status: 201, headers: { 'Preference-Applied': 'return=minimal', 'Content-Length': '0' }, text: '' },
  },
  {
    name: "max-affected counts no row of the other company's",
    by: 'rival',
    request: {
      method: 'PATCH',
      path: `/project?id=in.(${a1},${uuid('a2')},${uuid('a3')})&select=project_name`,
      headers: prefer('handling=strict', 'max-affected=1', 'return=representation'),
      body: { project_name: 'Rival alpha' },
    },
    expected: { status: 200, headers: { 'Content-Range': '0-0/*' }, json: names('Rival alpha') },
  },
  {
    name: 'strict handling refuses a read that has no company',
    request: { path: `/project?id=eq.${a9}`, headers: { ...prefer('handling=strict'), 'X-API-Secret': '' } },
    expected: { status: 403, headers: { 'Project-Api-Scope': 'none; reason=secret_missing' }, code: '42501' },
  },
])
