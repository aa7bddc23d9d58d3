import { expect, test } from 'bun:test'
import { withConstantCompany } from '../../src/store/compile/one-company.ts'
import { citusDialect } from '../../src/store/postgres/citus-dialect.ts'
import { render, sql, withConstants } from '../../src/store/sql.ts'

const mine = '01890a5d-ac96-774b-bcce-b302099a8057'
const { placeholder } = citusDialect

test('puts ids into the text, and numbers the other values anew', () => {
  const statement = sql`select 1 from "bid" where "bid"."company_id" = ${mine} and id = ${'x'} and owner = ${mine} limit ${3}`
  const made = withConstants(statement, [0], placeholder)
  expect(made.values).toEqual(['x', mine, 3])
  expect(render(made, placeholder)).toBe(
    `select 1 from "bid" where "bid"."company_id" = '${mine}' and id = $1 and owner = $2 limit $3`,
  )
})

test('puts nothing but ids into the text', () => {
  for (const value of [`${mine}' or ''='`, "'", '', null, 1, mine.toUpperCase()])
    expect(() => withConstants(sql`select ${value}`, [0], placeholder)).toThrow('Only an id')
})

test('names a company as a constant wherever a statement names its company', () => {
  const statement = sql`select (select 1 from "bid" as "bid_1" where "bid_1"."company_id" = ${mine})
    from "project" as "project" where "project"."company_id" = ${mine} and "project"."id" = ${mine}`
  const { texts, values } = withConstantCompany(statement, citusDialect)
  expect(texts.join('?')).toBe(`select (select 1 from "bid" as "bid_1" where "bid_1"."company_id" = '${mine}')
    from "project" as "project" where "project"."company_id" = '${mine}' and "project"."id" = ?`)
  expect(values).toEqual([mine])
})
