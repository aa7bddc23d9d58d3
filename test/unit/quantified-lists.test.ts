import { Database as SqliteEngine } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { ReadPlan } from '../../src/plan/plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { findResource } from '../../src/resources/index.ts'
import { preparePage } from '../../src/store/compile/prepare.ts'
import { workMax } from '../../src/store/limits.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { defineFunctions } from '../../src/store/sqlite/sqlite-functions.ts'

const companyId = '01890a5d-ac96-774b-bcce-b302099a8057'
const engine = new SqliteEngine(':memory:')
defineFunctions(engine)
engine.run('create table project (company_id, id, bid_id, project_name, created_at, updated_at)')
afterAll(() => engine.close())

/** A list is compared with by the values of it that decide, so that the work for a row does not grow with the list. */
test.each([
  ['lt(any).{a,c,b}', ['c']],
  ['lte(any).{c,a}', ['c']],
  ['gt(any).{b,a,c}', ['a']],
  ['gte(all).{a,c,b}', ['c']],
  ['lt(all).{b,a}', ['a']],
  ['eq(all).{a,a,a}', ['a']],
  ['eq(all).{a,b,a,c}', ['a', 'b']],
  ['lt(any).{}', []],
  ['eq(any).{a,b,a}', ['a', 'b', 'a']],
  ['like(any).{a*,b*}', ['a*', 'b*']],
  ['in.(b,a)', ['b', 'a']],
])('project_name=%s is compared with %j', (filter, expected) => {
  expect(planOf(`project_name=${filter}`).values[1]).toEqual(expected)
})

test.each(['lt(any)', 'gt(all)', 'eq(all)', 'like(any)', 'match(all)'])(
  'SQLite reads the list of %s once, and not for each row',
  (operator) => {
    const plan = planOf(`project_name=${operator}.{a,b}`)
    const { statement } = preparePage(
      plan,
      { limit: 20, offset: 0 },
      { dialect: sqliteDialect, workMax: () => workMax },
    )
    const steps = engine.query(`explain query plan ${statement.text}`).all() as {
      id: number
      parent: number
      detail: string
    }[]
    const scan = steps.find(({ detail }) => detail.includes('json_each'))
    expect(steps.find(({ id }) => id === scan?.parent)?.detail).toBe('MATERIALIZE each_one')
  },
)

function planOf(queryText: string): ReadPlan {
  const request = parseRequest('GET', queryText, new Headers())
  const payload = { text: '', single: false, rows: [] }
  const plan = makePlan({ request, payload, resource: findResource('project'), companyId, actor: null, rowsMax: null })
  if (plan.kind !== 'read') throw new Error('A read was expected')
  return plan
}
