import type { Condition, Embed, Field, Narrowed, Order } from '../../plan/plan.ts'
import { embedsOf } from '../../plan/selection.ts'
import type { Param } from '../../request/operand.ts'
import { type Column, type OwnField, typeOf } from '../../resources/define.ts'
import type { CastName, ShownType } from '../../types/column-type.ts'
import { castType } from '../../types/find-cast.ts'
import type { Dialect } from '../dialect.ts'
import { empty, identifier, join, keyword, type Piece, type Sql, sql } from '../sql.ts'
import { companyRows, joinedCompanyRows, ofRequest } from './company-rows.ts'
import { found, type IndexUse, indexedRows } from './index-use.ts'

/** The table that a piece of SQL speaks of, under the name that it has there. */
export interface Frame {
  readonly alias: string
  readonly depth: number
  readonly dialect: Dialect
  /** What finds the rows, if not an index of the table itself. */
  readonly index?: IndexUse | null
  /** How much each embed may show; null where it is known to be little. */
  readonly embedBytesMax: number | null
}

/** `"project"."id"`, or the value of a company's own field. */
export const columnOf = (frame: Pick<Frame, 'alias' | 'dialect'>, column: Column): Sql =>
  column.field ? fieldOf(frame, column, column.field) : identifier(frame.alias, column.name)

/** Of the two objects, at most one has the field. Chosen before the value is taken, as SQLite compares no `coalesce` by its type. */
function fieldOf({ alias, dialect }: Pick<Frame, 'alias' | 'dialect'>, column: Column, { wasArchived }: OwnField): Sql {
  const fields = identifier(alias, 'fields')
  if (!wasArchived) return dialect.fieldValue(column, fields)
  const isElsewhere = sql`${dialect.fieldText(column.name, fields)} is null`
  const holder = sql`(case when ${isElsewhere} then ${identifier(alias, 'archived_fields')} else ${fields} end)`
  return dialect.fieldValue(column, holder)
}

/** The value of a field in one row, before anything is put together. */
export function fieldValue({ column, cast, zone }: ValueOfField, frame: Frame): Piece {
  if (column === null) return keyword('1')
  const value = columnOf(frame, column)
  return cast === null ? value : castValue(value, typeOf(column), { cast, zone }, frame)
}

type ValueOfField = Pick<Field, 'column' | 'cast' | 'zone'>

/** A cast, in the time zone of the request where there is one and it matters. */
export const castValue = (
  value: Sql,
  from: ShownType,
  { cast, zone }: { readonly cast: CastName; readonly zone: Param | null },
  { dialect }: Frame,
): Piece => (zone && dialect.castInZone(value, from, cast, zone)) ?? dialect.cast(value, from, cast)

/** The company's table and what narrows it, for `from`. Every read and delete goes through here. */
export const matching = (plan: Pick<Narrowed, 'resource' | 'where'>, embeds: readonly Embed[], frame: Frame): Piece =>
  sql`${tableOf(plan, frame)}${narrowing(plan, embeds, frame)}`

/** An index may say which rows to look at. Each is still compared with all conditions. */
function tableOf({ resource }: Pick<Narrowed, 'resource'>, frame: Frame): Piece {
  if (!frame.index) return companyRows(resource.name, ofRequest, frame.alias)
  const rows = joinedCompanyRows(resource.name, ofRequest, frame.alias)
  return sql`(${indexedRows(frame.index)}) as found join ${rows} and ${columnOf(frame, resource.primaryKey)} = ${found.key}`
}

/** ` and …`: the filters, and the embeds that a row must have. */
export function narrowing({ where }: Pick<Narrowed, 'where'>, embeds: readonly Embed[], frame: Frame): Piece {
  const filters = where.map((condition) => compileCondition(condition, frame))
  const matches = embeds.filter((embed) => embed.inner).map((embed) => exists(embed, frame))
  const all = [...filters, ...matches]
  return all.length === 0 ? empty : sql` and ${balance(all, 'and')}`
}

function compileCondition(condition: Condition, frame: Frame): Piece {
  const positive = compilePositive(condition, frame)
  return condition.negated ? sql`not (${positive})` : positive
}

function compilePositive(condition: Condition, frame: Frame): Piece {
  switch (condition.kind) {
    case 'comparison':
      return frame.dialect.compare({ ...condition, value: columnOf(frame, condition.column) })
    case 'is':
      return sql`${columnOf(frame, condition.column)} is ${frame.dialect.isWords[condition.word]}`
    case 'related':
      return exists(condition.embed, frame)
    default:
      return balance(
        condition.conditions.map((part) => compileCondition(part, frame)),
        condition.kind,
      )
  }
}

/** `(a or b) or (c or d)`: a long chain would be deeper than SQLite's parser goes. */
function balance(parts: readonly Piece[], kind: 'and' | 'or'): Piece {
  const [first, ...others] = parts
  if (first && others.length === 0) return first
  const middle = Math.ceil(parts.length / 2)
  const [left, right] = [balance(parts.slice(0, middle), kind), balance(parts.slice(middle), kind)]
  return kind === 'and' ? sql`(${left} and ${right})` : sql`(${left} or ${right})`
}

function exists(embed: Embed, frame: Frame): Piece {
  const inner = frameOf(embed, frame)
  return sql`exists (select 1 from ${related(embed, inner, frame)})`
}

/** The rows of an embed that belong to the row around it, for `from`. */
export function related(embed: Embed, inner: Frame, outer: Frame): Piece {
  const { plan, relation } = embed
  const belongs = sql`${columnOf(inner, relation.other)} = ${columnOf(outer, relation.own)}`
  return sql`${matching(plan, embedsOf(plan.selection), inner)} and ${belongs}`
}

export function frameOf({ plan }: Embed, outer: Frame): Frame {
  const depth = outer.depth + 1
  return { ...outer, alias: `${plan.resource.name}_${depth}`, depth, index: null }
}

export function orderBy(order: readonly Order[], frame: Frame): Piece {
  if (order.length === 0) return empty
  return sql` order by ${join(
    order.map((term) => compileOrder(term, frame)),
    ', ',
  )}`
}

export const direction = (descending: boolean): Sql => (descending ? keyword(' desc') : keyword(' asc'))
export const nullsPlace = (first: boolean): Sql => (first ? keyword(' nulls first') : keyword(' nulls last'))

/** As the index has it, where that gives the rows in order. */
export function orderedValue(column: Column, frame: Frame): Piece {
  if (frame.index && column.primaryKey) return found.key
  return frame.index?.isOrdered && frame.index.column === column ? found.value : columnOf(frame, column)
}

function compileOrder(order: Order, frame: Frame): Piece {
  const { column, via, descending, nullsFirst } = order
  if (via === null) {
    // An index serves an order only where nothing is said of nulls.
    const nulls = column.nullable ? nullsPlace(nullsFirst) : empty
    return sql`${orderedValue(column, frame)}${direction(descending)}${nulls}`
  }
  const inner = frameOf(via, frame)
  const key = frame.dialect.sortKey(fieldValue(order, inner), castType(typeOf(column), order.cast))
  const value = sql`(select ${key} from ${related(via, inner, frame)})`
  return sql`${value}${direction(descending)}${nullsPlace(nullsFirst)}`
}
