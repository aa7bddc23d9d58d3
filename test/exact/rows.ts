import { beforeAll, expect, test } from 'bun:test'
import { type Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, Tenant, World } from '../support/world.ts'

type Text = string | RegExp

/** One request and the whole answer to it. */
export interface Row {
  readonly name: string
  /** Who asks; acme where nothing is said. */
  readonly by?: 'acme' | 'rival'
  readonly request: {
    readonly method?: string
    /** Behind /rest/v1. */
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    /** Text and bytes are sent as they are, everything else as JSON. Bytes have no content type of their own. */
    readonly body?: unknown
  }
  readonly expected: {
    readonly status: number
    /** null: must not be there. */
    readonly headers?: Readonly<Record<string, Text | null>>
    readonly json?: unknown
    readonly text?: string
    /** Of a failure. With a message, the details that are not given are null. */
    readonly code?: string
    readonly message?: Text
    readonly details?: Text
    readonly hint?: Text | null
  }
}

/** A project to have beside the usual ones: id, bid, name, moment. */
export type Seed = readonly [id: string, bid: string, name: string, moment: string]

/** Each row is a test, on each engine. They run in order, on the same rows of a database, and share what they write. */
export function answers(title: string, rows: readonly Row[], more: readonly Seed[] = []): void {
  onEachEngine(title, (world) => {
    beforeAll(() => seed(world, more))
    for (const row of rows) test(row.name, async () => check(row, await ask(world, row)))
  })
}

async function ask(world: World, { by = 'acme', request }: Row): Promise<Reply> {
  const { method = 'GET', path, headers, body } = request
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const type: Record<string, string> =
    body === undefined || body instanceof Uint8Array ? {} : { 'Content-Type': 'application/json' }
  return world[by].send(method, path, { ...type, ...headers }, isRaw ? body : JSON.stringify(body))
}

function check({ expected }: Row, reply: Reply): void {
  const headers = { ...(expected.code === undefined ? {} : failureHeaders(expected.code)), ...expected.headers }
  const seen = Object.keys(headers).map((name) => [name, reply.headers.get(name)])
  expect({ status: reply.status, headers: Object.fromEntries(seen), body: bodyOf(expected, reply) }).toEqual({
    status: expected.status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, matching(value)])),
    body: expectedBody(expected, reply),
  })
  expect(reply.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
}

const failureHeaders = (code: string): Record<string, string> => ({
  'Content-Type': json,
  'Proxy-Status': `project-api; error=${code}`,
})

const bodyOf = ({ text }: Row['expected'], reply: Reply): unknown =>
  text === undefined ? (reply.json ?? reply.text) : reply.text

function expectedBody({ text, json, code, message, details, hint }: Row['expected'], reply: Reply): unknown {
  if (code === undefined) return text ?? json
  return {
    code,
    message: matching(message ?? /./),
    details: message === undefined && details === undefined ? reply.json?.details : matching(details ?? null),
    hint: hint === undefined ? (reply.json?.hint ?? null) : matching(hint),
  }
}

const matching = (value: Text | null): unknown => (value instanceof RegExp ? expect.stringMatching(value) : value)

export const uuid = (end: string): string => `00000000-0000-4000-8000-0000000000${end}`
export const [a1, a2, a3, a9] = [uuid('a1'), uuid('a2'), uuid('a3'), uuid('a9')]
export const [b1, b2, b3, b9] = [uuid('b1'), uuid('b2'), uuid('b3'), uuid('b9')]

export const alpha = project(a1, b1, 'Alpha', '2026-01-03T00:00:00+00:00')
export const beta = project(a2, b1, 'Beta', '2026-01-04T00:00:00+00:00')
export const gamma = project(a3, b2, 'Gamma', '2026-01-05T06:07:08.123456+00:00')
export const bidOne = bid(b1, 'Bid one', '2026-01-01T00:00:00+00:00')
export const bidTwo = bid(b2, 'Bid two', '2026-01-02T00:00:00+00:00')
/** A bid without projects. */
export const bidThree = bid(b3, 'Bid three', '2026-01-02T12:00:00+00:00')
/** Ids are a company's own: these two look like acme's first bid and its first project. */
const rivalOne = bid(b1, 'Rival one', '2026-01-01T00:00:00+00:00')
export const rivalAlpha = project(a1, b1, 'Rival alpha', '2026-01-03T00:00:00+00:00')
const rivalTwo = bid(b9, 'Rival two', '2026-01-02T00:00:00+00:00')
export const rivalBeta = project(a9, b9, 'Rival beta', '2026-01-04T00:00:00+00:00')

export function project(id: string, bid_id: string, project_name: string, moment: unknown) {
  return { id, bid_id, project_name, created_at: moment, updated_at: moment }
}

function bid(id: string, bid_name: string, moment: string) {
  return { id, bid_name, created_at: moment, updated_at: moment }
}

async function seed({ db, acme, rival }: World, more: readonly Seed[]): Promise<void> {
  await db.transact([
    sql`delete from project`,
    sql`delete from bid`,
    ...[bidOne, bidTwo, bidThree].map((row) => insertBid(acme, row)),
    ...[rivalOne, rivalTwo].map((row) => insertBid(rival, row)),
    ...[alpha, beta, gamma, ...more.map((one) => project(...one))].map((row) => insertProject(acme, row)),
    ...[rivalAlpha, rivalBeta].map((row) => insertProject(rival, row)),
  ])
}

function insertBid({ id: company }: Tenant, { id, bid_name, created_at }: ReturnType<typeof bid>): Sql {
  return sql`insert into bid (company_id, id, bid_name, created_at, updated_at)
    values (${company}, ${id}, ${bid_name}, ${created_at}, ${created_at})`
}

function insertProject({ id: company }: Tenant, row: ReturnType<typeof project>): Sql {
  const moment = String(row.created_at)
  return sql`insert into project (company_id, id, bid_id, project_name, created_at, updated_at)
    values (${company}, ${row.id}, ${row.bid_id}, ${row.project_name}, ${moment}, ${moment})`
}

/** A moment that the server chose. */
export const moment: unknown = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/)
export const someId: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
)

export const json = 'application/json; charset=utf-8'
export const object = 'application/vnd.pgrst.object+json'
export const single = { Accept: object }
export const prefer = (...preferences: readonly string[]) => ({ Prefer: preferences.join(', ') })
export const representation = prefer('return=representation')
export const exact = prefer('count=exact')
/** What a bodiless answer does not carry. */
export const bare = { 'Content-Type': null, Location: null } as const
export const ids = (...list: readonly string[]) => list.map((id) => ({ id }))
export const names = (...list: readonly string[]) => list.map((project_name) => ({ project_name }))
