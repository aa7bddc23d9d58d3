import type { ComparingOperator } from '../../plan/plan.ts'
import { typeOf } from '../../resources/define.ts'
import type { SearchLanguage } from '../../resources/text/languages.ts'
import { asItIs, inQuotes } from '../../types/column-type.ts'
import { equalsAny, type ListOperator } from '../../types/operators.ts'
import { companyRows, insertIntoCompany, ofRequest } from '../compile/company-rows.ts'
import { globOf } from '../compile/patterns.ts'
import { type Comparison, type Dialect, type Entry, rowSeparator } from '../dialect.ts'
import {
  around,
  aroundBoth,
  company,
  definedSql,
  empty,
  integer,
  join,
  keyword,
  listParameter,
  type Piece,
  parameter,
  sql,
  textLiteral,
} from '../sql.ts'
import type { TextMatch } from './sqlite-functions.ts'

function jsonObject(entries: readonly Entry[]): Piece {
  if (entries.some(({ members }) => members)) return joinedObject(entries)
  const members = entries.map((entry) => sql`${textLiteral(entry.key)}, ${jsonOf(entry, entry.value)}`)
  return sql`json_object(${join(members, ', ')})`
}

/** The same where some members are text already. */
function joinedObject(entries: readonly Entry[]): Piece {
  const pieces: Piece[] = []
  let text = '{'
  for (const [at, entry] of entries.entries()) {
    if (at > 0) text += ','
    const quote = isPlain(entry) ? '"' : ''
    if (!entry.members) text += `${JSON.stringify(entry.key)}:${quote}`
    pieces.push(
      textLiteral(text),
      entry.members || quote ? entry.value : sql`json_quote(${jsonOf(entry, entry.value)})`,
    )
    text = quote
  }
  if (entries.at(-1)?.members !== 'last') pieces.push(textLiteral(`${text}}`))
  return sql`concat(${join(pieces, ', ')})`
}

/** Whether it is a text that needs no escaping. */
const isPlain = ({ type, isNullable }: Entry): boolean =>
  !isNullable && type !== null && 'toJson' in type && type.toJson === inQuotes

const jsonOf = ({ isJson, type }: Entry, value: Piece): Piece =>
  isJson ? sql`json(${value})` : around(type?.sqlite.toJson ?? '$', value)

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: () => '?',
  rowText: jsonObject,
  // An engine process refuses a result that is too large by itself.
  page: (entries, source, { extra, bytesMax }) =>
    sql`select group_concat(${bounded(keyword('text'), bytesMax)}, ${textLiteral(rowSeparator)}), count(*), ${extra} from (select ${jsonObject(entries)} as text ${source})`,
  list: null,
  part: (entries, source, { value, descending }) =>
    sql`select group_concat(text, ${textLiteral(rowSeparator)}), count(*), ${descending ? keyword('min') : keyword('max')}(key) from (select ${jsonObject(entries)} as text, ${value} as key ${source})`,
  object: (entries, source) => sql`(select ${jsonObject(entries)} ${source})`,
  array: (entries, source, bytesMax) =>
    sql`(select json_group_array(json(${bounded(keyword('text'), bytesMax)})) from (select ${jsonObject(entries)} as text ${source}))`,
  valueArray: (entry, source, bytesMax) => {
    const one = jsonOf(entry, bounded(keyword('value'), bytesMax))
    return sql`(select json_group_array(${one}) from (select ${entry.value} as value ${source}))`
  },
  // No SQL needed: the engine process stops reading rows at the limit.
  within: (rows) => rows,
  stopsWithin: true,
  keyText: (value) => value,
  sortKey: (value, type) => around(type?.sqlite.sortKey ?? '$', value),
  storedJson: (text) => text,
  storedBytes: (value) => sql`octet_length(${value})`,
  refuse: (text) => sql`refuse(${text})`,
  asJson: (text) => text,
  textOf: (column, value) => around(typeOf(column).sqlite.toText, value),
  fieldValue: (column, fields) =>
    aroundBoth(typeOf(column).sqlite.fromFields ?? '$ ->> @', fields, textLiteral(column.name)),
  fieldText: (name, fields) => sql`${fields} -> ${textLiteral(name)}`,
  itemsOf: (list) => sql`(select value as item from json_each(case ${list} when 'null' then '[]' else ${list} end))`,
  // Columns and comparisons take the canonical text of a value as it is.
  valueOf: (_, text) => text,
  cast: (value, from, to) => around(from.sqlite.casts[to] ?? '$', value),
  castInZone: (value, from, to, zone) => {
    const template = from.sqlite.zonedCasts?.[to]
    return template === undefined ? null : aroundBoth(template, value, sql`${parameter(zone.param)}`)
  },
  aggregate: (value, name, rule) => around(rule?.sqlite ?? `${name}($)`, value),
  isWords: {
    null: keyword('null'),
    not_null: keyword('not null'),
    true: keyword('1'),
    false: keyword('0'),
    unknown: keyword('null'),
  },
  compare,
  // Literals: with parameters here, SQLite would prepare the statement again each time it runs.
  limit: ({ limit, offset }) => {
    if (limit === null) return offset === 0 ? empty : sql` limit -1 offset ${integer(offset)}`
    return offset === 0 ? sql` limit ${integer(limit)}` : sql` limit ${integer(limit)} offset ${integer(offset)}`
  },
  // No row locks: SQLite has one writer at a time.
  waitBriefly: [],
  computesInWrites: true,
  // Writes share their commits, and take no longer alone.
  gathersRows: false,
  position: keyword('instr'),
  forUpdate: empty,
  showing: (write, { shown }) => sql`${write} returning ${shown}`,
  counting: (write) => [write, keyword('select changes()')],
  chosen: {
    remember: (keys) => [
      keyword('create temp table if not exists chosen (key text primary key) without rowid'),
      keyword('delete from temp.chosen'),
      sql`insert into temp.chosen ${keys}`,
    ],
    includes: (key) => sql`${key} in (select key from temp.chosen)`,
    table: keyword('temp.chosen'),
    key: keyword('chosen.key'),
  },
  rows: (columns, rows, added) => {
    const values: Piece[] = columns.map((_, at) => sql`value ->> ${integer(at)}`)
    if (added) values.push(added)
    // Without the where, SQLite would take a following "on conflict" for the condition of a join.
    return [sql`select ${company}, ${join(values, ', ')} from json_each(${JSON.stringify(rows)}) where true`]
  },
  newEvents: {
    table: 'event',
    added: 'sequence',
    value: (count, at) =>
      sql`(select last_sequence from ${companyRows('event_counter', ofRequest)}) - ${integer(count - 1)} + ${at}`,
    before: (count) => [countOn(integer(count))],
    alone: 'gathered',
    number: null,
  },
}

/** The number of the company's last event, with so many more. */
export const countOn = (count: Piece): Piece =>
  sql`${insertIntoCompany('event_counter', ['last_sequence'])} values (${company}, ${count})
      on conflict (company_id) do update set last_sequence = event_counter.last_sequence + excluded.last_sequence`

/** An embedded value. Our function `embedded` counts its bytes, and fails above the limit. */
const bounded = (value: Piece, bytesMax: number | null): Piece =>
  bytesMax === null ? value : sql`iif(embedded(length(${value})), ${value}, null)`

function compare({ column, value, operator, quantifier, language, operand }: Comparison): Piece {
  // The first part is for the compiler alone.
  if (operator === 'in' || equalsAny(operator, quantifier))
    return sql`${value} in (select value from json_each(${listParameter(operand.param, jsonArray)}))`
  const spell = operator === 'like' || operator === 'ilike' ? (text: string) => globOf(operator, text) : asItIs
  const compareOne = comparisons[operator]
  if (quantifier === null) return compareOne(value, sql`${parameter(operand.param, spell)}`, language)
  const texts = listParameter(operand.param, (all) => jsonArray(all.map(spell)))
  const list = sql`with each_one as materialized (select value from json_each(${texts})) select 1 from each_one`
  const one = compareOne(value, keyword('each_one.value'), language)
  const found = quantifier === 'any' ? sql`exists (${list} where ${one})` : sql`not exists (${list} where not (${one}))`
  // A null compared with any or all of a list is null, as in PostgreSQL.
  return column.nullable && operand.count > 0 ? sql`case when ${value} is not null then ${found} end` : found
}

const jsonArray = (texts: readonly string[]): string => JSON.stringify(texts)

/** The operators that `compare` does not handle itself. */
type PlainOperator = Exclude<ComparingOperator, 'in'>

type Compare = (value: Piece, operand: Piece, language: SearchLanguage) => Piece

const infix =
  (symbol: string): Compare =>
  (value, operand) =>
    sql`${value}${definedSql(` ${symbol} `)}${operand}`

/** Calls a function of sqlite-functions.ts. */
const textMatches = (kind: TextMatch, value: Piece, operand: Piece): Piece =>
  sql`text_matches(${textLiteral(kind)}, ${value}, ${operand})`

const searched: Compare = (value, operand, language) => textMatches(language, value, operand)

const listCompares =
  (kind: ListOperator): Compare =>
  (value, operand) =>
    sql`list_compares(${textLiteral(kind)}, ${value}, ${operand})`

/** A value with one operand. */
const comparisons: Record<PlainOperator, Compare> = {
  eq: infix('='),
  neq: infix('<>'),
  gt: infix('>'),
  gte: infix('>='),
  lt: infix('<'),
  lte: infix('<='),
  isdistinct: infix('is distinct from'),
  like: infix('glob'),
  ilike: (value, operand) => sql`unicode_lower(${value}) glob ${operand}`,
  match: (value, operand) => textMatches('match', value, operand),
  imatch: (value, operand) => textMatches('imatch', value, operand),
  fts: searched,
  plfts: searched,
  phfts: searched,
  wfts: searched,
  cs: listCompares('cs'),
  cd: listCompares('cd'),
  ov: listCompares('ov'),
}
