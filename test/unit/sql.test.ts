import { describe, expect, test } from 'bun:test'
import type { Resource } from '../../src/resources/define.ts'
import { bid } from '../../src/resources/index.ts'
import { identifier, join, keyword, render, sql, textLiteral } from '../../src/store/sql.ts'

const numbered = (position: number) => `$${position}`
const hostile = `x"; drop table project; --'`

describe('sql', () => {
  test('binds what is put into it, and never makes it text', () => {
    const statement = sql`select * from project where id = ${hostile} and bid_id = ${null}`
    expect(render(statement, numbered)).toBe('select * from project where id = $1 and bid_id = $2')
    expect(statement.values).toEqual([hostile, null])
  })

  test('numbers parameters through nested pieces', () => {
    const inner = sql`a = ${1} or b = ${2}`
    const statement = sql`select ${0} where (${inner}) and ${join([sql`c = ${3}`, sql`d`, sql`e = ${4}`], ', ')} limit ${5}`
    expect(render(statement, numbered)).toBe('select $1 where (a = $2 or b = $3) and c = $4, d, e = $5 limit $6')
    expect(statement.values).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('quotes any name and any constant', () => {
    expect(render(identifier('person', hostile), numbered)).toBe(`"person"."x""; drop table project; --'"`)
    expect(render(textLiteral(hostile), numbered)).toBe(`'x"; drop table project; --'''`)
  })

  test('names no table of companies', () => {
    const known: Resource = bid
    // @ts-expect-error the rows of all companies: this line must not compile
    expect(render(identifier('credential'), numbered)).toBe('"credential"')
    // @ts-expect-error nor this one, by the name of a resource
    expect(render(identifier(known.name, 'id'), numbered)).toBe('"bid"."id"')
  })

  test('takes no text that was not written in the source', () => {
    const text: string = hostile
    // @ts-expect-error a plain string is no SQL: this line must not compile
    keyword(text)
    expect(render(keyword('select 1'), numbered)).toBe('select 1')
  })
})
