import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { contains } from '../../src/store/compile/contains.ts'
import { render, sql, type Value } from '../../src/store/sql.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { growsInLine } from '../support/growth.ts'

/** Whether a value has a text in it. */
const hasText = (value: string, text: string): boolean => {
  const statement = sql`select ${contains(sqliteDialect, sql`${value}`, text)}`
  const [[found] = []] = db.query<Value, Value[]>(render(statement, () => '?')).values(...statement.values)
  return found === 1
}

const db = new Database(':memory:')

test('a text is found in a value, in any case', () => {
  expect([hasText('Steel deck', 'L DE'), hasText('Steel deck', 'l_de'), hasText('Steel deck', 'l  de')]).toEqual([
    ...[true, false, false],
  ])
})

test('a long text that is almost there is soon known not to be there', () => {
  const search = (length: number) => () => void hasText('a'.repeat(length), `${'a'.repeat(length / 4)}b`)
  expect(growsInLine(search(10_000), search(40_000))).toBe(true)
})
