import fc from 'fast-check'
import { ApiError } from '../../src/errors/index.ts'
import type { Method } from '../../src/methods.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { payloadParserOf } from '../../src/request/parse-payload.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import type { Resource } from '../../src/resources/define.ts'
import type { Database } from '../../src/store/database.ts'
import { execute } from '../../src/store/execute.ts'

export interface Asked {
  readonly method: Method
  readonly resource: 'project' | 'bid'
  readonly query: string
  readonly prefer: string
  readonly rows: readonly Record<string, unknown>[]
}

interface Side {
  readonly db: Database
  readonly companyId: string
  readonly all: readonly Resource[]
}

const times = /"(created|updated)_at":(?:"[^"]*"|\[[^\]]*\])/g

/** What a side answers, without what depends on the clock. */
export async function ask({ db, companyId, all }: Side, asked: Asked): Promise<unknown> {
  const resource = all.find(({ name }) => name === asked.resource)
  if (!resource) throw new Error(`There is no ${asked.resource}`)
  try {
    const request = parseRequest(asked.method, asked.query, new Headers({ Prefer: asked.prefer }))
    const payload = await payloadParserOf('application/json')(Buffer.from(JSON.stringify(asked.rows)), null)
    const plan = makePlan({ request, payload, resource, companyId, actor: null, rowsMax: null })
    const { text, count, total, created } = await execute(db, plan)
    return { text: text.replace(times, ''), count, total, created }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, message: error.message, hint: error.more.hint }
  }
}

const choices = ['a', 'b', 'c d']

/** By type: what a field may be beside that, what may be sent, and what may be compared with. */
const types: Readonly<
  Record<string, { readonly more?: object; readonly sent: readonly unknown[]; readonly compared: readonly string[] }>
> = {
  text: { sent: ['', 'a', 'Ärger "x" \\', 'zz', 7, null], compared: ['a', 'zz', ''] },
  integer: { sent: [0, 5, -3, '7', 'x', 1e20, null], compared: ['5', '-3', '0', 'x'] },
  decimal: { sent: [1.5, '2.345', -0.01, 'no', 100, null], compared: ['1.5', '2.345', '-1', '100.001'] },
  number: { sent: [0.1, 1e15, -2, 1e-7, 'x', null], compared: ['0.1', '0', '1e15'] },
  boolean: { sent: [true, false, 't', 'maybe', null], compared: ['true', 'false', 'x'] },
  date: { sent: ['2026-01-31', '2025-12-01', 'soon', null], compared: ['2026-01-01', '2026-01-31'] },
  timestamp: {
    sent: ['2026-01-31T12:00:00.5Z', '2025-01-01T00:00:00+02:00', null],
    compared: ['2026-01-01', 'infinity'],
  },
  choice: { more: { choices }, sent: [...choices, 'zz', null], compared: ['a', 'c d', 'zz'] },
  choices: { more: { choices }, sent: [['a'], ['a', 'c d'], ['zz'], [], null], compared: ['{a}', '{"c d",a}', '{}'] },
  url: { sent: ['https://a.example/b', 'nowhere', null], compared: ['https://a.example/b'] },
  email: { sent: ['a@b.example', 'nobody', null], compared: ['a@b.example'] },
}

const operators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct', 'cs', 'ov', 'like', 'ilike', 'not.eq', 'not.gt']

type Own = {
  readonly resource: 'project' | 'bid'
  readonly name: string
  readonly type: string
  readonly indexed?: boolean
}

const fieldSets: fc.Arbitrary<Own[]> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...Object.keys(types)), { minLength: 2, maxLength: 6 }),
    fc.constantFrom('integer', 'text'),
  )
  .map(([some, ofBid]) => [
    ...some.map((type, at) => ({
      resource: 'project' as const,
      name: `f${at}`,
      type,
      indexed: at % 2 === 0 && type !== 'choices',
      ...types[type]?.more,
    })),
    { resource: 'bid' as const, name: 'g0', type: ofBid },
  ])

const ids = Array.from({ length: 6 }, (_, at) => `01890a5d-ac96-774b-bcce-b30209900${at}00`)
const bidIds = ids.slice(0, 2)

/** A set of fields, and requests about rows that have them. */
export const requests = fieldSets.chain((fields) =>
  fc
    .record({ fields: fc.constant(fields), asked: fc.array(oneOf(fields), { minLength: 40, maxLength: 60 }) })
    .map(withBids),
)

function withBids({ fields, asked }: { readonly fields: readonly Own[]; readonly asked: readonly Asked[] }) {
  const bids = bidIds.map((id) => ({ id, bid_name: 'B' }))
  const first: Asked = { method: 'POST', resource: 'bid', query: '', prefer: 'return=minimal', rows: bids }
  return { fields, asked: [first, ...asked] }
}

function oneOf(fields: readonly Own[]): fc.Arbitrary<Asked> {
  const ofProject = fields.filter(({ resource }) => resource === 'project')
  const field = fc.constantFrom(...ofProject)
  const value = ({ type }: Own) => fc.constantFrom(...(types[type]?.sent ?? [null]))
  const values = fc
    .subarray([...ofProject])
    .chain((some) => fc.record(Object.fromEntries(some.map((one) => [one.name, value(one)]))))
  const row = fc
    .tuple(fc.constantFrom(...ids), fc.constantFrom(...bidIds), values)
    .map(([id, bid_id, more]) => ({ id, bid_id, project_name: 'P', ...more }))
  const filter = field.chain(({ name, type }) =>
    fc.oneof(
      fc
        .tuple(fc.constantFrom(...operators), fc.constantFrom(...(types[type]?.compared ?? ['a'])))
        .map(([operator, text]) => `${name}=${operator}.${encodeURIComponent(text)}`),
      fc.constantFrom(
        `${name}=is.null`,
        `${name}=not.is.null`,
        `${name}=in.(a,b)`,
        `or=(${name}.is.null,${name}.eq.5)`,
      ),
    ),
  )
  const order = field.chain(({ name }) =>
    fc.constantFrom('', `&order=${name}`, `&order=${name}.desc.nullslast`, `&order=${name}.nullsfirst,id.desc`),
  )
  const names = ofProject.map(({ name }) => name)
  const select = fc.oneof(
    fc.constantFrom(
      '*',
      `id,${names.toReversed().join()}`,
      `x:${names[0]},*`,
      '*,bid(*)',
      'id,...bid(g0)',
      `${names[0]},count()`,
    ),
    field.map(({ name }) => `${name}::text,id`),
    field.map(({ name }) => `${name}.max(),${name}.count()`),
    field.map(({ name }) => `${name}.sum()`),
  )
  const page = fc.constantFrom('', '&limit=2', '&limit=2&offset=1')
  const read = fc.tuple(select, fc.oneof(filter, fc.constant('')), order, page).map(
    ([shown, where, by, some]): Asked => ({
      method: 'GET',
      resource: 'project',
      query: `select=${shown}&${where}${by}${some}`,
      prefer: 'count=exact',
      rows: [],
    }),
  )
  const fromBid = fc.constantFrom('*,project(*)', 'g0,...project(*)').map(
    (shown): Asked => ({
      method: 'GET',
      resource: 'bid',
      query: `select=${shown}&order=id&project.order=id`,
      prefer: '',
      rows: [],
    }),
  )
  const writes = fc.constantFrom(
    'return=representation',
    'missing=default, return=representation',
    'resolution=merge-duplicates, return=representation',
    'resolution=ignore-duplicates, return=representation',
  )
  const insert = fc
    .tuple(row, writes)
    .map(([one, prefer]): Asked => ({ method: 'POST', resource: 'project', query: 'order=id', prefer, rows: [one] }))
  const bulk = fc.tuple(fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 2, maxLength: 4 }), writes).map(
    ([rows, prefer]): Asked => ({
      method: 'POST',
      resource: 'project',
      query: `order=id&columns=id,bid_id,project_name,${names.join()}`,
      prefer,
      rows,
    }),
  )
  const patch = fc.tuple(filter, values).map(
    ([where, change]): Asked => ({
      method: 'PATCH',
      resource: 'project',
      query: `${where}&order=id`,
      prefer: 'return=representation',
      rows: [change],
    }),
  )
  const remove = filter.map(
    (where): Asked => ({
      method: 'DELETE',
      resource: 'project',
      query: `${where}&order=id`,
      prefer: 'return=representation',
      rows: [],
    }),
  )
  return fc.oneof(
    { weight: 3, arbitrary: insert },
    { weight: 4, arbitrary: bulk },
    { weight: 8, arbitrary: read },
    { weight: 1, arbitrary: fromBid },
    { weight: 4, arbitrary: patch },
    { weight: 1, arbitrary: remove },
  )
}
