import type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from '../../plan/plan.ts'
import { columnsOf } from '../../resources/define.ts'
import { rootFrame } from '../compile/compile.ts'
import { columnOf, matching } from '../compile/compile-condition.ts'
import { amongFound, compilePresent, type WriteForm } from '../compile/compile-write.ts'
import { changeIndex } from '../compile/index-entries.ts'
import { leadingStatements } from '../compile/prepare.ts'
import { valuesOf } from '../compile/write-values.ts'
import type { Rows } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import type { RowValues } from '../row-text.ts'
import { empty, fill, join, type Piece, parameter, type Sql, sql } from '../sql.ts'
import { type Change, created, deleted, merged, mergedUnseen, updated } from './change.ts'
import { compileEvents, eventValues } from './compile-events.ts'

/** A write whose next statements depend on what the ones before found. It returns what the write itself found. */
export type WriteSteps = Generator<readonly Sql[], readonly Rows[], readonly Rows[]>

/** Rows that are looked at together: each part is followed by a wait, in which other requests are served. */
const partRows = 500

/** A write, once the keys of the rows that it may change are known. */
type Write = (keys: readonly string[]) => readonly Sql[]

/** An update or a delete with its events: the rows are locked and read first, and the write changes no others. */
export function* changeWithEvents(
  plan: UpdatePlan | DeletePlan,
  dialect: Dialect,
  form: WriteForm,
  write: Write,
): WriteSteps {
  const keys: string[] = []
  const place = columnsOf(plan.resource).indexOf(plan.resource.primaryKey)
  // The rows are checked as they are found: once their events and entries are written, an index no longer finds them.
  const leading = leadingStatements(plan)
  const checks = leading === 0 ? [] : write([]).slice(0, leading)
  let checked: readonly Rows[] = []
  let events: readonly Sql[] = []
  for (;;) {
    const last = keys.at(-1)
    const before = compileBefore(plan, dialect, form, last !== undefined)
    const look = fill(before, last === undefined ? plan.values : [...plan.values, last])
    const results = yield [...(last === undefined ? checks : events), look]
    if (last === undefined) checked = results.slice(0, checks.length)
    const found = (results.at(-1) ?? []).map(valuesIn)
    for (const row of found) keys.push(row[place] ?? '')
    const changes = found.map((row) => (plan.kind === 'update' ? updated(plan, row) : deleted(plan, row)))
    events = accompany(plan, changes, dialect)
    if (found.length < partRows) break
  }
  const results = yield [...events, ...write(keys).slice(leading)]
  return [...checked, ...results.slice(events.length)]
}

/** The next rows that a write is about, as they are, by their key. */
function compileBefore(plan: UpdatePlan | DeletePlan, dialect: Dialect, form: WriteForm, isNext: boolean): Piece {
  const frame = rootFrame(plan, dialect)
  const { primaryKey } = plan.resource
  const key = columnOf(frame, primaryKey)
  const behind = isNext
    ? sql` and ${key} > ${dialect.valueOf(primaryKey, sql`${parameter(plan.values.length)}`)}`
    : empty
  const rows = sql`${matching(plan, [], frame)}${amongFound(plan, frame, form)}${behind}`
  return sql`select ${valuesPiece(plan, dialect)} from ${rows} order by ${key}${dialect.limit({ offset: 0, limit: partRows })}${dialect.forUpdate}`
}

/** New rows with their events: all that is to be said of them stands in the plan. */
export function* insertWithEvents(plan: InsertPlan, dialect: Dialect, write: readonly Sql[]): WriteSteps {
  const eventsFrom = (at: number): readonly Sql[] =>
    accompany(
      plan,
      plan.rows.slice(at, at + partRows).map((row) => created(plan, row)),
      dialect,
    )
  const results = yield [...write, ...eventsFrom(0)]
  for (let at = partRows; at < plan.rows.length; at += partRows) yield eventsFrom(at)
  return results.slice(0, write.length)
}

/** An upsert with its events. */
export function* upsertWithEvents(plan: InsertPlan, dialect: Dialect, write: Write): WriteSteps {
  const isMerge = plan.conflict?.action === 'merge'
  const key = columnOf(rootFrame(plan, dialect), plan.resource.primaryKey)
  // All writers lock rows in the same order, so that no two wait for each other.
  const present = (lock: Sql): Sql =>
    fill(
      sql`select ${valuesPiece(plan, dialect)} from ${compilePresent(plan, dialect)} order by ${key}${lock}`,
      valuesOf(plan),
    )
  const look = isMerge ? [present(dialect.forUpdate)] : []
  // Where writers do not wait for each other, another one may have created a row in between.
  const lookAgain = isMerge && dialect.chosen === null ? [present(empty)] : []
  const statements = write([])
  const all = yield [...look, ...statements, ...lookAgain]
  const results = all.slice(look.length, look.length + statements.length)
  const before = isMerge ? (all[0] ?? []) : []
  const after = lookAgain.length > 0 ? (all.at(-1) ?? []) : []
  // The key stands behind the text of each row that was written.
  const written = new Set(results.slice(leadingStatements(plan)).flatMap((rows) => rows.map((row) => String(row[1]))))
  const changes = upsertChanges(plan, written, byKey(plan, before), byKey(plan, after))
  yield accompany(plan, changes, dialect)
  return results
}

type RowsByKey = ReadonlyMap<string, RowValues>

function byKey({ resource }: WritePlan, rows: Rows): RowsByKey {
  const place = columnsOf(resource).indexOf(resource.primaryKey)
  return new Map(rows.map(valuesIn).map((row) => [row[place] ?? '', row]))
}

function upsertChanges(
  plan: InsertPlan,
  written: ReadonlySet<string>,
  before: RowsByKey,
  after: RowsByKey,
): readonly Change[] {
  const place = plan.columns.indexOf(plan.resource.primaryKey)
  const left = new Set(written)
  return plan.rows.flatMap((sent) => {
    const key = sent[place] ?? ''
    const was = before.get(key)
    // Of several with one key, the first was written.
    if (!left.delete(key)) return []
    if (was) return [merged(plan, was, sent)]
    const now = after.get(key)
    return [now && isOfAnother(plan, now, sent) ? mergedUnseen(plan, now) : created(plan, sent)]
  })
}

/** Whether a row was created at another time than what was sent. */
const isOfAnother = ({ columns }: InsertPlan, row: RowValues, sent: RowValues): boolean =>
  columns.some(({ generated, onUpdate }, at) => generated === 'now' && !onUpdate && row[at] !== sent[at])

/** A trial is undone, and so would be its events. */
export const makesEvents = ({ actor, isTrial }: WritePlan): boolean => actor !== null && !isTrial

/** What is written together with the changes: their events, and the entries of indexes. */
function accompany(plan: WritePlan, changes: readonly Change[], dialect: Dialect): readonly Sql[] {
  const events = makesEvents(plan) ? changes.map((change) => eventValues(plan, change, dialect)) : []
  const written = compileEvents(events, dialect).map((piece) => fill(piece, plan.values))
  return [...written, ...changeIndex(plan, changes, dialect)]
}

const valuesPiece = (plan: WritePlan, dialect: Dialect): Piece =>
  join(
    columnsOf(plan.resource).map((column) => dialect.textOf(column, columnOf(rootFrame(plan, dialect), column))),
    ', ',
  )

const valuesIn = (row: Rows[number]): RowValues => row.map((value) => (value === null ? null : String(value)))
