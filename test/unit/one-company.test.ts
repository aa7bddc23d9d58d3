import { describe, expect, test } from 'bun:test'
import { BeyondCompany, requireCompany } from '../../src/store/compile/one-company.ts'
import { keyword, type Sql, sql } from '../../src/store/sql.ts'

const mine = '01890a5d-ac96-774b-bcce-b302099a8057'
const theirs = '01890a5d-ac96-774b-bcce-b302099a8058'
const columns = keyword('("company_id", "id", "bid_name")')

const sound: Readonly<Record<string, Sql>> = {
  'a list': sql`select 1 from "project" as "project" where "project"."company_id" = ${mine} and "project"."id" = ${'x'}`,
  'an embed': sql`select (select 1 from "bid" as "bid_1" where "bid_1"."company_id" = ${mine}) from "project" as "project" where "project"."company_id" = ${mine}`,
  'a change': sql`update "bid" set "bid_name" = ${'x'} where "bid"."company_id" = ${mine} and "bid"."id" = ${'x'} returning 1`,
  'a removal': sql`delete from "bid" where "bid"."company_id" = ${mine}`,
  'a new row': sql`insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'})`,
  'new rows': sql`insert into "bid" ${columns} select ${mine}, value from json_each(${'[]'})`,
  'a new row for Citus': sql`with written as (insert into "bid" ${columns} values (${mine}, ${'x'}, ${'y'}) returning "bid"."id") select 1 from written as "bid"`,
  'a change for Citus': sql`with written as (update "bid" set "bid_name" = ${'x'} where "bid"."company_id" = ${mine} returning "bid"."id") select 1 from written as "bid"`,
  'a table that is no company’s': sql`select 1 from migration`,
  'a report': sql`select u.hour from credential_usage u join credential c on c.id = u.credential_id where u.company_id = ${mine}`,
  'a record': sql`insert into idempotency (company_id, key) values (${mine}, ${'x'})`,
  'a removal of records': sql`delete from idempotency where company_id = ${mine} and key in (select key from idempotency where company_id = ${mine})`,
}

const unsound: Readonly<Record<string, Sql>> = {
  'a list of everybody’s': sql`select 1 from "project" as "project" where "project"."id" = ${mine}`,
  'a list with no condition': sql`select 1 from "project" as "project"`,
  'a list of another’s': sql`select 1 from "project" as "project" where "project"."company_id" = ${theirs}`,
  'a condition that holds nothing': sql`select 1 from "bid" as "bid" where "bid"."company_id" = ${mine} or ${mine} = ${mine}`,
  'the company of another table': sql`select 1 from "bid" as "bid" where "project"."company_id" = ${mine}`,
  'an embed of everybody’s': sql`select (select 1 from "bid" as "bid_1" where "bid_1"."id" = ${'x'}) from "project" as "project" where "project"."company_id" = ${mine}`,
  'an embed of another’s': sql`select (select 1 from "bid" as "bid_1" where "bid_1"."company_id" = ${theirs}) from "project" as "project" where "project"."company_id" = ${mine}`,
  'a change of everybody’s': sql`update "bid" set "bid_name" = ${'x'} where "bid"."id" = ${'x'}`,
  'a change into another’s': sql`update "bid" set "company_id" = ${mine} where "bid"."company_id" = ${theirs}`,
  'a removal of everybody’s': sql`delete from "bid" where "bid"."id" = ${mine}`,
  'a new row of another’s': sql`insert into "bid" ${columns} values (${theirs}, ${'x'}, ${'y'})`,
  'a change of everybody’s for Citus': sql`with written as (update "bid" set "bid_name" = ${'x'} where "bid"."id" = ${mine} returning "bid"."id") select 1 from written as "bid"`,
  'a report on everybody’s': sql`select hour from credential_usage where credential_id = ${mine}`,
  'a report on another’s': sql`select hour from credential_usage where company_id = ${theirs}`,
  'a report whose condition holds nothing': sql`select hour from credential_usage where company_id = ${mine} or true`,
  'a record of another’s': sql`insert into idempotency (company_id, key) values (${theirs}, ${'x'})`,
  'a removal of everybody’s records': sql`delete from idempotency where key in (select key from idempotency where company_id = ${mine})`,
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

  test('asks anew whose statement of a known shape it is', () => {
    const list = sound['a list']
    if (!list) throw new Error('There is no list')
    expect(requireCompany(list, mine)).toBe(list)
    expect(() => requireCompany(list, theirs)).toThrow(BeyondCompany)
  })
})
