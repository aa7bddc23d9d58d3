import { expect, test } from 'bun:test'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { ReadPlan } from '../../src/plan/plan.ts'
import { withValues } from '../../src/plan/plan-query.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import type { Resource } from '../../src/resources/define.ts'
import { bid, project } from '../../src/resources/index.ts'
import { compilePage } from '../../src/store/compile/compile.ts'
import { compilePageOnce } from '../../src/store/compile/shape.ts'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import { render, type Sql } from '../../src/store/sql.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'

const ids = Array.from({ length: 3 }, () => Bun.randomUUIDv7())

/** Each with ids of its own, so that a value which is put into the wrong hole shows. */
const queries: readonly ((id: string) => string)[] = [
  () => '',
  (id) => `id=eq.${id}`,
  (id) => `id=not.eq.${id}`,
  (id) => `id=gte.${id}&bid_id=lt.${ids[0]}&project_name=neq.${id}`,
  () => 'limit=3',
  () => 'limit=4&offset=8',
  (id) => `select=id,name:project_name,bid(id,bid_name)&bid.id=eq.${id}&bid.bid_name=gt.x&project_name=gte.${id}`,
  (id) => `select=*,bid!inner(*)&bid.id=eq.${id}&order=bid(bid_name).desc,project_name.asc&limit=2`,
  (id) => `select=*,one:bid(id),two:bid(bid_name)&one.id=eq.${id}&two.id=eq.${ids[0]}`,
  (id) => `select=count(),bid_id&id=lte.${id}`,
  (id) => `select=id,...bid(bid_name)&id=eq.${id}`,
  // The SQL of these may depend on what is compared with.
  (id) => `id=in.(${id},${ids[0]})`,
  (id) => `or=(id.eq.${id},id.eq.${ids[0]})`,
  (id) => `project_name=like.*${id}*`,
  (id) => `project_name=eq(any).{${id},b}`,
  (id) => `select=*,bid()&bid=not.is.null&id=eq.${id}`,
]

for (const dialect of [sqliteDialect, postgresDialect]) {
  for (const query of queries) {
    test(`${dialect.name} has the same SQL and values of "${query('ID')}" by its shape`, () => {
      for (const id of ids) {
        for (const companyId of [Bun.randomUUIDv7(), Bun.randomUUIDv7()]) {
          const plan = readOf(query(id), companyId)
          expect(shown(compilePageOnce(plan, plan.range, dialect).statement)).toEqual(
            shown(compilePage(withValues(plan), dialect)),
          )
        }
      }
    })
  }

  const shown = (statement: Sql) => ({
    text: render(statement, dialect.placeholder),
    texts: statement.texts,
    values: statement.values,
  })
}

test('a shape is not that of another which reads alike', () => {
  const pairs = [
    ['select=id&order=project_name', 'select=id,project_name'],
    ['limit=1&offset=2', 'limit=2&offset=1'],
    ['select=a:id', 'select=id'],
    ['select=id::text', 'select=id'],
    ['id=eq.', 'id=neq.'],
  ].map((pair) => pair.map((query) => readOf(query.replace(/q\.$/, `q.${ids[0]}`), ids[1] ?? '')))
  for (const [one, other] of pairs) {
    if (!one || !other) throw new Error('A pair has two.')
    for (const plan of [one, other]) {
      expect(compilePageOnce(plan, plan.range, sqliteDialect).statement.texts).toEqual(
        compilePage(plan, sqliteDialect).texts,
      )
    }
  }
  for (const resource of [bid, project]) {
    const plan = readOf('select=id', ids[1] ?? '', resource)
    expect(compilePageOnce(plan, plan.range, sqliteDialect).statement.texts).toEqual(
      compilePage(plan, sqliteDialect).texts,
    )
  }
})

test('plans that differ in their values alone are of one shape, which holds none of them', () => {
  for (const query of [
    '',
    'id=eq.ID',
    'select=*,bid(id)&bid.id=neq.ID&bid_id=lt.ID&limit=2',
    'select=id,...bid(bid_name)',
  ]) {
    const [one, other, foreign] = [
      readOf(query.replaceAll('ID', ids[0] ?? ''), ids[1] ?? ''),
      readOf(query.replaceAll('ID', ids[2] ?? ''), ids[1] ?? ''),
      readOf(query.replaceAll('ID', ids[2] ?? ''), ids[0] ?? ''),
    ]
    expect(other?.shape?.rows).toBe(one?.shape?.rows)
    expect(foreign?.shape?.rows).toBe(one?.shape?.rows)
    for (const id of ids) expect(JSON.stringify(one?.shape?.rows)).not.toContain(id)
  }
})

test('a value that the SQL may depend on is in no shape', () => {
  for (const query of [`id=in.(${ids[0]})`, `or=(id.eq.${ids[0]})`, 'project_name=like.a*', 'bid_id=not.is.null'])
    expect(readOf(query, ids[1] ?? '').shape).toBeNull()
})

function readOf(query: string, companyId: string, resource: Resource = project): ReadPlan {
  const request = parseRequest('GET', query, new Headers())
  const payload = { text: '', single: false, rows: [] }
  const plan = makePlan({ request, payload, resource, companyId, rowsMax: null })
  if (plan.kind !== 'read') throw new Error('A GET is a read.')
  return plan
}
