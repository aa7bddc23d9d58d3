import { onceForEach } from '../../once-for-each.ts'
import type { CastName } from '../../resources/casts.ts'
import { operatorOf } from '../../resources/operators.ts'
import { globOf } from '../compile/patterns.ts'
import { type Comparison, type Dialect, type Entry, rowSeparator } from '../database.ts'
import { empty, integer, join, keyword, type Sql, sql, textLiteral } from '../sql.ts'

const jsonObject = onceForEach((entries: readonly Entry[]): Sql => {
  const members = entries.map(
    ({ key, value, isJson }) => sql`${textLiteral(key)}, ${isJson ? sql`json(${value})` : value}`,
  )
  return sql`json_object(${join(members, ', ')})`
})

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: () => '?',
  rowText: jsonObject,
  page: (entries, source, extra) =>
    sql`select group_concat(text, ${textLiteral(rowSeparator)}), count(*), ${extra} from (select ${jsonObject(entries)} as text ${source})`,
  part: (entries, source, { value, descending }) =>
    sql`select group_concat(text, ${textLiteral(rowSeparator)}), count(*), ${descending ? keyword('min') : keyword('max')}(key) from (select ${jsonObject(entries)} as text, ${value} as key ${source})`,
  object: (entries, source) => sql`(select ${jsonObject(entries)} ${source})`,
  array: (entries, source, bytesMax) =>
    sql`(select json_group_array(json(${bounded(keyword('text'), bytesMax)})) from (select ${jsonObject(entries)} as text ${source}))`,
  valueArray: ({ value, isJson }, source, bytesMax) => {
    const one = bounded(keyword('value'), bytesMax)
    return sql`(select json_group_array(${isJson ? sql`json(${one})` : one}) from (select ${value} as value ${source}))`
  },
  // Whoever reads them stops in time.
  within: (rows) => rows,
  keyText: (value) => value,
  asJson: (text) => text,
  cast: (value, from, to) =>
    from === 'timestamp' ? momentCasts[to](value) : to === 'text' ? sql`cast(${value} as text)` : value,
  compare,
  // As parameters, these two would make the engine plan the statement anew each time it runs.
  limit: ({ limit, offset }) => {
    if (limit === null) return offset === 0 ? empty : sql` limit -1 offset ${integer(offset)}`
    return offset === 0 ? sql` limit ${integer(limit)}` : sql` limit ${integer(limit)} offset ${integer(offset)}`
  },
  // There is one writer at a time.
  waitBriefly: [],
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
  },
  rows: (companyId, columns, rows) => {
    const values = columns.map((_, at) => sql`value ->> ${integer(at)}`)
    // Without the where, SQLite would take a following "on conflict" for the condition of a join.
    return sql`select ${companyId}, ${join(values, ', ')} from json_each(${JSON.stringify(rows)}) where true`
  },
}

/** A value that is embedded, unless too much is. How much that is, our function knows. */
const bounded = (value: Sql, bytesMax: number | null): Sql =>
  bytesMax === null ? value : sql`iif(embedded(length(${value})), ${value}, null)`

/** Moments are stored as `2026-01-03T00:00:00.12+00:00`. */
const momentCasts: Record<CastName, (value: Sql) => Sql> = {
  text: (value) => sql`replace(replace(${value}, 'T', ' '), '+00:00', '+00')`,
  timestamptz: (value) => value,
  timestamp: (value) => sql`substr(${value}, 1, length(${value}) - 6)`,
  date: (value) => sql`substr(${value}, 1, 10)`,
  time: (value) => sql`substr(${value}, 12, length(${value}) - 17)`,
  uuid: (value) => value,
  integer: (value) => value,
  bigint: (value) => value,
}

function compare(comparison: Comparison): Sql {
  const { value, operator, quantifier, operands } = comparison
  if (operator === 'in' || (operator === 'eq' && quantifier === 'any'))
    return sql`${value} in (select value from json_each(${JSON.stringify(operands)}))`
  if (operator === 'is') return operands[0] === 'null' ? sql`${value} is null` : sql`${value} is not null`
  const prepared = operands.map((operand) =>
    operator === 'like' || operator === 'ilike' ? globOf(operator, operand) : operand,
  )
  if (quantifier === null) return compareOne(comparison, sql`${prepared[0] ?? ''}`)
  const list = sql`json_each(${JSON.stringify(prepared)}) as each_one`
  const one = compareOne(comparison, keyword('each_one.value'))
  return quantifier === 'any'
    ? sql`exists (select 1 from ${list} where ${one})`
    : sql`not exists (select 1 from ${list} where not (${one}))`
}

const infix = {
  eq: keyword(' = '),
  neq: keyword(' <> '),
  gt: keyword(' > '),
  gte: keyword(' >= '),
  lt: keyword(' < '),
  lte: keyword(' <= '),
  isdistinct: keyword(' is distinct from '),
  like: keyword(' glob '),
} as const

/** The functions are made known to the engine when it is opened. */
function compareOne({ value, operator }: Comparison, operand: Sql): Sql {
  if (operator in infix) return sql`${value}${infix[operator as keyof typeof infix]}${operand}`
  if (operator === 'ilike') return sql`unicode_lower(${value}) glob ${operand}`
  const kind = operatorOf(operator).takes === 'search' ? 'fts' : operator
  return sql`text_matches(${textLiteral(kind)}, ${value}, ${operand})`
}
