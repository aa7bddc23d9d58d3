import { describe, expect, test } from 'bun:test'
import { companyTables } from '../../src/store/cluster/layout.ts'
import {
  companyRows,
  copyCompanyRows,
  insertCompanyRow,
  joinedCompanyRows,
  tableOfAllCompanies,
  updateCompanyRows,
} from '../../src/store/compile/company-rows.ts'
import { BeyondCompany, requireCompany } from '../../src/store/compile/one-company.ts'
import { keyword, Sql, sql } from '../../src/store/sql.ts'

const mine = '01890a5d-ac96-774b-bcce-b302099a8057'
const theirs = '01890a5d-ac96-774b-bcce-b302099a8058'
const columns = keyword('("company_id", "id", "bid_name")')

const sound: Readonly<Record<string, Sql>> = {
  'a list': sql`select 1 from "project" as "project" where "project"."company_id" = ${mine} and "project"."id" = ${'x'}`,
  'an embed': sql`select (select 1 from "bid" as "bid_1" where "bid_1"."company_id" = ${mine}) from "project" as "project" where "project"."company_id" = ${mine}`,
  'a change': sql`update "bid" set "bid_name" = ${'x'} where "bid"."company_id" = ${mine} and "bid"."id" = ${'x'} returning 1`,
  'a removal': sql`delete from "bid" where "bid"."company_id" = ${mine}`,
  'a new row': sql`insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'})`,
  'a new row on two lines': sql`insert into "bid" ${columns}
    values (${mine}, ${'x'}, ${'y'})`,
  'new rows': sql`insert into "bid" ${columns} select ${mine}, value from json_each(${'[]'})`,
  'new rows of values': sql`insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'}), (${mine}, ${'x'}, ${'y'})`,
  'a new row for Citus': sql`with written as (insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'}) returning "bid"."id") select 1 from written as "bid"`,
  'a change for Citus': sql`with written as (update "bid" set "bid_name" = ${'x'} where "bid"."company_id" = ${mine} returning "bid"."id") select 1 from written as "bid"`,
  'rows that are copied': sql`insert into "bid" ${columns} select "b"."company_id", "b"."id", "b"."bid_name" from "bid" as "b" where "b"."company_id" = ${mine} and "b"."id" = ${'x'}`,
  'a table that is no company’s': sql`select 1 from migration`,
  'a join': sql`select 1 from person p join "member" as "m" on "m"."company_id" = ${mine} and m.person_id = p.id`,
  'a removal of records': sql`delete from "idempotency" where "idempotency"."company_id" = ${mine} and key in (select key from "idempotency" where "idempotency"."company_id" = ${mine})`,
}

const unsound: Readonly<Record<string, Sql>> = {
  'a list of everybody’s': sql`select 1 from "project" as "project" where "project"."id" = ${mine}`,
  'a list with no condition': sql`select 1 from "project" as "project"`,
  'a list of another’s': sql`select 1 from "project" as "project" where "project"."company_id" = ${theirs}`,
  'a condition that holds nothing': sql`select 1 from "bid" as "bid" where "bid"."company_id" = ${mine} or ${mine} = ${mine}`,
  'the company of another table': sql`select 1 from "bid" as "bid" where "project"."company_id" = ${mine}`,
  'an embed of everybody’s': sql`select (select 1 from "bid" as "bid_1" where "bid_1"."id" = ${'x'}) from "project" as "project" where "project"."company_id" = ${mine}`,
  'an embed of another’s': sql`select (select 1 from "bid" as "bid_1" where "bid_1"."company_id" = ${theirs}) from "project" as "project" where "project"."company_id" = ${mine}`,
  'a list of another’s behind another table': sql`select 1 from person p, "bid" as "b" where "b"."company_id" = ${theirs}`,
  'a change of everybody’s': sql`update "bid" set "bid_name" = ${'x'} where "bid"."id" = ${'x'}`,
  'a change into another’s': sql`update "bid" set "company_id" = ${mine} where "bid"."company_id" = ${theirs}`,
  'a removal of everybody’s': sql`delete from "bid" where "bid"."id" = ${mine}`,
  'a new row of another’s': sql`insert into "bid" ${columns} values (${theirs}, ${'x'}, ${'y'})`,
  'a second new row of another’s': sql`insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'}), (${theirs}, ${'x'}, ${'y'})`,
  'a second new row that starts with something else': sql`insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'}), (null, ${mine}, ${'y'})`,
  'a change of everybody’s for Citus': sql`with written as (update "bid" set "bid_name" = ${'x'} where "bid"."id" = ${mine} returning "bid"."id") select 1 from written as "bid"`,
  'a join of everybody’s': sql`select 1 from person p join "member" as "m" on "m"."person_id" = p.id where p.id = ${mine}`,
  'a join of another’s': sql`select 1 from person p join "member" as "m" on "m"."company_id" = ${theirs}`,
  'a report whose condition holds nothing': sql`select hour from "credential_usage" where "credential_usage"."company_id" = ${mine} or true`,
  'a removal of everybody’s records': sql`delete from "idempotency" where key in (select key from "idempotency" where "idempotency"."company_id" = ${mine})`,
  'copied rows of everybody’s': sql`insert into "bid" ${columns} select "b"."company_id", "b"."id" from "bid" as "b" where "b"."id" = ${mine}`,
  'copied rows of another’s': sql`insert into "bid" ${columns} select "b"."company_id", "b"."id" from "bid" as "b" where "b"."company_id" = ${theirs}`,
  'copied rows that get another company': sql`insert into "bid" ${columns} select "b"."id", "b"."company_id" from "bid" as "b" where "b"."company_id" = ${mine}`,
  'copied rows that get the company of another table': sql`insert into "bid" ${columns} select "p"."company_id", "b"."id" from person p, "bid" as "b" where "b"."company_id" = ${mine}`,
  'copied rows of another’s behind another table': sql`insert into "bid" ${columns} select "b"."company_id", "b"."id" from person p, "bid" as "b" where "b"."company_id" = ${theirs}`,
  'copied rows whose company an inner query names': sql`insert into "bid" ${columns} select "b"."company_id", "b"."id" from person as "b" where exists (select 1 from "bid" as "b" where "b"."company_id" = ${mine})`,
  'a new row with the company elsewhere': sql`insert into "bid" ("id", "company_id") values (${mine}, ${mine})`,
}

describe('the wall before the engine', () => {
  test('takes no name of a field for a table', () => {
    const statement = sql`select json_object('x from "bid"', "bid"."id") from "bid" as "bid" where "bid"."company_id" = ${mine}`
    expect(requireCompany(statement, mine)).toBe(statement)
  })

  for (const [name, statement] of Object.entries(sound)) {
    test(`lets ${name} through`, () => expect(requireCompany(statement, mine)).toBe(statement))
  }
  for (const [name, statement] of Object.entries(unsound)) {
    test(`stops ${name}`, () => expect(() => requireCompany(statement, mine)).toThrow(BeyondCompany))
  }

  describe.each([...companyTables])('for the table %s', (table) => {
    const changes = sql`id = ${'x'}`
    const made = (companyId: string): Sql[] => [
      sql`select 1 from ${companyRows(table, { companyId })} and id = ${'x'}`,
      sql`select 1 from ${companyRows(table, { companyId }, 't')} and t.id = ${'x'}`,
      sql`select 1 from person p join ${joinedCompanyRows(table, { companyId }, 't')} and t.id = p.id`,
      sql`delete from ${companyRows(table, { companyId })}`,
      sql`${updateCompanyRows(table, { companyId }, changes)} and id = ${'x'}`,
      insertCompanyRow(table, { companyId }, { id: 'x' }),
      copyCompanyRows(table, { id: sql`${'x'}` }, { table, alias: 't' }, { companyId }),
    ]
    test('lets through what names the company', () => {
      for (const statement of made(mine)) expect(requireCompany(statement, mine)).toBe(statement)
    })

    const written = new Sql([table], [])
    const all = tableOfAllCompanies(table)
    const beyond: readonly Sql[] = [
      ...made(theirs),
      sql`select 1 from ${all}`,
      sql`select 1 from ${all} t where t.id = ${mine}`,
      sql`select 1 from person p join ${all} on true`,
      sql`delete from ${all} where id = ${mine}`,
      sql`update ${all} set id = ${mine}`,
      sql`insert into ${all} (id, company_id) values (${mine}, ${mine})`,
      sql`select 1 from ${written} where company_id = ${mine}`,
      sql`select 1 FROM ${written} t WHERE t.id = ${mine}`,
      sql`select 1 from person p, ${written} t where t.id = ${mine}`,
      sql`delete from only ${written}`,
      sql`update ${written} set id = ${mine} where company_id = ${mine}`,
      sql`insert into ${written} (company_id, id) values (${mine}, ${'x'})`,
    ]
    test('stops what names another, or none, or is put together elsewhere', () => {
      for (const statement of beyond) expect(() => requireCompany(statement, mine)).toThrow(BeyondCompany)
    })
  })

  test('asks anew whose statement of a known shape it is', () => {
    const list = sound['a list']
    if (!list) throw new Error('There is no list')
    expect(requireCompany(list, mine)).toBe(list)
    expect(() => requireCompany(list, theirs)).toThrow(BeyondCompany)
  })
})
