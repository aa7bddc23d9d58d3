import { expect, test } from 'bun:test'
import { documentedFailures } from '../../src/docs/failures.ts'
import { openapiText } from '../../src/docs/openapi.ts'
import { makeToken } from '../../src/keys/token.ts'
import { onEachEngine } from '../support/engines.ts'
import { findUndocumented } from '../support/openapi-match.ts'
import { replyOf, type World } from '../support/world.ts'

interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const object = { Accept: 'application/vnd.pgrst.object+json' }
const back = { Prefer: 'return=representation' }
const live = { Accept: 'text/event-stream' }
const absent = '01890a5d-ac96-774b-bcce-b302099a8057'
const fresh = '01890a5d-ac96-774b-bcce-b302099a8058'

/** Requests that succeed, with the status. */
const good = ({ acme }: World): readonly [number, Asked][] => [
  [200, { path: '/project' }],
  [200, { path: '/project?select=id,bid(*)', headers: { 'Accept-Profile': 'public' } }],
  [200, { path: '/bid?select=*,project(*)' }],
  [200, { path: '/bid?select=count()' }],
  [200, { path: `/project?id=eq.${acme.project}`, headers: object }],
  [200, { path: '/project', headers: { Accept: 'text/csv' } }],
  [200, { path: '/project', headers: { Accept: 'application/x-ndjson' } }],
  [200, { path: '/project', headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' } }],
  [200, { path: '/project?limit=1', headers: { Accept: 'application/vnd.pgrst.object+json;nulls=stripped' } }],
  [206, { path: '/bid?limit=1', headers: { Prefer: 'count=exact' } }],
  [304, { path: '/bid', headers: { 'If-None-Match': '*' } }],
  [200, { method: 'HEAD', path: '/project' }],
  [206, { method: 'HEAD', path: '/bid?limit=1', headers: { Prefer: 'count=exact' } }],
  [304, { method: 'HEAD', path: '/bid', headers: { 'If-None-Match': '*' } }],
  [201, { method: 'POST', path: '/project', body: { bid_id: acme.bid, project_name: 'One' } }],
  [201, { method: 'POST', path: '/project', body: [{ bid_id: acme.bid, project_name: 'Two' }], headers: back }],
  [201, { method: 'POST', path: '/bid', body: { bid_name: 'None' }, headers: { Prefer: 'return=minimal' } }],
  [201, { method: 'POST', path: '/bid', body: { bid_name: 'Lines' }, headers: { Accept: 'text/csv' } }],
  [
    200,
    {
      method: 'POST',
      path: '/bid',
      body: { id: acme.bid, bid_name: 'B' },
      headers: { Prefer: 'resolution=merge-duplicates' },
    },
  ],
  [201, { method: 'PUT', path: `/bid?id=eq.${fresh}`, body: { id: fresh, bid_name: 'Put' }, headers: back }],
  [200, { method: 'PUT', path: `/bid?id=eq.${fresh}`, body: { id: fresh, bid_name: 'Put' }, headers: back }],
  [204, { method: 'PUT', path: `/bid?id=eq.${fresh}`, body: { id: fresh, bid_name: 'Put' } }],
  [200, { method: 'PATCH', path: `/bid?id=eq.${fresh}`, body: { bid_name: 'Patched' }, headers: back }],
  [204, { method: 'PATCH', path: `/bid?id=eq.${fresh}`, body: { bid_name: 'Patched' } }],
  [200, { method: 'DELETE', path: `/bid?id=eq.${fresh}`, headers: back }],
  [204, { method: 'DELETE', path: `/bid?id=eq.${fresh}` }],
  [200, { method: 'OPTIONS', path: '/bid' }],
]

/** Requests that fail, with the code. */
const bad = ({ acme, rival }: World): readonly [string, Asked][] => [
  ['live_unsupported', { path: '/bid?select=*,project(*)', headers: live }],
  ['last_event_invalid', { path: '/bid', headers: { ...live, 'Last-Event-ID': 'x' } }],
  ['events_gone', { path: '/bid', headers: { ...live, 'Last-Event-ID': '999999' } }],
  ['invalid_api_key', { path: '/project', headers: { apikey: '' } }],
  ['invalid_api_key', { path: '/project', headers: { apikey: makeToken('key'), Authorization: '' } }],
  ['invalid_api_key', { method: 'DELETE', path: '/project', headers: { apikey: acme.apiSecret } }],
  ['invalid_api_key', { path: '/project', headers: { Authorization: 'Bearer other' } }],
  ['42501', { method: 'POST', path: '/project', headers: { 'X-API-Secret': rival.apiSecret }, body: {} }],
  ['42501', { path: '/bid', headers: { 'X-API-Secret': '', Prefer: 'handling=strict' } }],
  ['PGRST106', { path: '/project', headers: { 'Accept-Profile': 'private' } }],
  ['PGRST100', { path: '/project?id=5' }],
  ['PGRST100', { path: '/project?id=eq.%ff' }],
  ['PGRST103', { path: '/project?limit=-1' }],
  ['PGRST103', { path: '/project?offset=1000', headers: { Prefer: 'count=exact' } }],
  ['PGRST107', { path: '/project', headers: { Accept: 'image/png' } }],
  ['PGRST122', { path: '/project', headers: { Prefer: 'handling=strict, count=none' } }],
  ['PGRST102', { method: 'POST', path: '/project', body: 7 }],
  ['unsupported_media_type', { method: 'POST', path: '/project', body: {}, headers: { 'Content-Type': 'text/plain' } }],
  ['body_too_large', { method: 'PATCH', path: '/bid?id=not.is.null', body: { bid_name: 'x'.repeat(5000) } }],
  ['PGRST204', { method: 'POST', path: '/project', body: { nmae: 1 } }],
  ['PGRST200', { path: '/project?select=bids(*)' }],
  ['PGRST108', { path: '/project?bid.id=is.null' }],
  ['42712', { path: '/project?select=bid(*),bid(*)' }],
  ['PGRST118', { path: '/bid?select=*,project(*)&order=project(id)' }],
  ['PGRST127', { path: '/bid?select=...project(id.count())' }],
  ['42622', { path: `/project?select=${'a'.repeat(64)}:id` }],
  ['42704', { path: '/project?select=id::varchr' }],
  ['42704', { path: '/project?project_name=fts(klingon).x' }],
  ['42846', { path: '/project?select=id::date' }],
  ['42883', { path: '/project?select=id.sum()' }],
  ['42883', { path: '/project?id=like.x' }],
  ['42804', { path: '/project?id=is.true' }],
  ['42703', { path: '/project?select=nmae' }],
  ['22P02', { path: '/project?id=eq.7' }],
  ['22P05', { method: 'POST', path: '/bid', body: { bid_name: '\0' } }],
  ['23502', { method: 'POST', path: '/bid', body: {} }],
  ['23514', { method: 'POST', path: '/bid', body: { bid_name: ' ' } }],
  ['22007', { path: '/bid?created_at=gt.next%20week' }],
  ['22008', { path: '/bid?created_at=gt.2026-02-30' }],
  ['22025', { path: '/bid?bid_name=like.x%5C' }],
  ['2201B', { path: '/bid?bid_name=match.(' }],
  ['42601', { path: '/bid?bid_name=fts.a%20%26' }],
  ['42803', { path: '/bid?select=count()&order=id' }],
  ['21000', { method: 'DELETE', path: '/bid' }],
  ['21000', { method: 'PATCH', path: '/bid', body: { bid_name: 'x' } }],
  [
    '42P10',
    {
      method: 'POST',
      path: '/bid?on_conflict=bid_name',
      body: { bid_name: 'x' },
      headers: { Prefer: 'resolution=merge-duplicates' },
    },
  ],
  ['PGRST114', { method: 'PUT', path: `/bid?id=eq.${absent}&limit=1`, body: { id: absent, bid_name: 'x' } }],
  ['PGRST105', { method: 'PUT', path: '/bid?bid_name=eq.x', body: { id: absent, bid_name: 'x' } }],
  ['PGRST115', { method: 'PUT', path: `/bid?id=eq.${absent}`, body: { id: fresh, bid_name: 'x' } }],
  ['428C9', { method: 'POST', path: '/bid', body: { bid_name: 'x', created_at: 'now' } }],
  ['23503', { method: 'POST', path: '/project', body: { bid_id: rival.bid, project_name: 'x' } }],
  ['23503', { method: 'DELETE', path: `/bid?id=eq.${acme.bid}` }],
  ['PGRST116', { path: `/project?id=eq.${absent}`, headers: object }],
  [
    'PGRST124',
    { method: 'DELETE', path: '/project?id=not.is.null', headers: { Prefer: 'handling=strict, max-affected=0' } },
  ],
  [
    'precondition_failed',
    { method: 'DELETE', path: `/project?id=eq.${acme.project}`, headers: { 'If-Match': '"old"' } },
  ],
  ['23505', { method: 'POST', path: '/bid', body: { id: acme.bid, bid_name: 'x' } }],
  [
    'invalid_idempotency_key',
    { method: 'POST', path: '/bid', body: { bid_name: 'x' }, headers: { 'Idempotency-Key': 'a b' } },
  ],
  [
    'idempotency_key_reused',
    { method: 'POST', path: '/bid', body: { bid_name: 'another' }, headers: { 'Idempotency-Key': 'used' } },
  ],
  ['secret_in_browser', { path: '/project', headers: { 'Sec-Fetch-Site': 'cross-site' } }],
]

/** Failures that no request alone can bring about, or that belong to no resource. */
const unprovoked = [
  // Of numbers, which no resource has yet: see test/extend.
  '22003',
  '57014',
  'PGRST001',
  'XX000',
  'insufficient_scope',
  'idempotency_in_progress',
  // See test/settings/end-company.test.ts, test/api/narrowed-access.test.ts and test/fields/states.test.ts.
  'company_deleted',
  'address_not_allowed',
  'transition_not_allowed',
  // See test/api/live.test.ts.
  'events_off',
  'too_many_streams',
  // See test/api/idempotency.test.ts.
  'idempotent_answer_too_large',
  'idempotency_full',
  'rate_limited',
  'overloaded',
  // See test/api/long-work.test.ts.
  '54000',
  '54001',
  '40P01',
  'request_timeout',
  // See test/fields/rewriting.test.ts.
  'fields_changed',
  // See test/faults.
  '25006',
  '53100',
  'XX001',
  'outcome_unknown',
]

onEachEngine(
  'real answers are as the OpenAPI document says',
  (world) => {
    const ask = async ({ method = 'GET', path, headers = {}, body }: Asked, tenant = world.acme) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const type = sent === undefined ? {} : { 'Content-Type': 'application/json' }
      const reply = await tenant.send(method, path, { ...type, ...headers }, sent)
      return { reply, strays: findUndocumented(method, path.split('?')[0] ?? '', reply) }
    }

    test('when all goes well', async () => {
      await world.acme.post('/bid', { bid_name: 'Another' })
      for (const [status, asked] of good(world)) {
        const { reply, strays } = await ask(asked)
        expect([asked, reply.status, strays]).toEqual([asked, status, []])
      }
    })

    test('when it fails', async () => {
      await world.acme.post('/bid', { bid_name: 'first' }, { 'Idempotency-Key': 'used' })
      for (const [code, asked] of bad(world)) {
        const { reply, strays } = await ask(asked)
        expect([asked, reply.json?.code, strays]).toEqual([asked, code, []])
      }
      const reader = await world.acme.withCredential('read')
      const { reply, strays } = await ask({ method: 'DELETE', path: '/bid?id=not.is.null' }, reader)
      expect([reply.json.code, strays]).toEqual(['insufficient_scope', []])
    })

    test('for a path, a resource or a method that is not there', async () => {
      const missing = [
        ['GET', '/projects'],
        ['GET', '/project/1'],
        ['GET', '/rpc/sum_up'],
        ['REPORT', '/project'],
      ] as const
      for (const [method, path] of missing) {
        const reply = await replyOf(
          await fetch(`${world.base}/rest/v1${path}`, { method, headers: world.acme.headers }),
        )
        expect([path, findUndocumented('GET', '/project', reply)]).toEqual([path, []])
      }
    })

    test('and every documented failure of a resource is among those that were tried', () => {
      const tried = [...bad(world).map(([code]) => code), ...unprovoked]
      const documented = documentedFailures().filter(({ methods }) => methods.length > 0)
      const untried = documented.map(({ code }) => code).filter((code) => !tried.includes(code))
      expect(untried).toEqual([])
    })

    // The list lives where requests are parsed; the hint of the failure names it.
    test('the media types in the document are the ones that are known', async () => {
      const refused = await ask({ path: '/project', headers: { Accept: 'image/png' } })
      const types = Object.keys(JSON.parse(openapiText()).paths['/project'].get.responses[200]['x-content'])
      // Changes are no form of the rows, and only some resources have them.
      for (const type of types.filter((one) => one !== 'text/event-stream'))
        expect(refused.reply.json.hint).toContain(type.split(';')[0] ?? '')
    })
  },
  { MAX_BODY_BYTES: '4096' },
)
