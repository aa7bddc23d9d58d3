import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import fc from 'fast-check'
import { ApiError } from '../../src/errors/index.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { findResource } from '../../src/resources/index.ts'
import { coordinatorTables, distributedTables, referenceTables } from '../../src/store/cluster/layout.ts'
import { compileRows, hasKeys } from '../../src/store/compile/compile.ts'
import { compileCreatedCount, compileOvertaken, compileWritten } from '../../src/store/compile/compile-written.ts'
import { valuesOf } from '../../src/store/compile/write-values.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import { citusDialect } from '../../src/store/postgres/citus-dialect.ts'
import { fill, render, type Sql } from '../../src/store/sql.ts'
import { arbitraryRead, arbitraryWrite, type Generated } from '../property/arbitrary-requests.ts'
import { soundPath } from '../property/sound-requests.ts'
import { type Examined, examine, refusedByCitus } from '../support/check-statement.ts'
import { distributed, engines, type TestEngine } from '../support/engines.ts'
import { type Recorded, recording } from '../support/recording.ts'
import { World } from '../support/world.ts'
import { catalogueOf } from './catalogue.ts'
import { type RecordedTour, recordTour } from './record-tour.ts'
import { isOfAll } from './tour.ts'

const companyId = '00000000-0000-4000-8000-00000000c001'
const runs = Number(process.env.PROPERTY_RUNS ?? 400)

const postgres = engines.find(({ name }) => name === 'postgres') as TestEngine
const examined = new Map<string, Examined>()
function examineOnce(text: string): Examined {
  const known = examined.get(text) ?? examine(text)
  examined.set(text, known)
  return known
}

/** Whose rows a statement is about. */
const companiesOf = ({ text, values }: Recorded): unknown[] => [
  ...new Set(examineOnce(text).companyParameters.map((position) => values[position - 1])),
]

const problemsOf = ({ text }: Recorded): string[] => examineOnce(text).problems.map((problem) => `${problem}: ${text}`)

describe('statements', () => {
  const sent: Recorded[] = []
  const world = new World({}, (db) => recording(db, (statement) => sent.push(statement)))
  beforeAll(() => world.open(distributed), 300_000)
  afterAll(() => world.close())

  async function send({ method, path, headers, body }: Generated): Promise<void> {
    sent.length = 0
    const fields = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const sends = method !== 'GET' && method !== 'HEAD'
    await world.acme.send(method, path, fields, sends ? (body ?? undefined) : undefined)
    expect(sent.flatMap(problemsOf)).toEqual([])
    const others = sent.filter((one) => !isOfAll(one)).flatMap(companiesOf)
    expect(others.filter((id) => id !== world.acme.id)).toEqual([])
  }

  test('say for every table of a company that it is the caller’s, whatever is read', async () => {
    await fc.assert(fc.asyncProperty(arbitraryRead, send), { numRuns: runs })
  }, 300_000)

  test('and whatever is written', async () => {
    await fc.assert(fc.asyncProperty(arbitraryWrite, send), { numRuns: runs })
  }, 300_000)
})

test('the parts of a long list are of one company, wherever they go on', () => {
  let checked = 0
  fc.assert(
    fc.property(soundPath, (path) => {
      const text = chunkOf(path)
      if (!text) return
      checked += 1
      expect(problemsOf(text)).toEqual([])
      expect(companiesOf(text)).toEqual([companyId])
    }),
    { numRuns: runs },
  )
  expect(checked).toBeGreaterThan(runs / 4)
})

test('what is asked about an insert whose connection was lost is of one company', () => {
  for (const prefer of ['', 'resolution=merge-duplicates']) {
    const plan = planOf('POST', '/project', new Headers({ Prefer: prefer }), [
      { id: companyId, bid_id: companyId, project_name: 'A' },
    ])
    if (plan.kind !== 'insert') throw new Error('An insert was expected')
    for (const compile of [compileWritten, compileCreatedCount, compileOvertaken]) {
      const statement = recordedOf(fill(compile(plan, citusDialect), valuesOf(plan)))
      expect(problemsOf(statement)).toEqual([])
      expect(companiesOf(statement)).toEqual([companyId])
    }
  }
})

/** null for what is refused before it becomes a statement. */
function chunkOf(path: string): Recorded | null {
  try {
    const plan = planOf('GET', path, new Headers(), [])
    if (plan.kind !== 'read') return null
    const rows = compileRows(plan, citusDialect, hasKeys(plan) ? plan.order.map(() => 'x') : null)
    return recordedOf(fill(rows, plan.values))
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function planOf(method: 'GET' | 'POST', path: string, headers: Headers, rows: Record<string, string>[]): Plan {
  const [name = '', query = ''] = path.slice(1).split('?')
  const request = parseRequest(method, query, headers)
  const payload = { text: '', single: false, rows }
  return makePlan({ request, payload, resource: findResource(name), companyId, actor: null, rowsMax: null })
}

const recordedOf = (statement: Sql): Recorded => ({
  text: render(statement, citusDialect.placeholder),
  values: statement.values,
})

/** Finds the endpoints of all companies whose events nobody has told of. */
const behind =
  'select w.company_id, w.id from "webhook_endpoint" w where w.disabled_at is null and ( exists (select 1 from "event" e where e.company_id = w.company_id and e.sequence > w.queued_sequence) or exists (select 1 from "webhook_delivery" d where d.company_id = w.company_id and d.endpoint_id = w.id and d.next_at < $1)) limit 1000'

describe('the catalogue of all statements', () => {
  let recorded: RecordedTour = { ofOneCompany: [], ofAll: [] }
  beforeAll(async () => {
    recorded = await recordTour(distributed)
  }, 300_000)

  test('uses every table, and nothing that the rules ban', () => {
    const texts = [...recorded.ofOneCompany, ...recorded.ofAll]
    const unused = [...distributedTables, ...Object.keys(referenceTables), ...Object.keys(coordinatorTables)].filter(
      (table) => !texts.some(({ text }) => new RegExp(`\\b${table}\\b`).test(text)),
    )
    expect(unused).toEqual([])
    const problems = texts.flatMap(problemsOf).map((problem) => problem.replace(/\s+/g, ' '))
    // How often each runs depends on the time.
    expect([...new Set(problems)].toSorted()).toEqual([
      'does not say the company of credential_usage: select distinct company_id, credential_id, secret_id from "credential_usage" where company_id in (select id from company) and hour < $1 limit 50',
      `does not say the company of d: ${behind}`,
      `does not say the company of e: ${behind}`,
      'does not say the company of event: select company_id from "event" order by company_id limit 1',
      'does not say the company of event: select company_id from "event" where company_id > $1 order by company_id limit 1',
      'does not say the company of event_counter: select company_id, last_sequence from "event_counter" where "company_id" = any((select $1::text::uuid[])::uuid[])',
      'does not say the company of event_inbox: select distinct company_id from "event_inbox" where created_at < $1',
      'does not say the company of field: select company_id, resource, id from "field" where archived_at < $1 order by company_id, id',
      'does not say the company of field_set: select company_id, resource from "field_set" where pending = 1 and company_id > $1 order by company_id, resource limit 100',
      'does not say the company of idempotency: select company_id from "idempotency" order by company_id limit 1',
      'does not say the company of idempotency: select company_id from "idempotency" where company_id > $1 order by company_id limit 1',
      'does not say the company of request_latency: select distinct company_id, credential_id from "request_latency" where company_id in (select id from company) and hour < $1 limit 50',
      'does not say the company of request_log: select company_id from "request_log" order by company_id limit 1',
      'does not say the company of request_log: select company_id from "request_log" where company_id > $1 order by company_id limit 1',
      `does not say the company of w: ${behind}`,
      'does not say the company of webhook_attempt: select company_id from "webhook_attempt" order by company_id limit 1',
      'does not say the company of webhook_attempt: select company_id from "webhook_attempt" where company_id > $1 order by company_id limit 1',
      'does not say the company of webhook_delivery: select company_id from "webhook_delivery" order by company_id limit 1',
      'does not say the company of webhook_delivery: select company_id from "webhook_delivery" where company_id > $1 order by company_id limit 1',
      `does not say the company of webhook_delivery: select count(*), min(created_at) from ( select created_at from "webhook_delivery" where state = 'pending' limit 10000) as pending`,
      'does not say the company of webhook_endpoint: select 1 from "webhook_endpoint" limit 1',
      'does not say the company of webhook_endpoint: select company_id, id from "webhook_endpoint" where company_id in ($1) and disabled_at is null',
    ])
    expect(texts.flatMap(({ text }) => refusedByCitus(text).map((problem) => `${problem}: ${text}`))).toEqual([])
  })

  test('is of one company in each statement of a request', () => {
    expect(recorded.ofOneCompany.filter((one) => companiesOf(one).length > 1)).toEqual([])
  })

  test('runs on PostgreSQL, and leaves nothing behind', async () => {
    const place = await postgres.makePlace()
    const db = openDatabase({ databaseUrl: place.url, connectionsMax: 1, statementTimeoutMs: 60_000, queueMax: 10 })
    await migrate(db)
    const client = new SQL(place.url, { max: 1 })
    await client.unsafe(catalogueOf(recorded.ofOneCompany, recorded.ofAll))
    expect([...(await client.unsafe('select count(*)::int as rows from company'))]).toEqual([{ rows: 0 }])
    await client.close()
    await db.close()
    await place.remove()
  }, 300_000)
})

test.each([
  ['select 1 from project where company_id = $1 or id = $2', 'does not say the company of project'],
  ['select 1 from project p, bid b where company_id = $1 and b.company_id = $1', 'does not say the company of p'],
  [
    'select (select 1 from bid b where b.id = p.bid_id) from project p where p.company_id = $1',
    'does not say the company of b',
  ],
  [
    'select 1 from bid b left join project p on p.company_id = $1 where b.company_id = $1',
    'does not say the company of p',
  ],
  ["insert into bid (company_id, id) values ('x', $1)", 'does not say the company of a new bid'],
  ['insert into bid (company_id, id) values ($1, $2) on conflict do nothing', 'names no arbiter for conflicts'],
  ['update bid set company_id = $2 where company_id = $1', 'moves rows to another company'],
  ['delete from bid where company_id = $1 and created_at < now()', 'calls now()'],
  ['select nextval($1)', 'calls nextval()'],
  ['select pg_advisory_xact_lock(1)', 'calls pg_advisory_xact_lock()'],
  ['select xmin from bid where company_id = $1', 'uses a system column'],
  ['select current_timestamp', 'uses SQLValueFunction'],
  ['select 1 from elsewhere', 'uses the unknown table elsewhere'],
  ["set lock_timeout = '2s'", 'leaves something set in the session'],
  ['listen news', 'is a ListenStmt'],
  ['lock table bid', 'is a LockStmt'],
])('the check finds what is wrong with: %s', (text, problem) => {
  expect(examine(text).problems).toEqual([problem])
})

test.each([
  ['update bid set bid_name = $1 where company_id = $2 returning lower(bid_name)', 'returns what is no column'],
  ['insert into bid (id) values ($1) returning (select 1)', 'returns what is no column,inserts by a subquery'],
  [
    'insert into bid (id) select (select i.id) from bid as i where i.id = any((select $1)::uuid[])',
    'inserts by a subquery',
  ],
  ['insert into bid (id) select i.id from bid as i where i.id = any((select $1)::uuid[])', ''],
])('the check knows what Citus refuses of: %s', (text, problem) => {
  expect(refusedByCitus(text).join()).toBe(problem)
})
