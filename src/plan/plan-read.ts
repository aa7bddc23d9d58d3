import { memoize } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import { emptyLevel, type Level } from '../request/level.ts'
import type { OrderTerm } from '../request/parse-order.ts'
import { pathSeparator } from '../request/parse-query.ts'
import type { Range } from '../request/parse-range.ts'
import type { SelectEmbed, SelectField, SelectItem } from '../request/parse-select.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import { findRelation } from '../resources/relations.ts'
import { findCast, shownType } from '../types/find-cast.ts'
import type { Embed, Field, Order, RowsPlan, Selected } from './plan.ts'
import { planConditions } from './plan-condition.ts'

/** What is asked of one resource, and below `path` of what is embedded in it. */
export interface Asked {
  readonly resource: Resource
  readonly select: readonly SelectItem[]
  readonly level: Level
  /** Of what is embedded. */
  readonly levels: ReadonlyMap<string, Level>
  readonly path: string
  readonly rowsMax: number | null
}

/** A select with its filters, orders and limits, embeds and all → a tree of reads in which every name is known. */
export function planRows(asked: Asked): RowsPlan {
  const { resource, level, rowsMax } = asked
  const selection = planSelection(asked)
  return {
    resource,
    selection,
    where: planConditions(resource, level.conditions, embedsOf(selection)),
    order: planOrder(resource, level.order, selection),
    range: limited(level.range, rowsMax),
  }
}

export const limited = (range: Range, rowsMax: number | null): Range =>
  rowsMax === null ? range : { ...range, limit: Math.min(range.limit ?? rowsMax, rowsMax) }

const selectedMax = 100

function planSelection(asked: Asked): Selected[] {
  const selection = new Map<string, Selected>()
  for (const item of asked.select.flatMap((item) => expand(item, asked.resource))) {
    const selected = item.kind === 'embed' ? planEmbed(item, asked) : planField(item, asked.resource)
    const key = item.kind === 'embed' ? `${selected.key}()` : selected.key
    if (selected.kind === 'embed' && selection.has(key)) throw failure.embedRepeated(selected.key)
    if (!selection.has(key)) selection.set(key, selected)
  }
  if (selection.size > selectedMax) throw failure.tooMuch('selected fields', selectedMax, 'Select fewer.')
  return [...selection.values()]
}

function expand(item: SelectItem, resource: Resource): (SelectField | SelectEmbed)[] {
  if (item.kind !== 'all') return [item]
  return [...resource.columns.keys()].map((name) => ({
    kind: 'field',
    name,
    alias: null,
    cast: null,
    aggregate: null,
    aggregateCast: null,
  }))
}

function planField(item: SelectField, resource: Resource): Field {
  // `select=count` is older than `count()`, and the more used of the two.
  const isCount = item.name === null || (item.name === 'count' && !item.aggregate && !resource.columns.has('count'))
  const column = isCount || item.name === null ? null : findColumn(resource, item.name)
  const aggregate = isCount ? 'count' : item.aggregate
  const type = column ? typeOf(column) : null
  const cast = item.cast === null ? null : findCast(shownType(type, null), item.cast)
  const isAdded = aggregate === 'sum' || aggregate === 'avg'
  if (type && aggregate && (!type.aggregates[aggregate] || (cast !== null && isAdded)))
    throw failure.functionUnknown(`${aggregate}(${cast ?? type.name})`)
  return {
    kind: 'field',
    key: keyOf(item.alias ?? aggregate ?? item.name ?? 'count'),
    column,
    cast,
    aggregate,
    aggregateCast: item.aggregateCast === null ? null : findCast(shownType(type, aggregate), item.aggregateCast),
  }
}

function planEmbed(item: SelectEmbed, asked: Asked): Embed {
  const relation = findRelation(asked.resource, item.name, item.hint)
  const key = keyOf(item.alias ?? item.name)
  const path = asked.path === '' ? key : asked.path + pathSeparator + key
  const level = asked.levels.get(path) ?? emptyLevel
  const plan = planRows({ ...asked, resource: relation.target, select: item.select, level, path })
  if (
    item.spread &&
    relation.many &&
    plan.selection.some((selected) => selected.kind === 'field' && selected.aggregate)
  ) {
    throw failure.spreadAggregate()
  }
  return { kind: 'embed', key, relation, inner: item.inner, spread: item.spread, plan }
}

/** PostgreSQL cuts longer names off; two keys could become one. */
function keyOf(name: string): string {
  if (Buffer.byteLength(name) > 63) throw failure.nameTooLong(name.slice(0, 63))
  return name
}

/** Pages are stable only if no two rows are equal: the primary key comes last. */
function planOrder(resource: Resource, terms: readonly OrderTerm[], selection: readonly Selected[]): readonly Order[] {
  const order = terms.map((term) => planOrderTerm(resource, term, selection)).filter(isFirstOfIts)
  if (isGrouped(selection)) return order.map((term) => refuseUngrouped(resource, term, selection))
  if (order.length === 0) return byKey(resource)
  if (order.some(({ column, via }) => column === resource.primaryKey && via === null)) return order
  return [...order, ...byKey(resource)]
}

/** Rows that are equal in something stay equal in it: the same once more changes nothing. */
const isFirstOfIts = ({ column, via }: Order, at: number, order: readonly Order[]): boolean =>
  order.findIndex((other) => other.column === column && other.via === via) === at

const byKey = memoize(({ primaryKey }: Resource): readonly Order[] => [
  { column: primaryKey, via: null, descending: false, nullsFirst: false },
])

/** Whether rows are put together: an aggregate is selected, here or in something that is lifted up to here. */
export const isGrouped = (selection: readonly Selected[]): boolean =>
  selection.some((selected) =>
    selected.kind === 'field' ? selected.aggregate : selected.spread && isGrouped(selected.plan.selection),
  )

/** Groups have an order only by what they are grouped by. */
function refuseUngrouped(resource: Resource, order: Order, selection: readonly Selected[]): Order {
  const { column, via } = order
  const keys = via === null ? selection : via.spread ? via.plan.selection : []
  const isKey = keys.some((one) => one.kind === 'field' && !one.aggregate && one.column === column)
  if (!isKey) throw failure.notGrouped(`${(via?.relation.target ?? resource).name}.${column.name}`)
  return order
}

function planOrderTerm(resource: Resource, term: OrderTerm, selection: readonly Selected[]): Order {
  const { descending, nullsFirst } = term
  if (term.relation === null) return { column: orderedColumn(resource, term), via: null, descending, nullsFirst }
  const via = embedsOf(selection).find((embed) => embed.key === term.relation)
  if (!via) throw failure.notEmbedded(term.relation)
  if (via.relation.many) throw failure.relatedOrderImpossible(resource.name, via.relation.target.name)
  return { column: orderedColumn(via.relation.target, term), via, descending, nullsFirst }
}

function orderedColumn(resource: Resource, { column: name }: OrderTerm): Column {
  const column = findColumn(resource, name)
  const type = typeOf(column)
  if (!type.isOrdered) throw failure.orderImpossible(type.name)
  return column
}

const embedsOf = (selection: readonly Selected[]): Embed[] => selection.filter((selected) => selected.kind === 'embed')
