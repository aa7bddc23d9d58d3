import type { Condition, Embed, Field, RowsPlan, Selected } from '../../plan/plan.ts'
import { embedsOf, isEmpty, isGrouped } from '../../plan/selection.ts'
import { type Column, type OwnFields, typeOf } from '../../resources/define.ts'
import { castType, shownType, typeOfField } from '../../types/find-cast.ts'
import type { Entry } from '../dialect.ts'
import { empty, identifier, join, keyword, type Piece, sql } from '../sql.ts'
import {
  castValue,
  direction,
  type Frame,
  fieldValue,
  frameOf,
  matching,
  nullsPlace,
  orderBy,
  related,
} from './compile-condition.ts'
import { indexUse } from './index-use.ts'
import { shownFields } from './own-fields.ts'

/** What each row shows, and where the rows come from. */
export interface Shown {
  readonly entries: readonly Entry[]
  readonly source: Piece
}

/** A read, or what an embed shows of the row around it, of the rows that match. */
function compileShown(plan: RowsPlan, frame: Frame, matched: Piece, isSpread = false): Shown {
  const rows = sql`from ${matched}`
  if (isGrouped(plan.selection)) return compileGroups(plan, frame, rows)
  const sorted = sql`${orderBy(plan.order, frame)}${frame.dialect.limit(plan.range)}`
  // Where they sort or skip, the engines would make the JSON of every row before they drop all but a few.
  const isCut = plan.range.limit !== null && (plan.range.offset > 0 || isSorted(plan))
  const all = frame.index ? sql`${identifier(frame.alias)}.*` : keyword('*')
  const source = isCut
    ? sql`from (select ${all} ${rows}${sorted}) as ${identifier(frame.alias)}`
    : sql`${rows}${sorted}`
  return { entries: isSpread ? singleEntries(plan.selection, frame) : compileEntries(plan, frame), source }
}

/** Whether the rows may have to be sorted: an index gives them by their key, of all or of those that are equal in something. */
function isSorted({ order: [first], resource, where }: RowsPlan): boolean {
  if (!first) return false
  const isEqual = (one: Condition) => one.kind === 'comparison' && one.operator === 'eq' && one.quantifier === null
  return first.column !== resource.primaryKey || first.via !== null || !where.every(isEqual)
}

/** The members of the JSON object that one row becomes. A company's own fields are shown together, if all of them are selected in their order. */
export function compileEntries(
  { resource, selection }: Pick<RowsPlan, 'resource' | 'selection'>,
  frame: Frame,
): Entry[] {
  const { own } = resource
  const start = own ? startOfFields(own, selection) : -1
  if (!own || start < 0 || selection.length - own.columns.length > othersMax) return singleEntries(selection, frame)
  const end = start + own.columns.length
  const members = selection.slice(end).some(isShown) ? 'inner' : 'last'
  return [
    ...singleEntries(selection.slice(0, start), frame),
    { key: '', value: shownFields(own, frame, members), ...json, members },
    ...singleEntries(selection.slice(end), frame),
  ]
}

/** An embed that shows nothing has no member. */
const isShown = (selected: Selected): boolean => selected.kind === 'field' || !isEmpty(selected)

/** Beside fields that are shown together. PostgreSQL puts no more than 49 members together as text. */
const othersMax = 40

/** Where all of the fields are selected as they are stored; -1 for nowhere. */
function startOfFields({ columns }: OwnFields, selection: readonly Selected[]): number {
  const isPlain = (selected: Selected | undefined, column: Column) =>
    selected?.kind === 'field' &&
    selected.column === column &&
    selected.key === column.name &&
    selected.cast === null &&
    selected.aggregate === null
  return selection.findIndex((_, at) => columns.every((column, i) => isPlain(selection[at + i], column)))
}

function singleEntries(selection: readonly Selected[], frame: Frame): Entry[] {
  return selection.flatMap((selected) =>
    selected.kind === 'field'
      ? [{ key: selected.key, value: fieldValue(selected, frame), ...shownAs(selected) }]
      : embedEntries(selected, frame),
  )
}

const shownAs = (field: Field): Omit<Entry, 'key' | 'value'> => ({
  isJson: false,
  type: typeOfField(field.column && typeOf(field.column), field),
  isNullable: !field.column || field.cast !== null || field.column.nullable === true,
})

function embedEntries(embed: Embed, frame: Frame): Entry[] {
  const { key, plan, relation, spread } = embed
  if (isEmpty(embed)) return []
  const { dialect } = frame
  const inner = frameOf(embed, frame)
  // One row is in order as it is.
  const shown = relation.many ? plan : { ...plan, order: [] }
  const { entries, source } = compileShown(shown, inner, related(embed, inner, frame), spread)
  if (!spread) {
    const value = relation.many ? dialect.array(entries, source, frame.embedBytesMax) : dialect.object(entries, source)
    return [{ key, value, ...json }]
  }
  return entries.map((entry) =>
    relation.many
      ? { key: entry.key, value: dialect.valueArray(entry, source, frame.embedBytesMax), ...json }
      : { ...entry, value: sql`(select ${entry.value} ${source})`, isNullable: true },
  )
}

const json = { isJson: true, type: null, isNullable: true } as const

/** Aggregates group by everything else that is selected, embeds included; these are computed first, in a table of their own. */
function compileGroups(plan: RowsPlan, frame: Frame, rows: Piece): Shown {
  const columns = groupColumns(plan.selection, frame)
  const inner = columns.map(({ value, name }) => sql`${value} as ${identifier(name)}`)
  const keys = columns.filter(({ field }) => !field?.aggregate).map((column) => keyOf(column, frame))
  const source = sql`from (select ${join(inner, ', ')} ${rows}) as grouped`
  const grouping =
    keys.length === 0
      ? empty
      : sql` group by ${join(keys, ', ')} order by ${join([...orderedKeys(plan, columns, frame), ...keys], ', ')}`
  return {
    entries: columns.map((column) => ({
      key: column.key,
      value: groupValue(column, frame),
      isJson: column.isJson,
      type: column.type,
      isNullable: true,
    })),
    source: sql`${source}${grouping}${frame.dialect.limit(plan.range)}`,
  }
}

interface GroupColumn extends Entry {
  readonly name: string
  /** What is selected, where it is not an embed, and the embed that it was lifted out of. */
  readonly field: Field | null
  readonly via: Embed | null
}

function groupColumns(selection: readonly Selected[], frame: Frame): GroupColumn[] {
  return selection
    .flatMap((selected) => groupParts(selected, frame))
    .map((column, at) => ({ ...column, name: `g${at}` }))
}

function groupParts(selected: Selected, frame: Frame): Omit<GroupColumn, 'name'>[] {
  if (selected.kind === 'field') {
    const value = fieldValue(selected, frame)
    return [{ key: selected.key, value, ...shownAs(selected), field: selected, via: null }]
  }
  if (selected.spread && !selected.relation.many) return liftedParts(selected, frame)
  return embedEntries(selected, frame).map((entry) => ({
    ...entry,
    value: entry.isJson ? frame.dialect.keyText(entry.value) : entry.value,
    field: null,
    via: null,
  }))
}

/** What a spread shows belongs to the row around it, aggregates too: its values are fetched row by row and put together outside. */
function liftedParts(embed: Embed, frame: Frame): Omit<GroupColumn, 'name'>[] {
  const inner = frameOf(embed, frame)
  const source = sql`from ${related(embed, inner, frame)}`
  return embed.plan.selection
    .flatMap((selected) => groupParts(selected, inner))
    .map((part) => ({ ...part, value: sql`(select ${part.value} ${source})`, via: embed }))
}

function groupValue({ name, field, isJson }: GroupColumn, frame: Frame): Piece {
  const { dialect } = frame
  const value = identifier('grouped', name)
  if (!field?.aggregate) return isJson ? dialect.asJson(value) : value
  const of = castType(field.column && typeOf(field.column), field.cast)
  const result = dialect.aggregate(value, field.aggregate, of?.aggregates[field.aggregate])
  const { aggregateCast: cast, zone } = field
  return cast ? castValue(result, shownType(of, field.aggregate), { cast, zone }, frame) : result
}

const keyOf = ({ name, type }: GroupColumn, { dialect }: Frame): Piece =>
  dialect.sortKey(identifier('grouped', name), type)

function orderedKeys({ order }: RowsPlan, columns: readonly GroupColumn[], frame: Frame): Piece[] {
  return order.flatMap(({ column, cast, via, descending, nullsFirst }) => {
    const same = columns.filter((one) => one.field?.column === column && one.via === via && !one.field.aggregate)
    const key = same.find((one) => one.field?.cast === cast) ?? same[0]
    return key ? [sql`${keyOf(key, frame)}${direction(descending)}${nullsPlace(nullsFirst)}`] : []
  })
}

/** The whole of a read that is not part of another. */
export function compileRead(plan: RowsPlan, frame: Frame): Shown {
  const indexed = { ...frame, index: indexUse(plan) }
  return compileShown(plan, indexed, matching(plan, embedsOf(plan.selection), indexed))
}
