import { describe, expect, test } from 'bun:test'
import { insertSeveralRows, insertsOneRow } from '../../src/store/several-rows.ts'
import { fill, keyword, parameter, prepare, type Sql, sql } from '../../src/store/sql.ts'

const numbered = (position: number) => `$${position}`
const prepared = (statement: Sql): Sql => prepare(statement, numbered) as Sql
const columns = keyword('("company_id", "id", "made")')

/** Rows of one shape, as statements that were compiled once are. */
const piece = prepare(
  sql`insert into "bid" ${columns} values (${parameter(0)}, ${parameter(1)}::text::uuid, f('a)', now()))`,
  numbered,
)
const row = (id: string): Sql => fill(piece, ['mine', id])

describe('an insert of one row', () => {
  test.each<readonly [string, Sql]>([
    ['values alone', sql`insert into "bid" ${columns} values (${'mine'}, ${'x'})`],
    ['calls and quoted parentheses', row('x')],
    ['two lines', sql`insert into "bid" ${columns}\n values (${'mine'}, ${'x'})`],
  ])('is %s', (_, statement) => expect(insertsOneRow(prepared(statement))).toBe(true))

  test.each<readonly [string, Sql]>([
    ['a read', sql`select 1 from "bid" where id = ${'x'}`],
    ['several rows', sql`insert into "bid" ${columns} values (${'mine'}, ${'x'}), (${'mine'}, ${'y'})`],
    ['rows of a query', sql`insert into "bid" ${columns} select ${'mine'}, f(${'x'})`],
    ['one that answers', sql`insert into "bid" ${columns} values (${'mine'}) returning f("id")`],
    ['an upsert', sql`insert into "bid" ${columns} values (${'mine'}) on conflict (id) do update set id = f(id)`],
    ['one without values', sql`insert into "bid" ${columns} values (now())`],
    ['one within another', sql`with w as (insert into "bid" ${columns} values (${'mine'})) select 1`],
  ])('is not %s', (_, statement) => expect(insertsOneRow(prepared(statement))).toBe(false))

  test('is not one that was never prepared, because no other has its shape', () => {
    expect(insertsOneRow(sql`insert into "bid" ${columns} values (${'mine'}, ${'x'})`)).toBe(false)
  })
})

describe('several of them as one', () => {
  test('keep their values, in their order', () => {
    const { text, values } = insertSeveralRows(['x', 'y', 'z'].map(row), numbered)
    expect(text).toBe(
      `insert into "bid" ("company_id", "id", "made") values ($1, $2::text::uuid, f('a)', now())), ` +
        `($3, $4::text::uuid, f('a)', now())), ($5, $6::text::uuid, f('a)', now()))`,
    )
    expect(values).toEqual(['mine', 'x', 'mine', 'y', 'mine', 'z'])
  })

  test('share their shape with as many others', () => {
    const [one, other] = [['x', 'y'].map(row), ['v', 'w'].map(row)].map((rows) => insertSeveralRows(rows, numbered))
    expect(one?.texts).toBe(other?.texts as readonly string[])
  })

  test('cannot differ', () => {
    const other = sql`insert into "project" ${columns} values (${'mine'}, ${'x'})`
    expect(() => insertSeveralRows([row('x'), other], numbered)).toThrow('differ in shape')
  })
})
