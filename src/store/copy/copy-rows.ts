import type { ColumnType } from '../../types/column-type.ts'
import { columnTypes } from '../../types/index.ts'
import { tableOfAllCompanies } from '../compile/company-rows.ts'
import type { Row, Rows } from '../database.ts'
import { arrayText } from '../postgres/postgres-compare.ts'
import { around, empty, identifier, integer, join, keyword, Sql, sql } from '../sql.ts'
import type { EngineName, Table, TableColumn } from './catalogue.ts'

const allTypes: readonly ColumnType[] = Object.values(columnTypes)

/** Rows of a table in the order of the primary key: every value as text that both engines spell alike. */
export function selectRows({ name, columns, key }: Table, engine: EngineName, side: Side | null = null): Sql {
  const values = columns.map((column) => sql`${spelled(column, engine)} as ${identifier(column.name)}`)
  const where = side
    ? sql` where (${keyOf(key, engine)}) ${sides[side.of]} (${keyValues(key, engine, side.row)})`
    : empty
  return sql`select ${join(values, ', ')} from ${tableOfAllCompanies(name)} as t${where} order by ${keyOf(key, engine)}`
}

/** The rows up to one, by its key, or those behind it. */
interface Side {
  readonly of: 'up to' | 'behind'
  readonly row: Row
}

const sides = { 'up to': keyword('<='), behind: keyword('>') } as const

export function selectLastKey({ name, key }: Table, engine: EngineName): Sql {
  const values = key.map((column) => spelled(column, engine))
  const backwards = key.map((column) => sql`${ordered(column, engine)} desc`)
  return sql`select ${join(values, ', ')} from ${tableOfAllCompanies(name)} as t order by ${join(backwards, ', ')} limit 1`
}

export const selectCount = ({ name }: Table): Sql =>
  sql`select cast(count(*) as text) from ${tableOfAllCompanies(name)}`

/** The bytes of the largest row, but for what is small by its type. */
export function selectHeaviest({ name, columns }: Table): Sql {
  const texts = columns.filter(({ type }) => type === 'text')
  const weights = texts.map((column) => sql`coalesce(octet_length(${identifier(column.name)}), 0)`)
  return sql`select cast(max(${join([integer(100), ...weights], ' + ')}) as text) from ${tableOfAllCompanies(name)}`
}

export function insertRows({ name, columns }: Table, engine: EngineName, rows: Rows): Sql {
  const names = columns.map((column) => identifier(column.name))
  return sql`insert into ${tableOfAllCompanies(name)} (${join(names, ', ')}) ${sources[engine](columns, rows)}`
}

/** How each type of a column is spelled as text. `integer` is for tables of our own. */
const spellings: Record<EngineName, Readonly<Record<string, string>>> = {
  sqlite: Object.fromEntries(allTypes.map(({ sqlite }) => [sqlite.column, sqlite.toText])),
  postgres: {
    integer: '$::text',
    ...Object.fromEntries(allTypes.map(({ name, postgres }) => [name, postgres.toText])),
  },
}

function spelled({ name, type }: TableColumn, engine: EngineName): Sql {
  const spelling = spellings[engine][type]
  if (!spelling) throw new Error(`A column of the type ${type} (${name}) cannot be copied.`)
  return around(spelling, identifier('t', name))
}

const keyOf = (key: readonly TableColumn[], engine: EngineName): Sql =>
  join(
    key.map((column) => ordered(column, engine)),
    ', ',
  )

/** Text by bytes on both engines, whatever the language of the database is. */
const ordered = ({ name, type }: TableColumn, engine: EngineName): Sql =>
  engine === 'postgres' && type === 'text' ? sql`t.${identifier(name)} collate "C"` : identifier('t', name)

function keyValues(key: readonly TableColumn[], engine: EngineName, row: Row): Sql {
  const values = key.map(({ type }, at) => {
    const value = row[at] ?? null
    return engine === 'postgres' ? sql`${value}::text::${typeName(type)}` : sql`${value}`
  })
  return join(values, ', ')
}

const sources: Record<EngineName, (columns: readonly TableColumn[], rows: Rows) => Sql> = {
  sqlite: (columns, rows) => {
    const values = columns.map((_, at) => sql`value ->> ${integer(at)}`)
    return sql`select ${join(values, ', ')} from json_each(${JSON.stringify(rows)})`
  },
  // Twice as fast as JSON.
  postgres: (columns, rows) => {
    const lists = columns.map(({ type }, at) => {
      const element = type in readOneByOne ? 'text' : type
      return sql`${arrayText(rows.map((row) => textAt(row, at)))}::text::${typeName(element)}[]`
    })
    const names = columns.map(({ name }) => identifier(name))
    const values = columns.map(({ name, type }) => around(readOneByOne[type] ?? '$', identifier(name)))
    return sql`select ${join(values, ', ')} from unnest(${join(lists, ', ')}) as given (${join(names, ', ')})`
  },
}

/** Types of which PostgreSQL cannot read many values from one text. */
const readOneByOne: Readonly<Record<string, string>> = Object.fromEntries(
  allTypes.filter(({ postgres }) => postgres.listOf === null).map(({ name, postgres }) => [name, postgres.fromText]),
)

/** A name from the engine's own catalogue, such as `timestamp with time zone`. */
const typeName = (type: string): Sql => new Sql([type], [])

const textAt = (row: Row, at: number): string | null => (row[at] === null ? null : String(row[at]))
