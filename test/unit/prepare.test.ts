import { describe, expect, test } from 'bun:test'
import type { Method } from '../../src/methods.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { Plan, ReadPlan } from '../../src/plan/plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import type { Column, Resource } from '../../src/resources/define.ts'
import { bid, project } from '../../src/resources/index.ts'
import { preparePage, prepareStatements } from '../../src/store/compile/prepare.ts'
import type { Dialect } from '../../src/store/dialect.ts'
import { workMax } from '../../src/store/limits.ts'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import { render, type Sql, type Value } from '../../src/store/sql.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'

const fixed = Bun.randomUUIDv7()

/** A query about an id, and the values that its statement binds: `own` is the company. */
type Case = readonly [query: (id: string) => string, values: (own: string, id: string) => readonly Value[]]

const onBoth: readonly Case[] = [
  [() => '', (own) => [own]],
  [(id) => `id=eq.${id}`, (own, id) => [own, id]],
  [(id) => `id=not.eq.${id}`, (own, id) => [own, id]],
  [(id) => `id=gte.${id}&bid_id=lt.${fixed}&project_name=neq.${id}`, (own, id) => [own, id, fixed, id]],
  [() => 'limit=3', (own) => [own]],
  [
    (id) => `select=id,bid(id)&bid.id=eq.${id}&bid.bid_name=gt.x&project_name=gte.y`,
    (own, id) => [own, id, 'x', own, 'y'],
  ],
  [
    (id) => `select=*,bid!inner(id)&bid.id=eq.${id}&order=bid(bid_name).desc`,
    (own, id) => [own, id, own, own, id, own, id],
  ],
  [
    (id) => `select=*,one:bid(id),two:bid(bid_name)&two.id=eq.${fixed}&one.id=eq.${id}`,
    (own, id) => [own, id, own, fixed, own],
  ],
  [(id) => `select=count(),bid_id&id=lte.${id}`, (own, id) => [own, id]],
  [(id) => `select=id,...bid(bid_name)&id=eq.${id}`, (own, id) => [own, own, id]],
  [(id) => `or=(id.eq.${id},and(bid_id.gt.${fixed},id.lt.${id}))`, (own, id) => [own, id, fixed, id]],
  [(id) => `bid_id=eq.${fixed}&not.or=(id.eq.${id},bid_id.is.null)`, (own, id) => [own, fixed, id]],
  [(id) => `project_name=match.${id}`, (own, id) => [own, id]],
  [(id) => `select=*,bid()&bid=not.is.null&id=eq.${id}`, (own, id) => [own, own, id]],
]

const many = Array.from({ length: 11 }, () => Bun.randomUUIDv7())

const onSqlite: readonly Case[] = [
  ...onBoth,
  [(id) => `id=in.(${id},${fixed})`, (own, id) => [own, JSON.stringify([id, fixed])]],
  [(id) => `project_name=like.*${id}_`, (own, id) => [own, `*${id}?`]],
  [(id) => `project_name=like(all).{${id}*,b%25}`, (own, id) => [own, JSON.stringify([`${id}*`, 'b*'])]],
]

const onPostgres: readonly Case[] = [
  ...onBoth,
  [(id) => `id=in.(${id},${fixed})`, (own, id) => [own, id, fixed]],
  [(id) => `id=in.(${id},${many})`, (own, id) => [own, `{${[id, ...many].map((one) => `"${one}"`)}}`]],
  [(id) => `project_name=like.*${id}_`, (own, id) => [own, `%${id}_`]],
  [(id) => `project_name=like(all).{${id}*,b%25}`, (own, id) => [own, `{"${id}%","b%"}`]],
  [() => 'limit=4&offset=8', (own) => [own, 8]],
]

describe.each([
  [sqliteDialect, onSqlite],
  [postgresDialect, onPostgres],
] as const)('on $name', (dialect: Dialect, cases: readonly Case[]) => {
  test.each(cases.map(([query, values]) => [query('ID'), query, values] as const))(
    '"%s" is prepared once and filled with its values',
    (_, query, values) => {
      const plans = Array.from({ length: 4 }, () => ({ id: Bun.randomUUIDv7(), own: Bun.randomUUIDv7() }))
      const statements = plans.map(({ id, own }) => pageOf(readOf(query(id), own), dialect))
      for (const [at, { id, own }] of plans.entries()) expect(statements[at]?.values).toEqual(values(own, id))
      for (const { texts, text } of statements) {
        expect(texts).toBe(statements[0]?.texts ?? [])
        expect(text).toBe(render({ texts, values: [], text: null }, dialect.placeholder))
      }
    },
  )
})

test('lists of few values, of many, and of none are statements of their own', () => {
  const textOf = (count: number) =>
    pageOf(readOf(`id=in.(${Array.from({ length: count }, () => Bun.randomUUIDv7())})`, fixed), postgresDialect).text
  expect(new Set([textOf(0), textOf(1), textOf(2), textOf(10), textOf(11)]).size).toBe(4)
  expect(textOf(11)).toBe(textOf(500))
})

test('what reads alike is not taken for the same', () => {
  const queries = ['select=id&order=project_name', 'select=id,project_name', 'limit=1&offset=2', 'limit=2&offset=1']
  const others = ['select=a:id', 'select=id', 'select=id::text', 'id=eq.ID', 'id=neq.ID', 'id=not.eq.ID']
  const texts = [...queries, ...others, 'and=(id.eq.ID,id.neq.ID)', 'or=(id.eq.ID,id.neq.ID)', 'bid_id=eq.ID']
    .map((query) => query.replaceAll('ID', fixed))
    .flatMap((query) => [pageOf(readOf(query, fixed), sqliteDialect).text, countedOf(query).text])
  texts.push(pageOf(readOf('select=id', fixed, bid), sqliteDialect).text)
  expect(new Set(texts).size).toBe(texts.length)
})

test('plans that differ in their values alone share their rows, which hold none of these', () => {
  for (const query of [
    'id=eq.ID',
    'or=(id.in.(ID),project_name.like.ID)',
    'select=*,bid(id)&bid.id=neq.ID&bid_id=lt.ID',
  ]) {
    const ids = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const [one, other] = ids.map((id) => readOf(query.replaceAll('ID', id), id))
    expect(other?.shared).toBe(one?.shared as ReadPlan['shared'])
    for (const id of ids) expect(JSON.stringify(one?.shared)).not.toContain(id)
  }
})

test('a query that is too long to be kept is answered all the same', () => {
  const query = `or=(${Array.from({ length: 100 }, () => `id.eq.${fixed}`)})`
  const [one, other] = [readOf(query, fixed), readOf(query, fixed)]
  expect(other.shared).not.toBe(one.shared)
  expect(pageOf(one, sqliteDialect)).toEqual(pageOf(other, sqliteDialect))
  expect(pageOf(one, sqliteDialect).values).toEqual(Array.from({ length: 101 }, () => fixed))
})

test('what a query may hold is counted for each, although its shape is known', () => {
  const lists = (count: number) => {
    const list = Array.from({ length: count }, () => fixed)
    return `id=in.(${list})&bid_id=in.(${list})`
  }
  const likes = (length: number) => `project_name=like.${'a'.repeat(length)}`
  const pattern = (count: number) => `project_name=match.(a{${count}}){${count}}`
  for (const query of [lists(20), likes(20), pattern(2)]) expect(() => readOf(query, fixed)).not.toThrow()
  expect(() => readOf(lists(5001), fixed)).toThrow('values in lists')
  expect(() => readOf(likes(501), fixed)).toThrow('characters in patterns')
  expect(() => readOf(pattern(30), fixed)).toThrow('parts of regular expressions')
})

describe('a write', () => {
  const usual = { isLarge: false, isChosen: false }

  test.each([sqliteDialect, postgresDialect])(
    'of a state is kept on $name, however many transitions there are',
    (dialect) => {
      const states = Array.from({ length: 44 }, (_, at) => `state ${at}`)
      const column: Column = {
        ...{ name: 'state', type: 'choice', description: '', nullable: true },
        choices: states.map((value) => ({ value, label: value, color: 'gray', isClosed: false })),
        field: {
          ...{ id: fixed, wasArchived: false, index: null },
          states: { starts: null, next: Object.fromEntries(states.map((state) => [state, states])) },
        },
      }
      const owned: Resource = {
        ...project,
        columns: new Map([...project.columns, [column.name, column]]),
        own: { version: 1, columns: [column], archived: [] },
      }
      const [one, other] = states.slice(0, 2).map((state) => {
        const plan = planOf('PATCH', `id=eq.${fixed}`, [{ state }], fixed, owned)
        if (plan.kind !== 'update') throw new Error('An update was expected')
        return prepareStatements(plan, dialect, usual)
      })
      expect(other?.map(({ texts }) => texts)).toEqual(one?.map(({ texts }) => texts) ?? [])
      for (const [at, { texts }] of (other ?? []).entries()) expect(texts).toBe(one?.[at]?.texts ?? [])
    },
  )

  test('of one row is prepared once, and its row comes behind the values of the query', () => {
    const [one, other] = ['A', null].map((name) => {
      const plan = planOf('POST', 'select=id', [{ id: fixed, bid_id: fixed, project_name: name ?? 'B' }])
      if (plan.kind !== 'insert') throw new Error('An insert was expected')
      return prepareStatements(plan, sqliteDialect, usual)
    })
    expect(one?.[0]?.texts).toBe(other?.[0]?.texts ?? [])
    expect([one?.[0]?.values.slice(0, 4), other?.[0]?.values[3]]).toEqual([[fixed, fixed, fixed, 'A'], 'B'])
  })

  test('of other columns is another statement', () => {
    const write = (row: Record<string, unknown>) => {
      const plan = planOf('PATCH', `id=eq.${fixed}`, [row])
      if (plan.kind !== 'update') throw new Error('An update was expected')
      return prepareStatements(plan, sqliteDialect, usual)[0]
    }
    const [name, renamed, moved] = [
      write({ project_name: 'A' }),
      write({ project_name: 'B' }),
      write({ bid_id: fixed }),
    ]
    expect(renamed?.texts).toBe(name?.texts ?? [])
    expect(moved?.texts).not.toEqual(name?.texts ?? [])
    expect([name?.values[0], renamed?.values[0], moved?.values[0]]).toEqual(['A', 'B', fixed])
    expect(renamed?.values.slice(2)).toEqual([fixed, fixed])
  })

  test('over a row that may be there looks for its key', () => {
    const ids = [fixed, Bun.randomUUIDv7()]
    const [one, other] = ids.map((id) => {
      const plan = planOf('PUT', `id=eq.${id}`, [{ id, bid_id: fixed, project_name: 'A' }])
      if (plan.kind !== 'insert') throw new Error('An insert was expected')
      return prepareStatements(plan, postgresDialect, usual)
    })
    expect([one?.[0]?.values, other?.[0]?.values]).toEqual(ids.map((id) => [fixed, id]))
    expect(one?.[1]?.texts).toBe(other?.[1]?.texts ?? [])
  })

  test('of many rows is compiled with these', () => {
    const rows = [fixed, Bun.randomUUIDv7()].map((id) => ({ id, bid_id: fixed, project_name: 'A' }))
    const plan = planOf('POST', '', rows)
    if (plan.kind !== 'insert') throw new Error('An insert was expected')
    expect(prepareStatements(plan, sqliteDialect, usual)[0]?.values).toEqual([fixed, JSON.stringify(plan.rows)])
  })
})

const pageOf = (plan: ReadPlan, dialect: Dialect): Sql =>
  preparePage(plan, plan.range, { dialect, workMax: () => workMax }).statement

const countedOf = (query: string): Sql => pageOf({ ...readOf(query, fixed), counted: true }, sqliteDialect)

function readOf(query: string, companyId: string, resource: Resource = project): ReadPlan {
  const plan = planOf('GET', query, [], companyId, resource)
  if (plan.kind !== 'read') throw new Error('A GET is a read.')
  return plan
}

function planOf(
  method: Method,
  query: string,
  rows: Record<string, unknown>[],
  companyId = fixed,
  resource: Resource = project,
): Plan {
  const request = parseRequest(method, query, new Headers())
  return makePlan({
    request,
    payload: { text: '', single: false, rows },
    resource,
    companyId,
    actor: null,
    rowsMax: null,
  })
}
