import { type ApiError, failure } from '../errors/index.ts'
import { isContradiction } from '../plan/contradiction.ts'
import type { InsertPlan, Order, SentBack, WritePlan } from '../plan/plan.ts'
import { wholeRange } from '../request/parse-range.ts'
import { typeOf } from '../resources/define.ts'
import { ownOrder } from './compile/compile.ts'
import { compileChoice, type WriteForm } from './compile/compile-write.ts'
import { changeIndex, keepsIndex } from './compile/index-entries.ts'
import { leadingStatements, prepareNarrowed, prepareStatements } from './compile/prepare.ts'
import type { CompanyStore, Right, Row, Rows, Steps, Store } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type Effort, effortOfChange, effortOfShown } from './effort.ts'
import { created } from './events/change.ts'
import { eventValues, gatherEvent, newRowEvent } from './events/compile-events.ts'
import {
  changeWithEvents,
  insertWithEvents,
  makesEvents,
  upsertWithEvents,
  type WriteSteps,
} from './events/watched-write.ts'
import { pageRows, smallInsertRows, writtenBytesMax } from './limits.ts'
import { areKnown, newRows } from './new-rows.ts'
import { nothing, type Result, textOf, versionOf } from './result.ts'
import { isUnknown, settleInsert, untilKnown } from './settle.ts'
import { after, type Soon } from './soon.ts'
import { fill, type Sql, type Value } from './sql.ts'
import { translate } from './translate.ts'
import { type Check, tryOut } from './try-out.ts'

export async function executeWrite(db: CompanyStore, plan: WritePlan, right?: Right): Promise<Result> {
  const effort = effortOfWrite(db, plan)
  const prepared = prepareWrite(plan, db.dialect, effort instanceof Promise ? await effort : effort)
  const write = () => runWrite(db, plan, prepared, right)
  try {
    return resultOf(plan, await write())
  } catch (error) {
    // Whether a lost update or delete was done leaves no trace that could be told from another's.
    if (plan.kind !== 'insert' || !isUnknown(error)) throw translate(db, plan, error)
    return resultOf(plan, await settled(db, plan, write, error))
  }
}

/** A write, ready to be run. */
export interface PreparedWrite {
  readonly statements: readonly Sql[]
  /** In place of the statements, where events depend on what is found. */
  readonly steps: (() => WriteSteps) | null
  /** It may take long; these come before it. null: it does not. */
  readonly choose: readonly Sql[] | null
}

/** What has to be done about a write, by how much it may be. */
export function effortOfWrite(db: CompanyStore, plan: WritePlan): Soon<Effort> {
  if (plan.kind !== 'insert') return effortOfChange(db, { ...plan, selection: plan.returning, range: wholeRange })
  if (plan.rows.length === 1 && areKnown(plan)) return smallEffort
  const shown = { ...plan, where: [], selection: plan.returning, range: wholeRange }
  return after(effortOfShown(db, shown, plan.rows.length), insertEffort, plan)
}

const smallEffort: Effort = { isLong: false, isLarge: false }

const insertEffort = ({ isLong, isLarge }: Effort, { rows }: InsertPlan): Effort => ({
  isLong: isLong || rows.length > smallInsertRows,
  isLarge,
})

/** Refuses what cannot be shown before anything is written. */
export function prepareWrite(plan: WritePlan, dialect: Dialect, { isLong, isLarge }: Effort): PreparedWrite {
  if (isLarge && plan.kind === 'insert' && areKnown(plan)) refuseTooLarge(newRows(plan))
  // What is shown is counted where it is not in the way.
  const isElsewhere = isLong || isLarge
  const choose = isElsewhere && plan.kind !== 'insert' ? compileChoice(plan, dialect) : []
  const form = { isLarge, isChosen: choose.length > 0 }
  // Citus fails on some writes whose conditions contradict each other (its issue 8693). No row can match, so there is nothing to do.
  const isNothing = plan.kind !== 'insert' && !plan.sentBack && isContradiction(plan)
  return {
    ...(isNothing ? nothingToDo : prepareForm(plan, dialect, form)),
    choose: isElsewhere ? choose.map((statement) => fill(statement, plan.values)) : null,
  }
}

const nothingToDo = { statements: [], steps: null }

function prepareForm(plan: WritePlan, dialect: Dialect, form: WriteForm): Omit<PreparedWrite, 'choose'> {
  if (!makesEvents(plan) && !keepsIndex(plan))
    return { statements: prepareStatements(plan, dialect, form), steps: null }
  if (plan.kind === 'insert' && areKnown(plan)) return prepareNewRows(plan, dialect, form)
  // Where writers do not lock each other out, other rows may come to match meanwhile.
  const narrowed = { ...form, isNarrowed: plan.kind !== 'insert' && dialect.chosen === null }
  const write = prepareNarrowed(plan, dialect, narrowed)
  const steps =
    plan.kind === 'insert'
      ? () => upsertWithEvents(plan, dialect, write)
      : () => changeWithEvents(plan, dialect, form, write)
  return { statements: [], steps }
}

/** Of one new row, the event is part of the same statements. */
function prepareNewRows(plan: InsertPlan, dialect: Dialect, form: WriteForm): Omit<PreparedWrite, 'choose'> {
  const [row, another] = plan.rows
  if (!row || another) {
    const write = prepareStatements(plan, dialect, form)
    return { statements: [], steps: () => insertWithEvents(plan, dialect, write) }
  }
  const change = created(plan, row)
  const entries = changeIndex(plan, [change], dialect)
  if (makesEvents(plan) && dialect.newEvents.alone === 'gathered') {
    const event = gatherEvent(plan.values[0], eventValues(plan, change, dialect), dialect)
    return { statements: [...prepareStatements(plan, dialect, form), event, ...entries], steps: null }
  }
  const event = makesEvents(plan) ? newRowEvent(plan, row) : null
  return { statements: [...prepareStatements(plan, dialect, { ...form, event }), ...entries], steps: null }
}

function refuseTooLarge(rows: Rows): void {
  const bytes = rows.reduce((sum, [text]) => sum + Buffer.byteLength(String(text)), 0)
  if (bytes > writtenBytesMax) throw failure.tooLarge(undefined)
}

function runWrite(db: CompanyStore, plan: WritePlan, prepared: PreparedWrite, right?: Right): Promise<readonly Rows[]> {
  const refuse = isRefusable(plan) ? (results: readonly Rows[]) => refuseUnwanted(plan, results) : undefined
  if (plan.isTrial) return tryOut((check) => runChecked(db, prepared, check, right), refuse)
  return runChecked(db, prepared, refuse, right)
}

function runChecked(
  db: CompanyStore,
  { statements, steps, choose }: PreparedWrite,
  check: Check | undefined,
  right?: Right,
): Promise<readonly Rows[]> {
  if (choose === null && steps === null) return db.transact(statements, check, right)
  let found: readonly Rows[] = []
  function* work(): Steps {
    found = steps ? yield* steps() : yield statements
    check?.(found)
  }
  const done = choose === null ? db.transactInSteps(work(), right) : db.transactLong(work(), choose, right)
  return done.then(() => found)
}

/** What a lost insert has left in the database, once that is known. */
async function settled(
  db: Store,
  plan: InsertPlan,
  write: () => Promise<readonly Rows[]>,
  lost: ApiError,
): Promise<readonly Rows[]> {
  try {
    return await untilKnown(() => settleInsert(db, plan, write), lost.cause)
  } catch (error) {
    throw translate(db, plan, error)
  }
}

/** Whether rows that could be written may still be unwanted. Of one new row there is nothing to find out. */
function isRefusable(plan: WritePlan): boolean {
  const { single, affectedMax, versions, sentBack } = plan
  const isOneNew = plan.kind === 'insert' && plan.conflict === null && plan.rows.length === 1
  const mayBeNew = plan.kind === 'insert' && plan.started.length > 0
  return versions !== null || sentBack !== null || mayBeNew || (!isOneNew && (single || affectedMax !== null))
}

/** Throws where the rows that were written are not those that the client would have written. */
export function refuseUnwanted(plan: WritePlan, all: readonly Rows[]): void {
  const { single, affectedMax, versions, sentBack } = plan
  const results = joined(plan, all)
  const count = writtenCount(plan, results)
  if (versions) refuseOtherVersion(versions, results[1]?.[0])
  if (sentBack) refuseOtherValues(plan, sentBack, results[versions ? 2 : 0]?.[0])
  if (plan.kind === 'insert') refuseStarted(plan, results)
  if (single && count !== 1) throw failure.notSingle(count)
  if (affectedMax !== null && count > affectedMax) throw failure.tooManyAffected(count)
}

export function resultOf(plan: WritePlan, all: readonly Rows[]): Result {
  const results = joined(plan, all)
  const rows = writtenRows(plan, results)
  const count = writtenCount(plan, results)
  const isInsert = plan.kind === 'insert'
  const existing = isInsert && plan.conflict?.action === 'merge' ? Number(results.at(-2)?.[0]?.[0]) : 0
  return {
    ...nothing,
    text: shownText(plan, rows),
    count,
    total: count,
    key: isInsert && rows.length === 1 ? String(rows[0]?.[1]) : null,
    created: isInsert ? count - existing : 0,
  }
}

/** Where an insert took several statements, the results as if it had been one. */
function joined(plan: WritePlan, results: readonly Rows[]): readonly Rows[] {
  if (plan.kind !== 'insert') return results
  const before = leadingStatements(plan)
  return results.length <= before + 1 ? results : [...results.slice(0, before), results.slice(before).flat()]
}

const writtenRows = (plan: WritePlan, results: readonly Rows[]): Rows =>
  plan.kind === 'insert' && areKnown(plan) ? newRows(plan) : (results.at(-1) ?? [])

function writtenCount(plan: WritePlan, results: readonly Rows[]): number {
  const last = results.at(-1) ?? []
  if (plan.kind === 'insert') return areKnown(plan) ? plan.rows.length : last.length
  return plan.returning.length === 0 ? Number(last[0]?.[0] ?? 0) : last.length
}

function refuseOtherVersion(versions: readonly string[], row: Row | undefined): void {
  if (Number(row?.[1]) > pageRows) throw failure.tooMuch('rows with If-Match', pageRows, 'Name fewer rows by a filter.')
  if (!isCurrent(versions, row)) throw failure.versionDiffers()
}

function refuseOtherValues(plan: WritePlan, { columns }: SentBack, [count, ...same]: Row = []): void {
  const expected = plan.kind === 'insert' ? plan.rows.length : Number(count)
  for (const [at, { name }] of columns.entries())
    if (Number(same[at]) !== expected) throw failure.columnNotWritable(name)
}

function refuseStarted({ started, versions, sentBack }: InsertPlan, results: readonly Rows[]): void {
  if (started.length === 0) return
  const there = new Set(results[(versions ? 2 : 0) + (sentBack ? 1 : 0)]?.map(([key]) => key))
  const absent = started.find(({ key }) => !there.has(key))
  if (absent) throw absent.refusal
}

const isCurrent = (versions: readonly string[], [text, count]: Row = []): boolean =>
  Number(count) > 0 &&
  (versions.includes('*') || versions.some((version) => baseOf(version) === versionOf(String(text))))

/** A tag names the version, and behind a dot the shape in which it was shown. */
const baseOf = (tag: string): string => tag.split('.', 1)[0] ?? ''

const shownText = (plan: WritePlan, rows: Rows): string =>
  plan.returning.length === 0 ? '' : textOf(sorted(rows, plan))

/** Engines return changed rows in no order at all. Behind the text and the key of each come the values to sort by. */
function sorted(rows: Rows, plan: WritePlan): Rows {
  const own = ownOrder(plan)
  if (own.length === 0) return rows
  const compare = (a: Row, b: Row) =>
    own.reduce((found, term, at) => found || compareBy(term, a[at + 2] ?? null, b[at + 2] ?? null), 0)
  return rows.toSorted(compare)
}

/** Where nulls come is not a matter of the direction. */
function compareBy({ column, descending, nullsFirst }: Order, a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1
  return typeOf(column).compare(String(a), String(b)) * (descending ? -1 : 1)
}
