import { Database as SqliteEngine } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { definedSql, render, sql } from '../../src/store/sql.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { defineFunctions } from '../../src/store/sqlite/sqlite-functions.ts'
import { castTypes } from '../../src/types/cast-types.ts'
import { aggregated } from '../support/aggregated.ts'

const engine = new SqliteEngine(':memory:')
defineFunctions(engine)
afterAll(() => engine.close())

const listed = (...values: readonly (string | null)[]): string =>
  values.map((value) => `select ${value === null ? 'null' : `'${value}'`} as value`).join(' union all ')

test.each([
  [listed('1.5', '-2.25', '10'), ['9.25', '3.0833333333333333', '10', '-2.25']],
  // Of equal ones the last, with the digits that it has.
  [listed('2.5', '2.50', '2.500'), ['7.500', '2.5000000000000000', '2.500', '2.500']],
  [listed(null, '0.10', null), ['0.10', '0.10000000000000000000', '0.10', '0.10']],
  [listed(null, null), [null, null, null, null]],
  ['select null as value where false', [null, null, null, null]],
])('numerics are put together: %s', (values, expected) => {
  expect((['sum', 'avg', 'max', 'min'] as const).map((name) => aggregated(engine, name, values))).toEqual(expected)
})

test('numerics of many groups are put together, each group by itself', () => {
  const all = sqliteDialect.aggregate(definedSql('value'), 'sum', castTypes.numeric.aggregates.sum)
  const values =
    "with recursive n(i) as (select 0 union all select i + 1 from n where i < 8) select i % 3 as part, i || '.5' as value from n"
  const statement = sql`select part, ${all} as found from (${definedSql(values)}) group by part order by part`
  expect(engine.query(render(statement, sqliteDialect.placeholder)).values()).toEqual([
    [0, '10.5'],
    [1, '13.5'],
    [2, '16.5'],
  ])
})

test.each(['sum', 'avg', 'max', 'min'])('the %s of many numerics takes no memory for each of them', (name) => {
  // In a process of its own: in a large one, the runtime puts off to collect what is no longer used.
  const { stdout, stderr } = Bun.spawnSync([process.execPath, `${import.meta.dir}/numeric-memory.ts`, name])
  expect(stderr.toString()).toBe('')
  const { valueBytes, grownBytes } = JSON.parse(stdout.toString())
  expect(grownBytes).toBeLessThan(valueBytes)
})
