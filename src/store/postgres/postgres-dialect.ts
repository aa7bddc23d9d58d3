import type { Param } from '../../request/operand.ts'
import { typeOf } from '../../resources/define.ts'
import type { CastName } from '../../types/column-type.ts'
import { zoneOffsets } from '../../types/zone-offsets.ts'
import { type Dialect, type Entry, rowSeparator } from '../dialect.ts'
import {
  around,
  aroundBoth,
  company,
  definedSql,
  empty,
  identifier,
  integer,
  join,
  keyword,
  type Piece,
  parameter,
  type Sql,
  sql,
  textLiteral,
} from '../sql.ts'
import { compileNumbering } from './number-together.ts'
import { arrayText, compare } from './postgres-compare.ts'

/** PostgreSQL allows 100 arguments of a function; an entry needs two. */
const entriesMax = 49

/** One row → the text of a JSON object. row_to_json takes a sixth longer, because it looks up the type of each column for each row. */
function objectText(entries: readonly Entry[]): Piece {
  if (entries.length > entriesMax)
    return sql`(select row_to_json(shown)::text from (select ${columns(entries)}) as shown)`
  const pieces: Piece[] = []
  let text = '{'
  for (const [at, entry] of entries.entries()) {
    if (entry.members) {
      pieces.push(textLiteral(at === 0 ? text : `${text},`), entry.value)
      text = ''
      continue
    }
    const quote = entry.type?.postgres.isPlain && !entry.isNullable ? '"' : ''
    text += `${at === 0 ? '' : ','}${JSON.stringify(entry.key)}:${quote}`
    pieces.push(textLiteral(text), quote === '' ? valueText(entry) : entry.value)
    text = quote
  }
  const end = entries.at(-1)?.members === 'last' ? [] : [textLiteral(`${text}}`)]
  return sql`concat(${join([...pieces, ...end], ', ')})`
}

/** Text, or JSON, which `concat` converts to text. */
const valueText = (entry: Entry): Piece => {
  if (entry.isJson) return sql`coalesce(${entry.value}::text, 'null')`
  const value = shownValue(entry)
  return entry.isNullable ? sql`coalesce(to_json(${value})::text, 'null')` : sql`to_json(${value})`
}

const shownValue = ({ value, type }: Entry): Piece => around(type?.postgres.toShown ?? '$', value)

const columns = (entries: readonly Entry[]): Piece =>
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
  page: (entries, source, { extra, bytesMax }) => {
    const texts = sql`select ${objectText(entries)} as text ${source}`
    return sql`select string_agg(text, ${textLiteral(rowSeparator)}), count(*)::int, ${extra}::int from (${bytesMax === null ? texts : allWithin(texts, bytesMax)}) as shown`
  },
  list: null,
  part: (entries, source, { value, descending }) =>
    sql`select string_agg(text, ${textLiteral(rowSeparator)}), count(*)::int, ${descending ? keyword('min') : keyword('max')}(key collate "C") from (select ${objectText(entries)} as text, ${value}::text as key ${source}) as shown`,
  object: (entries, source) => sql`(select ${objectText(entries)} ${source})`,
  array: (entries, source, bytesMax) => arrayOf(objectText(entries), source, bytesMax),
  valueArray: (entry, source, bytesMax) => arrayOf(sql`${valueText(entry)}::text`, source, bytesMax),
  within: (rows, bytesMax) =>
    sql`select * from (select *, ${bytesSoFar} as bytes from (${rows}) as shown) as summed where bytes - octet_length(text) <= ${bytesMax}`,
  stopsWithin: false,
  keyText: (value) => sql`${value}::text`,
  sortKey: (value) => value,
  // The driver would make JSON of a text that it sends as json.
  storedJson: (text) => sql`${text}::text::json`,
  storedBytes: (value) => sql`pg_column_size(${value})`,
  // SQL has no other way to fail with words of our own.
  refuse: (text) => sql`(${text})::int::text`,
  asJson: (text) => sql`${text}::json`,
  textOf: (column, value) => around(typeOf(column).postgres.toText, value),
  fieldValue: (column, fields) => {
    const { fromFields, fromText } = typeOf(column).postgres
    const key = textLiteral(column.name)
    return fromFields ? aroundBoth(fromFields, fields, key) : around(fromText, sql`(${fields} ->> ${key})`)
  },
  fieldText: (name, fields) => sql`(${fields} -> ${textLiteral(name)})::text`,
  itemsOf: (list) =>
    // Not `case list when …`, which Citus sends on in words that PostgreSQL does not understand.
    sql`(select jsonb_array_elements_text(coalesce(nullif(${list}, 'null'), '[]')::jsonb) as item)`,
  valueOf: (column, text) => around(typeOf(column).postgres.fromText, text),
  cast: (value, { postgres: { casts, toShown } }, to) => {
    const template = casts?.[to]
    const made = template ? around(template, value) : sql`${around(toShown, value)}::${definedSql(to)}`
    return compared(made, to)
  },
  castInZone: (value, from, to, zone) => {
    const template = from.postgres.zonedCasts?.[to]
    if (template === undefined) return null
    return compared(aroundBoth(template, value, offsetAt(value, zone)), to)
  },
  aggregate: (value, name, rule) => around(rule?.postgres ?? `${name}($)`, value),
  isWords: {
    null: keyword('null'),
    not_null: keyword('not null'),
    true: keyword('true'),
    false: keyword('false'),
    unknown: keyword('unknown'),
  },
  compare,
  limit: ({ limit, offset }) => {
    // A literal, because a generic plan has to know how few rows are needed.
    const rows = limit === null ? empty : sql` limit ${integer(limit)}`
    return offset === 0 ? rows : sql`${rows} offset ${offset}`
  },
  waitBriefly: [keyword("set local lock_timeout = '2s'")],
  computesInWrites: true,
  gathersRows: false,
  position: keyword('strpos'),
  forUpdate: keyword(' for update'),
  showing: (write, { table, columns, shown }, bytesMax) =>
    bytesMax === null
      ? sql`${write} returning ${shown}`
      : sql`with written as (${write} returning ${columns}) ${allWithin(sql`select ${shown} from written as ${table}`, bytesMax)}`,
  // The server tells it with every write.
  counting: (write) => [write],
  // Not needed, because rows are locked individually.
  chosen: null,
  // One array per column: JSON would be parsed again for each value of a row.
  rows: (columns, rows, added) => {
    const lists = columns.map((column, at) => {
      const type = definedSql(typeOf(column).postgres.listOf ?? 'text')
      return sql`${arrayText(rows.map((row) => row[at] ?? null))}::text::${type}[]`
    })
    const names = columns.map(({ name }) => identifier(name))
    const values: Piece[] = columns.map((column) => {
      const { listOf, fromText } = typeOf(column).postgres
      return listOf === null ? around(fromText, identifier(column.name)) : identifier(column.name)
    })
    if (added) values.push(added)
    return [
      sql`select ${company}::uuid, ${join(values, ', ')} from unnest(${join(lists, ', ')}) as given (${join(names, ', ')})`,
    ]
  },
  newEvents: {
    table: 'event_inbox',
    added: 'created_at',
    // The clock of the server, read once the row is locked: of two changes of one row, the later one has the later time.
    value: () => keyword('clock_timestamp()'),
    before: () => [],
    alone: 'joined',
    number: compileNumbering,
  },
}

/** By code point, as all texts here are compared, and not as the database would by itself. */
function compared(value: Sql, to: CastName): Sql
function compared(value: Piece, to: CastName): Piece
function compared(value: Piece, to: CastName): Piece {
  return to === 'text' || to === 'char' ? sql`(${value} collate "C")` : value
}

/** The offset of a moment in a time zone. The lists are parsed once, and searched for each row. */
function offsetAt(moment: Piece, { param }: Param): Piece {
  const changes = sql`(select ${parameter(param, (zone) => zoneOffsets(zone).changesText)}::text::float8[])`
  const offsets = sql`(select ${parameter(param, (zone) => zoneOffsets(zone).offsetsText)}::text::int[])`
  return sql`(${offsets})[1 + width_bucket(extract(epoch from ${moment})::float8, ${changes})]`
}

/** Not json_agg: it writes blanks between the elements, and SQLite does not. */
function arrayOf(element: Piece, source: Piece, bytesMax: number | null): Piece {
  const texts = sql`select ${element} as text ${source}`
  return sql`(select '[' || coalesce(string_agg(text, ','), '') || ']' from (${bytesMax === null ? texts : allWithin(texts, bytesMax)}) as shown)`
}

/** The size of the texts of this row and of all rows before it. */
const bytesSoFar = keyword('sum(octet_length(text)) over (rows unbounded preceding)')

/** Rows with a column `text`. Fails with a division by zero as soon as the texts exceed `bytesMax`. */
export const allWithin = (rows: Piece, bytesMax: number): Piece =>
  sql`select * from (select *, ${bytesSoFar} as bytes from (${rows}) as shown) as summed where 1 / (case when bytes > ${integer(bytesMax)} then 0 else 1 end) = 1`
