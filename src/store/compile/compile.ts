import { onceForEach } from '../../once-for-each.ts'
import type { DeletePlan, InsertPlan, Order, ReadPlan, Scoped, UpdatePlan } from '../../plan/plan.ts'
import { isByKey } from '../../plan/plan-condition.ts'
import { isGrouped } from '../../plan/plan-read.ts'
import type { Resource } from '../../resources/define.ts'
import type { Dialect } from '../database.ts'
import { areKnown } from '../new-rows.ts'
import { empty, identifier, join, keyword, render, Sql, sql } from '../sql.ts'
import { columnOf, type Frame, matching, orderBy, table } from './compile-condition.ts'
import { compileEntries, compileRead, embedsOf } from './compile-select.ts'

/** The texts of the plan's rows, how many they are, and the total where it is wanted: in one row, or none where there is nothing. */
export function compilePage(plan: ReadPlan, dialect: Dialect): Sql {
  const frame = rootFrame(plan, dialect)
  if (isOneAtMost(plan)) return compileOne(plan, frame)
  const { entries, source } = compileRead(plan, frame)
  return dialect.page(entries, source, plan.counted ? sql`(${compileTotal(plan, frame)})` : keyword('null'))
}

/** Whether the plan asks for a row by its key, and for nothing that would need another one. */
const isOneAtMost = ({ resource, selection, where, range, counted }: ReadPlan): boolean =>
  !counted && range.offset === 0 && !isGrouped(selection) && where.some((condition) => isByKey(condition, resource))

/** As `dialect.page`, without putting rows in order and together: there is one, or the result is empty. */
function compileOne(plan: ReadPlan, frame: Frame): Sql {
  const text = frame.dialect.rowText(compileEntries(plan.selection, frame))
  return sql`select ${text}, 1, null from ${table(plan, frame)} where ${matching(plan, embedsOf(plan), frame)}`
}

function compileTotal(plan: ReadPlan, frame: Frame): Sql {
  return sql`select count(*) from ${table(plan, frame)} where ${matching(plan, embedsOf(plan), frame)}`
}

/** Whether a long list can go on where its last row was, or has to count rows from the start. */
export const hasKeys = (plan: ReadPlan): boolean =>
  !isGrouped(plan.selection) && plan.order.every(({ via }) => via === null)

/** The statement for a part of a long list: its rows as text, and behind that the values that the order goes by. */
interface CompiledPart {
  readonly statement: Sql
  /** One row for all, with their number behind the text; otherwise one for each. */
  readonly isWhole: boolean
}

export function compilePart(plan: ReadPlan, dialect: Dialect, after: readonly string[] | null): CompiledPart {
  const frame = rootFrame(plan, dialect)
  if (!hasKeys(plan)) {
    const { entries, source } = compileRead(plan, frame)
    return { statement: sql`select ${dialect.rowText(entries)} ${source}`, isWhole: false }
  }
  const own = matching(plan, embedsOf(plan), frame)
  const where = after === null ? own : sql`${own} and ${behind(plan, frame, after)}`
  const source = sql`from ${table(plan, frame)} where ${where}${orderBy(plan.order, frame)}${dialect.limit(plan.range)}`
  const entries = compileEntries(plan.selection, frame)
  const keys = plan.order.map(({ column }) => columnOf(frame, column))
  const [key, ...others] = keys
  // In the order of one value, the last of it is also the greatest or the least.
  if (key && others.length === 0) {
    const descending = plan.order[0]?.descending ?? false
    return { statement: dialect.part(entries, source, { value: key, descending }), isWhole: true }
  }
  const shown = join([dialect.rowText(entries), ...keys.map((value) => dialect.keyText(value))], ', ')
  return { statement: sql`select ${shown} ${source}`, isWhole: false }
}

/** `a > x or (a = x and b > y)`: everything that the order puts behind a row. */
function behind({ order }: ReadPlan, { alias }: Frame, after: readonly string[]): Sql {
  const steps = order.map(({ column, descending }, at) => {
    const same = order.slice(0, at).map((term, i) => sql`${identifier(alias, term.column.name)} = ${after[i] ?? ''}`)
    const beyond = descending ? keyword('<') : keyword('>')
    return join([...same, sql`${identifier(alias, column.name)} ${beyond} ${after[at] ?? ''}`], ' and ')
  })
  return sql`((${join(steps, ') or (')}))`
}

export function compileInsert(plan: InsertPlan, dialect: Dialect): Sql {
  const { companyId, resource, columns, rows } = plan
  const [row = [], ...others] = rows
  const isOne = others.length === 0
  if (isOne && areKnown(plan)) return fill(plainInsert(dialect)(resource), [companyId, ...row])
  const source = isOne ? oneRow([companyId, ...row]) : dialect.rows(companyId, columns, rows)
  const write = sql`${insertInto(resource)} ${source}${onConflict(plan.conflict, resource.primaryKey.name)}`
  return areKnown(plan) ? write : showing(write, plan, dialect)
}

/** To create one row is what most writes do, and only the values differ. */
const plainInsert = onceForEach((dialect: Dialect) =>
  onceForEach((resource: Resource) => {
    const insert = sql`${insertInto(resource)} ${oneRow(['', ...resource.columns.keys()])}`
    return new Sql(insert.texts, [], render(insert, dialect.placeholder))
  }),
)

const fill = ({ texts, rendered }: Sql, values: readonly string[]): Sql => new Sql(texts, values, rendered)

const oneRow = (values: readonly string[]): Sql => {
  const holes = values.map((value) => sql`${value}`)
  return sql`values (${join(holes, ', ')})`
}

const insertInto = ({ name, columns }: Resource): Sql =>
  sql`insert into ${identifier(name)} (${join([identifier('company_id'), ...[...columns.keys()].map((column) => identifier(column))], ', ')})`

function onConflict(conflict: InsertPlan['conflict'], key: string): Sql {
  if (conflict === null) return empty
  const arbiter = sql` on conflict (company_id, ${identifier(key)})`
  if (conflict.action === 'ignore') return sql`${arbiter} do nothing`
  const changes = conflict.changes.map(({ name }) => sql`${identifier(name)} = excluded.${identifier(name)}`)
  return sql`${arbiter} do update set ${join(changes, ', ')}`
}

/** How many of the rows to insert are there already. */
export const compileExisting = (plan: InsertPlan, dialect: Dialect): Sql =>
  sql`select count(*) from ${identifier(plan.resource.name)} where ${compilePresent(plan, dialect)}`

/** Those rows of the company that have the ids of the rows to insert. */
export function compilePresent({ companyId, resource, columns, rows }: InsertPlan, dialect: Dialect): Sql {
  const { name, primaryKey } = resource
  const key = columns.indexOf(primaryKey)
  const present = dialect.compare({
    column: primaryKey,
    value: identifier(name, primaryKey.name),
    operator: 'in',
    quantifier: null,
    operands: rows.map((row) => row[key] ?? ''),
  })
  return sql`${identifier(name, 'company_id')} = ${companyId} and ${present}`
}

/** Keeps the rows that are to be changed as they are, and shows them. */
export function compileLocked(plan: InsertPlan | UpdatePlan | DeletePlan, dialect: Dialect): Sql[] {
  const frame = rootFrame(plan, dialect)
  const locked = sql`select 1 from ${table(plan, frame)} where ${matching(plan, [], frame)}${dialect.forUpdate}`
  const read = { ...plan, kind: 'read', range: { offset: 0, limit: null }, counted: false, shape: null } as const
  return [locked, compilePage(read, dialect)]
}

export function compileUpdate(plan: UpdatePlan, dialect: Dialect): Sql {
  const frame = rootFrame(plan, dialect)
  const changes = join(
    plan.changes.map(({ column, value }) => sql`${identifier(column.name)} = ${value}`),
    ', ',
  )
  const write = sql`update ${identifier(plan.resource.name)} set ${changes} where ${matching(plan, [], frame)}`
  return showing(write, plan, dialect)
}

export function compileDelete(plan: DeletePlan, dialect: Dialect): Sql {
  const frame = rootFrame(plan, dialect)
  return showing(sql`delete from ${identifier(plan.resource.name)} where ${matching(plan, [], frame)}`, plan, dialect)
}

const showing = (write: Sql, plan: InsertPlan | UpdatePlan | DeletePlan, dialect: Dialect): Sql => {
  const columns = [...plan.resource.columns.values()].map((column) => columnOf(rootFrame(plan, dialect), column))
  return dialect.showing(write, {
    table: identifier(plan.resource.name),
    columns: join(columns, ', '),
    shown: compileShown(plan, dialect),
  })
}

/** For each row written: its text, unless nobody wants to see it, its key, and what the order goes by. */
export function compileShown(plan: InsertPlan | UpdatePlan | DeletePlan, dialect: Dialect): Sql {
  const frame = rootFrame(plan, dialect)
  const text = plan.returning.length === 0 ? keyword("''") : dialect.rowText(compileEntries(plan.returning, frame))
  const columns = [plan.resource.primaryKey, ...ownOrder(plan).map(({ column }) => column)]
  return join([text, ...columns.map(({ name }) => dialect.keyText(identifier(frame.alias, name)))], ', ')
}

/** The part of an order that needs nothing but the rows themselves. */
export const ownOrder = ({ order }: { readonly order: readonly Order[] }): Order[] =>
  order.filter(({ via }) => via === null)

const rootFrame = ({ resource, companyId }: Scoped, dialect: Dialect): Frame => ({
  alias: resource.name,
  depth: 0,
  dialect,
  companyId,
})
