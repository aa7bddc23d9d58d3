import type { Narrowed, Order, ReadPlan, RowsPlan } from '../../plan/plan.ts'
import { isByKey } from '../../plan/plan-condition.ts'
import { embedsOf, isGrouped } from '../../plan/selection.ts'
import type { Dialect } from '../dialect.ts'
import { embeddedBytesMax } from '../limits.ts'
import { empty, identifier, join, keyword, type Piece, sql } from '../sql.ts'
import { columnOf, type Frame, matching, orderBy, orderedValue } from './compile-condition.ts'
import { compileEntries, compileRead } from './compile-select.ts'
import { indexUse, indexUseByKey } from './index-use.ts'

/** The texts of the plan's rows, how many they are, and the total where it is wanted: in one row, or none where there is nothing. */
export function compilePage(plan: Counted, dialect: Dialect, bytesMax: number | null = null): Piece {
  const frame = rootFrame(plan, dialect)
  if (isOneAtMost(plan)) return compileOne(plan, frame)
  const { entries, source } = compileRead(plan, frame)
  const extra = plan.counted ? sql`(${compileTotal(plan, dialect)})` : keyword('null')
  return dialect.page(entries, source, { extra, bytesMax })
}

/** As `compilePage`. Where the engine prefers it, and the total is not wanted: the text of each row in a row of its own. */
export function compileList(plan: Counted, dialect: Dialect): Piece {
  if (dialect.list === null || plan.counted || isOneAtMost(plan)) return compilePage(plan, dialect)
  const { entries, source } = compileRead(plan, rootFrame(plan, dialect))
  return dialect.list(entries, source)
}

/** Rows, and whether their total is wanted. */
type Counted = RowsPlan & Pick<ReadPlan, 'counted'>

/** Whether the plan asks for a row by its key, and for nothing that would need another one. */
const isOneAtMost = ({ resource, selection, where, range, counted }: Counted): boolean =>
  !counted && range.offset === 0 && !isGrouped(selection) && where.some((condition) => isByKey(condition, resource))

/** As `dialect.page`, without putting rows in order and together: there is one, or the result is empty. */
function compileOne(plan: RowsPlan, frame: Frame): Piece {
  const text = frame.dialect.rowText(compileEntries(plan, frame))
  return sql`select ${text}, 1, null from ${matching(plan, embedsOf(plan.selection), frame)}`
}

/** How many rows match, whatever the range. */
export function compileTotal(plan: RowsPlan, dialect: Dialect): Piece {
  const frame = { ...rootFrame(plan, dialect), index: indexUse({ ...plan, order: [] }) }
  return sql`select count(*) from ${matching(plan, embedsOf(plan.selection), frame)}`
}

/** Whether a long list can go on where its last row was, or has to count rows from the start. */
export const hasKeys = (plan: ReadPlan): boolean =>
  !isGrouped(plan.selection) && plan.order.every(({ via, column }) => via === null && !column.nullable)

/** A part of a list in the order of its keys alone: its rows as one text, their number, and the last key. */
export function compilePart(plan: ReadPlan, dialect: Dialect, after: readonly string[] | null): Piece {
  const frame = { ...rootFrame(plan, dialect), index: indexUseByKey(plan) }
  const [order] = plan.order
  const value = orderedValue(plan.resource.primaryKey, frame)
  // The last key is also the greatest or the least.
  const key = { value, descending: order?.descending ?? false }
  return dialect.part(compileEntries(plan, frame), sourceBehind(plan, frame, after), key)
}

/** Rows one by one, for `readWithin`: the text of each, and behind it the values that the order goes by. */
export function compileRows(plan: ReadPlan, dialect: Dialect, after: readonly string[] | null): Piece {
  const root = rootFrame(plan, dialect, Math.floor(embeddedBytesMax / Math.max(1, countMany(plan))))
  const frame = { ...root, index: indexUseByKey(plan) }
  const { entries, source } = hasKeys(plan)
    ? { entries: compileEntries(plan, frame), source: sourceBehind(plan, frame, after) }
    : compileRead(plan, frame)
  const keys = hasKeys(plan) ? plan.order.map(({ column }) => dialect.textOf(column, columnOf(frame, column))) : []
  return sql`select ${named([dialect.rowText(entries), ...keys])} ${source}`
}

/** `… as text, … as key_1`: those who read rows one by one know them by name. */
export const named = ([text = empty, ...keys]: readonly Piece[]): Piece =>
  join([sql`${text} as text`, ...keys.map((key, at) => sql`${key} as ${identifier(`key_${at + 1}`)}`)], ', ')

function sourceBehind(plan: ReadPlan, frame: Frame, after: readonly string[] | null): Piece {
  const own = matching(plan, embedsOf(plan.selection), frame)
  const rows = after === null ? own : sql`${own} and ${behind(plan, frame, after)}`
  return sql`from ${rows}${orderBy(plan.order, frame)}${frame.dialect.limit(plan.range)}`
}

/** Embeds of many rows, at every depth. */
export const countMany = ({ selection }: Pick<RowsPlan, 'selection'>): number =>
  selection.reduce(
    (count, one) => (one.kind === 'field' ? count : count + (one.relation.many ? 1 : 0) + countMany(one.plan)),
    0,
  )

/** How many rows are in the plan's range. */
export function compileCount(plan: ReadPlan, dialect: Dialect): Piece {
  const { source } = compileRead({ ...plan, order: [] }, rootFrame(plan, dialect))
  return sql`select count(*) from (select 1 ${source}) as counted`
}

/** `a > x or (a = x and b > y)`: everything that the order puts behind a row. */
function behind({ order }: ReadPlan, frame: Frame, after: readonly string[]): Piece {
  const last = order.map(({ column }, at) => frame.dialect.valueOf(column, sql`${after[at] ?? ''}`))
  const steps = order.map(({ column, descending }, at) => {
    const same = order.slice(0, at).map((term, i) => sql`${orderedValue(term.column, frame)} = ${last[i] ?? empty}`)
    const beyond = descending ? keyword('<') : keyword('>')
    return join([...same, sql`${orderedValue(column, frame)} ${beyond} ${last[at] ?? empty}`], ' and ')
  })
  return sql`((${join(steps, ') or (')}))`
}

/** The part of an order that needs nothing but the rows themselves. */
export const ownOrder = ({ order }: { readonly order: readonly Order[] }): Order[] =>
  order.filter(({ via }) => via === null)

export const rootFrame = ({ resource }: Narrowed, dialect: Dialect, embedBytesMax: number | null = null): Frame => ({
  alias: resource.name,
  depth: 0,
  dialect,
  embedBytesMax,
})
