import type { AttackRequest } from './attack-request.ts'

/** Requests that have frozen a service or filled its memory once: where the search starts. */
export const seeds: readonly AttackRequest[] = [
  ...(['key', 'credential'] as const).flatMap((as): AttackRequest[] => [
    // Repetitions of repetitions.
    list(as, 'project', [{ text: `project_name=match.(?:(?:${'a?'.repeat(230)}§){31}){32}`, times: 200 }]),
    list(as, 'project', [{ text: `project_name=match.(?:(?:${'a?'.repeat(230)}§){31}){32}`, times: 20 }]),
    list(as, 'project', [{ text: `project_name=match.(?:(?:${'a?'.repeat(230)}§){31}){32}` }]),
    // One preference, very often.
    { ...list(as, 'project', []), headers: { Prefer: { text: 'timezone=UTC', times: 8000 } } },
  ]),
  // Every time in every row, in another zone.
  {
    ...list('credential', 'bid', [{ text: 'select=*,project(*)' }, { text: 'limit=200' }]),
    headers: { Prefer: { text: 'timezone=Asia/Tokyo' } },
  },
  // Patterns that take long on each of many rows.
  list('credential', 'project', slowPatterns('like')),
  list('viewer', 'project', slowPatterns('ilike')),
  list('credential', 'project', [{ text: 'project_name=match.(a*)*b' }, { text: 'limit=1' }]),
  // Short texts that mean very many rows.
  list('credential', 'project', [{ text: 'select=*,bid(project(*))' }, { text: 'limit=70' }]),
  list('viewer', 'project', [{ text: 'select=*,bid(project(*))' }, { text: 'limit=70' }]),
  { ...list('credential', 'project', []), manner: 'unread', copies: 30 },
  { ...create(400_000, 'credential'), manner: 'half', copies: 200 },
  { ...create(400_000, 'key'), manner: 'half', copies: 200 },
  // Pages of the settings app.
  { as: 'viewer', method: 'GET', path: '/api/overview', copies: 16 },
  { as: 'viewer', method: 'GET', path: '/api/overview' },
  { as: 'viewer', method: 'GET', path: '/api/credentials' },
  // Statements of unusual length that find nothing.
  list('credential', 'project', [{ text: `or=(${conditions(120)})` }]),
  { ...list('credential', 'project', [{ text: `or=(${conditions(120)})` }]), copies: 6 },
  // Answers that are kept for a day.
  {
    ...write('PATCH', [{ text: 'id=not.is.null' }]),
    headers: { Prefer: { text: 'return=representation' }, 'Idempotency-Key': { text: 'kept-¶' } },
    copies: 40,
  },
  // Bodies of few characters that become much, or take long to go through.
  { ...left(`"x":[«{},×40»{}]`, 9990), copies: 3 },
  { ...left(`"x":[«{},×87000»{}]`, 40), copies: 3 },
  { ...left(Array.from({ length: 90 }, (_, at) => `"${at}§":0`).join(','), 9990), copies: 3 },
  left('«"":0,×98»"y":0', 9990),
  left('«"":0,×43000»"y":0', 40),
  // Writes of very many rows.
  create(95_000, 'credential'),
  write('PATCH', [{ text: 'id=not.is.null' }]),
  { as: 'credential', method: 'DELETE', path: '/rest/v1/project', query: [{ text: 'id=not.is.null' }] },
]

function list(as: AttackRequest['as'], name: string, query: AttackRequest['query'] & object): AttackRequest {
  return { as, method: 'GET', path: as === 'viewer' ? `/api/rest/${name}` : `/rest/v1/${name}`, query }
}

function create(times: number, as: AttackRequest['as']): AttackRequest {
  const text = '{"bid_name":"a"}'
  return { as, method: 'POST', path: '/rest/v1/bid', body: { type: 'application/json', rows: { text, times } } }
}

/** Rows whose other fields are in no column. */
function left(fields: string, times: number): AttackRequest {
  const body = { type: 'application/json', rows: { text: `{"bid_name":1,${fields}}`, times } }
  return { as: 'credential', method: 'POST', path: '/rest/v1/bid', query: [{ text: 'columns=bid_name' }], body }
}

function write(method: string, query: AttackRequest['query'] & object): AttackRequest {
  const rows = { text: '{"project_name":"b"}' }
  return { as: 'credential', method, path: '/rest/v1/project', query, body: { type: 'application/json', rows } }
}

/** Each is tried at every letter of a name, and none of them decides before the last. */
function slowPatterns(operator: string): AttackRequest['query'] & object {
  const pattern = `*${'a'.repeat(110)}b`
  return [
    { text: `project_name=not.${operator}.${pattern}`, times: 3 },
    { text: `project_name=${operator}.${pattern}` },
  ]
}

function conditions(count: number): string {
  return Array.from({ length: count }, (_, at) => `project_name.like.*a*b${at}*`).join(',')
}
