import type { DeletePlan, InsertPlan, Narrowed, Order, ReadPlan, RowsPlan, UpdatePlan } from '../../plan/plan.ts'
import { isByKey } from '../../plan/plan-condition.ts'
import { isGrouped } from '../../plan/selection.ts'
import { type Column, typeOf } from '../../resources/define.ts'
import type { Dialect } from '../database.ts'
import { embeddedBytesMax, pageRows, writtenBytesMax } from '../limits.ts'
import { areKnown } from '../new-rows.ts'
import { company, empty, identifier, join, keyword, type Piece, parameter, sql } from '../sql.ts'
import { companyRows, insertIntoCompany, ofRequest, updateCompanyRows } from './company-rows.ts'
import { columnOf, type Frame, matching, narrowing, orderBy, orderedValue } from './compile-condition.ts'
import { compileEntries, compileRead, embedsOf } from './compile-select.ts'
import { indexUse, indexUseByKey } from './index-use.ts'
import { changeFields, memberText, storedFields } from './own-fields.ts'
import { keysIn, storedOf, valuesOf } from './write-values.ts'

/** The texts of the plan's rows, how many they are, and the total where it is wanted: in one row, or none where there is nothing. */
function compilePage(plan: Counted, dialect: Dialect): Piece {
  const frame = rootFrame(plan, dialect)
  if (isOneAtMost(plan)) return compileOne(plan, frame)
  const { entries, source } = compileRead(plan, frame)
  return dialect.page(entries, source, plan.counted ? sql`(${compileTotal(plan, dialect)})` : keyword('null'))
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
  return sql`select ${text}, 1, null from ${matching(plan, embedsOf(plan), frame)}`
}

/** How many rows match, whatever the range. */
export function compileTotal(plan: RowsPlan, dialect: Dialect): Piece {
  const frame = { ...rootFrame(plan, dialect), index: indexUse({ ...plan, order: [] }) }
  return sql`select count(*) from ${matching(plan, embedsOf(plan), frame)}`
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
const named = ([text = empty, ...keys]: readonly Piece[]): Piece =>
  join([sql`${text} as text`, ...keys.map((key, at) => sql`${key} as ${identifier(`key_${at + 1}`)}`)], ', ')

function sourceBehind(plan: ReadPlan, frame: Frame, after: readonly string[] | null): Piece {
  const own = matching(plan, embedsOf(plan), frame)
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

/** Each of the statements tells what it wrote. */
export function compileInsert(plan: InsertPlan, dialect: Dialect, isLarge: boolean): readonly Piece[] {
  const { resource, values } = plan
  const { columns, rows } = storedOf(plan)
  const sources = rows.length === 1 ? [oneRow(columns, values.length, dialect)] : dialect.rows(columns, rows)
  const names = columns.map(({ name }) => name)
  return sources.map((source) => {
    const write = sql`${insertIntoCompany(resource.name, names)} ${source}${onConflict(plan, dialect)}`
    return areKnown(plan) ? write : showing(write, plan, dialect, isLarge)
  })
}

/** The values of the row stand behind those of the query. */
const oneRow = (columns: readonly Column[], behind: number, dialect: Dialect): Piece => {
  const row = columns.map((column, at) => dialect.valueOf(column, sql`${parameter(behind + at)}`))
  return sql`values (${join([sql`${company}`, ...row], ', ')})`
}

function onConflict({ conflict, resource }: InsertPlan, dialect: Dialect): Piece {
  if (conflict === null) return empty
  const arbiter = sql` on conflict (company_id, ${identifier(resource.primaryKey.name)})`
  if (conflict.action === 'ignore') return sql`${arbiter} do nothing`
  const { builtIn, fields } = splitChanges(conflict.changes)
  const changes = builtIn.map(({ name }) => sql`${identifier(name)} = excluded.${identifier(name)}`)
  const sent = new Map(fields.map((column) => [column, memberText(column, { alias: 'excluded', dialect })]))
  const place = { alias: resource.name, dialect }
  const all = resource.own && fields.length > 0 ? [...changes, changeFields(resource.own, sent, place)] : changes
  return sql`${arbiter} do update set ${join(all, ', ')}`
}

/** Columns of the table, and a company's own fields. */
const splitChanges = (columns: readonly Column[]) => ({
  builtIn: columns.filter(({ field }) => !field),
  fields: columns.filter(({ field }) => field),
})

/** How many of the rows to insert are there already. */
export const compileExisting = (plan: InsertPlan, dialect: Dialect): Piece =>
  sql`select count(*) from ${compilePresent(plan, dialect)}`

/** The keys of those that are there already. Nobody deletes them before the write. */
export const compileStarted = (plan: InsertPlan, dialect: Dialect): Piece => {
  const { primaryKey } = plan.resource
  const key = dialect.textOf(primaryKey, columnOf(rootFrame(plan, dialect), primaryKey))
  return sql`select ${key} from ${compilePresent(plan, dialect)}${dialect.forUpdate}`
}

/** Those rows of the company that have the ids of the rows to insert, for `from`. */
export function compilePresent(plan: InsertPlan, dialect: Dialect): Piece {
  const { name, primaryKey } = plan.resource
  const present = dialect.compare({
    column: primaryKey,
    value: columnOf(rootFrame(plan, dialect), primaryKey),
    operator: 'in',
    quantifier: null,
    language: 'simple',
    operand: keysIn(plan),
  })
  return sql`${companyRows(name, ofRequest)} and ${present}`
}

/** Keeps the rows that are to be changed as they are, and shows them. */
export function compileLocked(plan: InsertPlan | UpdatePlan | DeletePlan, dialect: Dialect): Piece[] {
  const frame = rootFrame(plan, dialect)
  const locked = sql`select 1 from ${matching(plan, [], frame)}${dialect.forUpdate}`
  const range = { offset: 0, limit: pageRows + 1 }
  return [locked, compilePage({ ...plan, range, counted: false }, dialect)]
}

/** How a write is done that is not as small as most are. */
export interface WriteForm {
  /** What it shows may be too much. */
  readonly isLarge: boolean
  /** Its rows were chosen before. */
  readonly isChosen: boolean
  /** It changes no other rows than those whose keys stand behind its values. */
  readonly isNarrowed?: boolean
  /** The values of the event of the one row that it writes. */
  readonly event?: readonly (string | null)[] | null
}

/** The last of the statements tells what was written: a row for each, or their number where nobody wants to see them. */
export function compileChange(plan: UpdatePlan | DeletePlan, dialect: Dialect, form: WriteForm): readonly Piece[] {
  const frame = rootFrame(plan, dialect)
  const rows = plan.kind === 'update' ? updateOf(plan, frame) : sql`delete from ${matching(plan, [], frame)}`
  const write = sql`${rows}${amongChosen(plan, frame, form)}${amongNarrowed(plan, frame, form)}`
  return plan.returning.length === 0 ? dialect.counting(write) : [showing(write, plan, dialect, form.isLarge)]
}

/** ` and …`: only the rows that were chosen before. */
export function amongChosen({ resource }: Narrowed, frame: Frame, { isChosen }: WriteForm): Piece {
  const { chosen } = frame.dialect
  return isChosen && chosen ? sql` and ${chosen.includes(columnOf(frame, resource.primaryKey))}` : empty
}

/** ` and …`: only the rows whose keys stand behind the values of the write. */
function amongNarrowed(plan: UpdatePlan | DeletePlan, frame: Frame, { isNarrowed }: WriteForm): Piece {
  if (!isNarrowed) return empty
  const { primaryKey } = plan.resource
  const operand = { param: valuesOf(plan).length, count: 0 }
  const among = { operator: 'in', quantifier: null, language: 'simple', operand } as const
  return sql` and ${frame.dialect.compare({ ...among, column: primaryKey, value: columnOf(frame, primaryKey) })}`
}

/** The keys of the rows that a write will change, to be remembered. */
export function compileChoice(plan: UpdatePlan | DeletePlan, dialect: Dialect): readonly Piece[] {
  const frame = rootFrame(plan, dialect)
  const keys = sql`select ${columnOf(frame, plan.resource.primaryKey)} from ${matching(plan, [], frame)}`
  return dialect.chosen?.remember(keys) ?? []
}

function updateOf(plan: UpdatePlan, frame: Frame): Piece {
  const { resource, changes, values } = plan
  const fields = new Map<Column, Piece>()
  const assignments: Piece[] = []
  for (const [at, { column }] of changes.entries()) {
    const param = values.length + at
    if (column.field) fields.set(column, newMember(column, param))
    else assignments.push(sql`${identifier(column.name)} = ${frame.dialect.valueOf(column, sql`${parameter(param)}`)}`)
  }
  if (resource.own && fields.size > 0) assignments.push(changeFields(resource.own, fields, frame))
  return sql`${updateCompanyRows(resource.name, ofRequest, join(assignments, ', '))}${narrowing(plan, [], frame)}`
}

/** The JSON of a value of the request. */
const newMember = (column: Column, param: number): Piece =>
  sql`coalesce(cast(${parameter(param, typeOf(column).toJson)} as text), 'null')`

const showing = (
  write: Piece,
  plan: InsertPlan | UpdatePlan | DeletePlan,
  dialect: Dialect,
  isLarge: boolean,
): Piece => {
  const frame = rootFrame(plan, dialect)
  const builtIn = [...plan.resource.columns.values()].filter(({ field }) => !field)
  const columns = [
    ...builtIn.map((column) => columnOf(frame, column)),
    ...(plan.resource.own ? storedFields(frame) : []),
  ]
  const embedBytesMax = isLarge
    ? Math.floor(embeddedBytesMax / Math.max(1, countMany({ selection: plan.returning })))
    : null
  const written = {
    table: identifier(frame.alias),
    columns: join(columns, ', '),
    shown: compileShown(plan, dialect, embedBytesMax),
  }
  return dialect.showing(write, written, isLarge ? writtenBytesMax : null)
}

/** For each row written: its text, unless nobody wants to see it, its key, and what the order goes by. */
export function compileShown(
  plan: InsertPlan | UpdatePlan | DeletePlan,
  dialect: Dialect,
  embedBytesMax: number | null = null,
): Piece {
  const frame = rootFrame(plan, dialect, embedBytesMax)
  const text =
    plan.returning.length === 0
      ? keyword("''")
      : dialect.rowText(compileEntries({ resource: plan.resource, selection: plan.returning }, frame))
  const columns = [plan.resource.primaryKey, ...ownOrder(plan).map(({ column }) => column)]
  return named([text, ...columns.map((column) => dialect.textOf(column, columnOf(frame, column)))])
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
