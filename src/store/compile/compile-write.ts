import type { DeletePlan, InsertPlan, Narrowed, UpdatePlan } from '../../plan/plan.ts'
import { type Column, typeOf } from '../../resources/define.ts'
import type { Dialect } from '../dialect.ts'
import { embeddedBytesMax, pageRows, writtenBytesMax } from '../limits.ts'
import { areKnown } from '../new-rows.ts'
import { company, empty, identifier, join, keyword, type Piece, parameter, sql } from '../sql.ts'
import { companyRows, insertIntoCompany, ofRequest, updateCompanyRows } from './company-rows.ts'
import { compilePage, countMany, named, ownOrder, rootFrame } from './compile.ts'
import { columnOf, type Frame, matching, narrowing } from './compile-condition.ts'
import { compileEntries } from './compile-select.ts'
import { indexedKeys, indexUse } from './index-use.ts'
import { changeFields, memberText, storedFields } from './own-fields.ts'
import { keysIn, storedOf, valuesOf } from './write-values.ts'

/** Each of the statements tells what it wrote. */
export function compileInsert(plan: InsertPlan, dialect: Dialect, isLarge: boolean): readonly Piece[] {
  const { resource, values } = plan
  const { columns, rows } = storedOf(plan)
  const sources = rows.length === 1 ? [oneRow(columns, columns, values.length, dialect)] : dialect.rows(columns, rows)
  const names = columns.map(({ name }) => name)
  const merging = compileMerging(plan, dialect)
  return sources.flatMap((source, at) => {
    const write = sql`${insertIntoCompany(resource.name, names)} ${source}${onConflict(plan, dialect)}`
    const merge = merging[at]
    if (merge)
      return [
        sql`with written as (${write} returning ${identifier(resource.primaryKey.name)}) select 1 from written limit 0`,
        showing(merge, plan, dialect, isLarge),
      ]
    return [areKnown(plan) ? write : showing(write, plan, dialect, isLarge)]
  })
}

/** The values of the row stand behind those of the query. */
const oneRow = (columns: readonly Column[], all: readonly Column[], behind: number, dialect: Dialect): Piece => {
  const row = columns.map((column) => dialect.valueOf(column, sql`${parameter(behind + all.indexOf(column))}`))
  return sql`values (${join([sql`${company}`, ...row], ', ')})`
}

function onConflict({ conflict, resource }: InsertPlan, dialect: Dialect): Piece {
  if (conflict === null) return empty
  const arbiter = sql` on conflict (company_id, ${identifier(resource.primaryKey.name)})`
  if (conflict.action === 'ignore') return sql`${arbiter} do nothing`
  const changes = conflict.changes
    .filter(({ field }) => !field)
    .map(({ name }) => sql`${identifier(name)} = excluded.${identifier(name)}`)
  const fields = dialect.computesInWrites ? mergedFields({ conflict, resource }, 'excluded', dialect) : []
  return sql`${arbiter} do update set ${join([...changes, ...fields], ', ')}`
}

/** A company's own fields in an upsert: those that are sent, and the row's own for the others. */
function mergedFields(
  { conflict, resource }: Pick<InsertPlan, 'conflict' | 'resource'>,
  alias: string,
  dialect: Dialect,
) {
  const fields = conflict?.action === 'merge' ? conflict.changes.filter(({ field }) => field) : []
  if (!resource.own || fields.length === 0) return []
  const sent = new Map(fields.map((column) => [column, memberText({ name: column.name }, { alias, dialect })]))
  return [changeFields(resource.own, sent, { alias: resource.name, dialect })]
}

/** Updates that follow an upsert, where it cannot merge fields by itself. A row that is new has what was sent already. */
function compileMerging(plan: InsertPlan, dialect: Dialect): readonly Piece[] {
  const { resource, values } = plan
  const [changes] = dialect.computesInWrites ? [] : mergedFields(plan, 'sent', dialect)
  if (!changes) return []
  const { columns: all, rows } = storedOf(plan)
  const columns = all.filter((column) => column === resource.primaryKey || column.name === 'fields')
  const pick = (row: (typeof rows)[number]) => columns.map((column) => row[all.indexOf(column)] ?? null)
  const sources =
    rows.length === 1 ? [oneRow(columns, all, values.length, dialect)] : dialect.rows(columns, rows.map(pick))
  const key = identifier(resource.primaryKey.name)
  const names = join([identifier('company_id'), ...columns.map(({ name }) => identifier(name))], ', ')
  return sources.map((source) => {
    const from = sql` from (${source}) as sent (${names})`
    return sql`${updateCompanyRows(resource.name, ofRequest, changes, from)} and ${columnOf(rootFrame(plan, dialect), resource.primaryKey)} = sent.${key}`
  })
}

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
  // With more rows, the write is refused.
  const range = { offset: 0, limit: pageRows + 1 }
  const found = sql`${matching(plan, [], frame)}${amongIndexed(plan, frame)}`
  const locked = sql`select 1 from ${found}${dialect.limit(range)}${dialect.forUpdate}`
  return [locked, compilePage({ ...plan, range, counted: false }, dialect, writtenBytesMax)]
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
  // Rows that were looked at are locked, and match.
  const matches = form.isNarrowed ? empty : narrowing(plan, [], frame)
  const rows =
    plan.kind === 'update' ? updateOf(plan, frame) : sql`delete from ${companyRows(plan.resource.name, ofRequest)}`
  const write = sql`${rows}${matches}${amongChosen(plan, frame, form)}${amongNarrowed(plan, frame, form)}`
  return plan.returning.length === 0 ? dialect.counting(write) : [showing(write, plan, dialect, form.isLarge)]
}

/** ` and …`: only the rows that the index of a field finds, where there is one. No join, so that only the rows themselves are locked. */
function amongIndexed(plan: Narrowed, frame: Frame): Piece {
  const use = indexUse(plan)
  return use ? sql` and ${columnOf(frame, plan.resource.primaryKey)} in (${indexedKeys(use)})` : empty
}

/** ` and …`: the rows that a write is about, found in the shortest way. */
export const amongFound = (plan: UpdatePlan | DeletePlan, frame: Frame, form: WriteForm): Piece =>
  form.isChosen ? amongChosen(plan, frame, form) : amongIndexed(plan, frame)

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
  const rows = sql`${matching(plan, [], frame)}${amongIndexed(plan, frame)}`
  const keys = sql`select ${columnOf(frame, plan.resource.primaryKey)} from ${rows}`
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
  return updateCompanyRows(resource.name, ofRequest, join(assignments, ', '))
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
