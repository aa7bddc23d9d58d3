import { failure } from '../errors/index.ts'
import { emptyLevel, type Level } from '../request/level.ts'
import type { Param } from '../request/operand.ts'
import { pathSeparator } from '../request/parse-query.ts'
import type { Range } from '../request/parse-range.ts'
import type { SelectEmbed, SelectField, SelectItem } from '../request/parse-select.ts'
import { type Resource, typeOf } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import { findRelation } from '../resources/relations.ts'
import { castType, findCast, shownType } from '../types/find-cast.ts'
import type { Embed, Field, RowsPlan, Selected } from './plan.ts'
import { planConditions } from './plan-condition.ts'
import { planOrder } from './plan-order.ts'
import { embedsOf, isGrouped } from './selection.ts'

/** What is asked of one resource, and below `path` of what is embedded in it. */
export interface Asked {
  readonly resource: Resource
  readonly select: readonly SelectItem[]
  readonly level: Level
  /** Of what is embedded. */
  readonly levels: ReadonlyMap<string, Level>
  readonly path: string
  readonly rowsMax: number | null
  /** Where the request names a time zone. */
  readonly zone: Param | null
}

/** A select with its filters, orders and limits, embeds and all → a tree of reads in which every name is known. */
export function planRows(asked: Asked): RowsPlan {
  const { resource, level, rowsMax } = asked
  const selection = planSelection(asked)
  if (isGrouped(selection)) refuseKeysWithoutEquality(selection)
  return {
    resource,
    selection,
    where: planConditions(resource, level.conditions, embedsOf(selection)),
    order: planOrder(resource, level.order, selection),
    range: limited(level.range, rowsMax),
  }
}

function refuseKeysWithoutEquality(selection: readonly Selected[]): void {
  for (const selected of selection) {
    if (selected.kind === 'embed' && selected.spread) refuseKeysWithoutEquality(selected.plan.selection)
    if (selected.kind === 'embed' || selected.aggregate !== null) continue
    const type = castType(selected.column && typeOf(selected.column), selected.cast)
    if (type?.lacksEquality) throw failure.groupImpossible(type.name)
  }
}

export const limited = (range: Range, rowsMax: number | null): Range =>
  rowsMax === null ? range : { ...range, limit: Math.min(range.limit ?? rowsMax, rowsMax) }

const selectedMax = 100

function planSelection(asked: Asked): Selected[] {
  const selection = new Map<string, Selected>()
  for (const item of asked.select.flatMap((item) => expand(item, asked.resource))) {
    const selected = item.kind === 'embed' ? planEmbed(item, asked) : planField(item, asked)
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

function planField(item: SelectField, { resource, zone }: Asked): Field {
  // `select=count` is older than `count()`, and the more used of the two.
  const isCount = item.name === null || (item.name === 'count' && !item.aggregate && !resource.columns.has('count'))
  const column = isCount || item.name === null ? null : findColumn(resource, item.name)
  const aggregate = isCount ? 'count' : item.aggregate
  const type = column && typeOf(column)
  const cast = item.cast === null ? null : findCast(shownType(type, null), item.cast)
  const aggregated = castType(type, cast)
  if (aggregated && aggregate && !aggregated.aggregates[aggregate])
    throw failure.functionUnknown(`${aggregate}(${aggregated.name})`)
  return {
    kind: 'field',
    key: keyOf(item.alias ?? aggregate ?? item.name ?? 'count'),
    column,
    cast,
    aggregate,
    aggregateCast: item.aggregateCast === null ? null : findCast(shownType(aggregated, aggregate), item.aggregateCast),
    zone: type?.isMoment ? zone : null,
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
