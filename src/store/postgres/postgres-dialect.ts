import { memoize } from '../../memoize.ts'
import { type Column, typeOf } from '../../resources/define.ts'
import type { IsWord, TakenOperator } from '../../types/operators.ts'
import { likeOf } from '../compile/patterns.ts'
import { type Comparison, type Dialect, type Entry, rowSeparator } from '../database.ts'
import { around, definedSql, empty, identifier, integer, join, keyword, type Sql, sql, textLiteral } from '../sql.ts'

/** A function takes a hundred arguments; an entry needs two of them. */
const entriesMax = 49

/** One row → the text of a JSON object. row_to_json, which finds out the type of every column anew, takes a sixth longer. */
const objectText = memoize((entries: readonly Entry[]): Sql => {
  if (entries.length > entriesMax)
    return sql`(select row_to_json(shown)::text from (select ${columns(entries)}) as shown)`
  const pieces: Sql[] = []
  let text = '{'
  for (const [at, entry] of entries.entries()) {
    const quote = entry.type?.postgres.isPlain && !entry.isNullable ? '"' : ''
    text += `${at === 0 ? '' : ','}${JSON.stringify(entry.key)}:${quote}`
    pieces.push(textLiteral(text), quote === '' ? valueText(entry) : entry.value)
    text = quote
  }
  return sql`concat(${join([...pieces, textLiteral(`${text}}`)], ', ')})`
})

/** Text, or JSON that `concat` takes as its text. */
const valueText = (entry: Entry): Sql => {
  if (entry.isJson) return sql`coalesce(${entry.value}::text, 'null')`
  const value = shownValue(entry)
  return entry.isNullable ? sql`coalesce(to_json(${value})::text, 'null')` : sql`to_json(${value})`
}

const shownValue = ({ value, type }: Entry): Sql => around(type?.postgres.toShown ?? '$', value)

const columns = (entries: readonly Entry[]): Sql =>
  join(
    entries.map((entry) => {
      const value = entry.isJson ? sql`${entry.value}::json` : shownValue(entry)
      return sql`${value} as ${identifier(entry.key)}`
    }),
    ', ',
  )

export const postgresDialect: Dialect = {
  name: 'postgres',
  placeholder: (position) => `$${position}`,
  rowText: objectText,
  page: (entries, source, extra) =>
    sql`select string_agg(text, ${textLiteral(rowSeparator)}), count(*)::int, ${extra}::int from (select ${objectText(entries)} as text ${source}) as shown`,
  part: (entries, source, { value, descending }) =>
    sql`select string_agg(text, ${textLiteral(rowSeparator)}), count(*)::int, ${descending ? keyword('min') : keyword('max')}(key collate "C") from (select ${objectText(entries)} as text, ${value}::text as key ${source}) as shown`,
  object: (entries, source) => sql`(select ${objectText(entries)} ${source})`,
  array: (entries, source, bytesMax) => arrayOf(objectText(entries), source, bytesMax),
  valueArray: (entry, source, bytesMax) => arrayOf(sql`${valueText(entry)}::text`, source, bytesMax),
  within: (rows, bytesMax) =>
    sql`select * from (select *, ${bytesSoFar} as bytes from (${rows}) as shown) as summed where bytes - octet_length(text) <= ${bytesMax}`,
  keyText: (value) => sql`${value}::text`,
  asJson: (text) => sql`${text}::json`,
  textOf: (column, value) => around(typeOf(column).postgres.toText, value),
  valueOf: (column, text) => around(typeOf(column).postgres.fromText, text),
  cast: (value, from, to) => sql`${around(from.postgres.toShown, value)}::${definedSql(to)}`,
  aggregate: (value, name, rule) => around(rule?.postgres ?? `${name}($)`, value),
  compare,
  limit: ({ limit, offset }) => {
    // A plan for all values has to know how few rows are wanted.
    const rows = limit === null ? empty : sql` limit ${integer(limit)}`
    return offset === 0 ? rows : sql`${rows} offset ${offset}`
  },
  waitBriefly: [keyword("set local lock_timeout = '2s'")],
  forUpdate: keyword(' for update'),
  showing: (write, { table, columns, shown }, bytesMax) =>
    bytesMax === null
      ? sql`${write} returning ${shown}`
      : sql`with written as (${write} returning ${columns}) ${allWithin(sql`select ${shown} from written as ${table}`, bytesMax)}`,
  counting: (write) => [sql`with written as (${write} returning company_id) select count(*)::int from written`],
  // Rows are locked one by one.
  chosen: null,
  // One list for each column: JSON would be taken apart anew for each value of a row.
  rows: (companyId, columns, rows) => {
    const lists = columns.map((column, at) => {
      const type = definedSql(typeOf(column).postgres.listOf ?? 'text')
      return sql`${arrayText(rows.map((row) => row[at] ?? null))}::text::${type}[]`
    })
    const names = columns.map(({ name }) => identifier(name))
    const values = columns.map((column) => {
      const { listOf, fromText } = typeOf(column).postgres
      return listOf === null ? around(fromText, identifier(column.name)) : identifier(column.name)
    })
    return sql`select ${companyId}::uuid, ${join(values, ', ')} from unnest(${join(lists, ', ')}) as given (${join(names, ', ')})`
  },
}

/** json_agg would put blanks between the elements, and the other engine puts none. */
function arrayOf(element: Sql, source: Sql, bytesMax: number | null): Sql {
  const texts = sql`select ${element} as text ${source}`
  return sql`(select '[' || coalesce(string_agg(text, ','), '') || ']' from (${bytesMax === null ? texts : allWithin(texts, bytesMax)}) as shown)`
}

/** The texts of this row and of all before it. */
const bytesSoFar = keyword('sum(octet_length(text)) over (rows unbounded preceding)')

/** Rows with a column `text`, or a division by zero as soon as their texts exceed so many bytes. */
export const allWithin = (rows: Sql, bytesMax: number): Sql =>
  sql`select * from (select *, ${bytesSoFar} as bytes from (${rows}) as shown) as summed where 1 / (case when bytes > ${integer(bytesMax)} then 0 else 1 end) = 1`

const operandOf = (column: Column, text: string): Sql => around(typeOf(column).postgres.fromOperand, sql`${text}`)

function compare(comparison: Comparison): Sql {
  const { column, value, operator, quantifier, operands } = comparison
  if (operator === 'is') return sql`${value} is ${isWords[operands[0] as IsWord]}`
  if (operator === 'in') return isOneOf(comparison)
  const compareTo = comparisons[operator]
  const prepared = operands.map((operand) =>
    operator === 'like' || operator === 'ilike' ? likeOf(operator, operand) : operand,
  )
  if (quantifier === null) return compareTo(value, operandOf(column, prepared[0] ?? ''))
  return compareTo(value, sql`${quantifier === 'any' ? keyword('any') : keyword('all')}(${listOf(prepared, column)})`)
}

/** Of a list, a plan for all values expects many rows, and would rather walk along all rows until it has met a page of them. */
function isOneOf({ column, value, operands }: Comparison): Sql {
  if (operands.length === 0 || operands.length > shortListMax) return sql`${value} = any(${listOf(operands, column)})`
  const all = operands.map((operand) => sql`${value} = ${operandOf(column, operand)}`)
  return sql`(${join(all, ' or ')})`
}
const shortListMax = 10

/** Read from its text once, and not again for each row that is compared with it. */
function listOf(values: readonly string[], column: Column): Sql {
  const type = definedSql(`${typeOf(column).postgres.listOf}[]`)
  return sql`(select ${arrayText(values)}::text::${type})::${type}`
}

const isWords: Record<IsWord, Sql> = {
  null: keyword('null'),
  not_null: keyword('not null'),
  true: keyword('true'),
  false: keyword('false'),
  unknown: keyword('unknown'),
}

type Compare = (value: Sql, operand: Sql) => Sql

const infix =
  (symbol: string): Compare =>
  (value, operand) =>
    sql`${value}${definedSql(` ${symbol} `)}${operand}`

const searched: Compare = (value, operand) => sql`${wordsOf(value)} @@ ${operand}::tsquery`

/** A value with one operand, or with any or all of a list. `compare` itself knows the others. */
const comparisons: Record<Exclude<TakenOperator, 'in' | 'is'>, Compare> = {
  eq: infix('='),
  neq: infix('<>'),
  gt: infix('>'),
  gte: infix('>='),
  lt: infix('<'),
  lte: infix('<='),
  isdistinct: infix('is distinct from'),
  like: infix('~~'),
  // Case is a matter of language, which the columns' own collation "C" knows nothing of.
  ilike: (value, operand) => sql`lower(${value} collate "und-x-icu") ~~ ${operand}`,
  match: infix('~'),
  imatch: (value, operand) => sql`(${value} collate "und-x-icu") ~* ${operand}`,
  fts: searched,
  plfts: searched,
  phfts: searched,
  wfts: searched,
  cs: infix('@>'),
  cd: infix('<@'),
  ov: infix('&&'),
}

/** The words of a text, told apart by what is neither letter nor digit and by nothing else. */
const wordsOf = (value: Sql): Sql =>
  sql`to_tsvector('simple', regexp_replace(lower(${value} collate "und-x-icu"), '[^[:alnum:]]+', ' ', 'g'))`

/** `{"a","b\"c",null}` */
const arrayText = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'null' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
