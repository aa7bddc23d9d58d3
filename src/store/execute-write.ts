import { type ApiError, failure } from '../errors/index.ts'
import { isContradiction } from '../plan/contradiction.ts'
import type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from '../plan/plan.ts'
import { wholeRange } from '../request/parse-range.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { memoryOf } from '../traffic/paced-stream.ts'
import { compileChoice, type WriteForm } from './compile/compile-write.ts'
import { changeIndex, keepsIndex } from './compile/index-entries.ts'
import { indexUse } from './compile/index-use.ts'
import { prepareNarrowed, preparePartly, prepareStatements } from './compile/prepare.ts'
import type { Asker, CompanyStore, Right, Rows, Steps, Store } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type Effort, effortOfChange, effortOfKnown, effortOfShown, type WriteEffort } from './effort.ts'
import { created } from './events/change.ts'
import { eventValues, gatherEvent, newRowEvent } from './events/compile-events.ts'
import {
  changeWithEvents,
  insertWithEvents,
  makesEvents,
  upsertWithEvents,
  type WriteSteps,
} from './events/watched-write.ts'
import { smallInsertRows, writtenBytesMax } from './limits.ts'
import { areKnown, newRows } from './new-rows.ts'
import { isRefusable, refuseUnwanted } from './refuse-unwanted.ts'
import type { Result } from './result.ts'
import { isUnknown, settleInsert, untilKnown } from './settle.ts'
import { after, type Soon } from './soon.ts'
import { fill, type Sql } from './sql.ts'
import { translate } from './translate.ts'
import { type Check, tryOut } from './try-out.ts'
import { insertParts } from './write-parts.ts'
import { resultOf } from './write-result.ts'

export async function executeWrite(db: CompanyStore, plan: WritePlan, asker?: Asker): Promise<Result> {
  const found = effortOfWrite(db, plan)
  const effort = found instanceof Promise ? await found : found
  const counter = counterOf(effort, plan, asker)
  const shown = counter ? createShown(plan, counter) : null
  shown?.requireMemory()
  const prepared = prepareWrite(plan, db.dialect, effort)
  const write = () => runWrite(db, plan, prepared, { right: asker?.right, shown })
  try {
    const results = await write()
    return shown?.result() ?? resultOf(plan, results)
  } catch (error) {
    // Whether a lost update or delete was done leaves no trace that could be told from another's.
    if (plan.kind !== 'insert' || !isUnknown(error)) throw translate(db, plan, error)
    return resultOf(plan, await settled(db, plan, write, error))
  }
}

/** Who counts what a write shows; undefined where it shows little. */
export const counterOf = ({ isCounted }: WriteEffort, { returning }: WritePlan, asker?: Asker): Asker | undefined =>
  isCounted && returning.length > 0 ? asker : undefined

/** The rows that a write shows, where they are so long that their memory is counted before it is committed. */
interface Shown {
  /** Called where there are none yet. */
  requireMemory(): void
  readonly take: Check
  result(): Result | null
}

function createShown(plan: WritePlan, asker: Asker): Shown {
  let result: Result | null = null
  return {
    requireMemory: () => asker.takeMemory?.(0),
    take: (results) => {
      result = resultOf(plan, results)
      asker.takeMemory?.(memoryOf(result.text))
    },
    result: () => result,
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
export function effortOfWrite(db: CompanyStore, plan: WritePlan): Soon<WriteEffort> {
  if (plan.kind !== 'insert') return effortOfChange(db, { ...plan, selection: plan.returning, range: wholeRange })
  const isKnown = areKnown(plan)
  const count = plan.rows.length
  if (count === 1 && isKnown) return smallEffort
  const shown = { ...plan, where: [], selection: plan.returning, range: wholeRange }
  return after(isKnown ? effortOfKnown(shown, count) : effortOfShown(db, shown, count), insertEffort, plan)
}

/** What is shown of it is hardly longer than its body, which is counted. */
const smallEffort: WriteEffort = { isLong: false, isLarge: false, isCounted: false }

/** Refuses what cannot be shown before anything is written. */
function insertEffort(found: WriteEffort, plan: InsertPlan): Soon<WriteEffort> {
  const { isLong, isLarge } = found
  const effort = { ...found, isLong: isLong || plan.rows.length > smallInsertRows }
  return isLarge && areKnown(plan) ? refuseTooLarge(plan).then(() => effort) : effort
}

export function prepareWrite(plan: WritePlan, dialect: Dialect, { isLong, isLarge }: Effort): PreparedWrite {
  // What is shown is counted where it is not in the way.
  const isElsewhere = isLong || isLarge
  const choose = isElsewhere && plan.kind !== 'insert' ? compileChoice(plan, dialect) : []
  const form = { isLarge, isChosen: choose.length > 0, isElsewhere }
  // Citus fails on some writes whose conditions contradict each other (its issue 8693). No row can match, so there is nothing to do.
  const isNothing = plan.kind !== 'insert' && !plan.sentBack && isContradiction(plan)
  return {
    ...(isNothing ? nothingToDo : prepareForm(plan, dialect, form)),
    choose: isElsewhere ? choose.map((statement) => fill(statement, plan.values)) : null,
  }
}

const nothingToDo = { statements: [], steps: null }

interface PreparedForm extends WriteForm {
  /** It is not done in the thread that serves requests. */
  readonly isElsewhere: boolean
}

function prepareForm(plan: WritePlan, dialect: Dialect, form: PreparedForm): Omit<PreparedWrite, 'choose'> {
  if (plan.kind === 'insert') return prepareInsert(plan, dialect, form)
  if (!makesEvents(plan) && !keepsIndex(plan) && !isFoundFirst(plan, dialect))
    return { statements: prepareStatements(plan, dialect, form), steps: null }
  const narrowed = { ...form, isNarrowed: isNarrowed(plan, dialect, form) }
  const write = prepareNarrowed(plan, dialect, narrowed)
  return { statements: [], steps: () => changeWithEvents(plan, dialect, narrowed, write) }
}

/** Where writers do not lock each other out, other rows may come to match meanwhile. An index is changed before its rows, and then finds others. */
const isNarrowed = (plan: UpdatePlan | DeletePlan, { chosen }: Dialect, { isChosen }: WriteForm): boolean =>
  chosen === null || (!isChosen && indexUse(plan) !== null)

/** Whether its rows may be found by what a write cannot call. */
const isFoundFirst = ({ resource }: WritePlan, { computesInWrites }: Dialect): boolean =>
  resource.own !== undefined && !computesInWrites

/** What is large is written part by part, whether it makes events or not. */
function prepareInsert(plan: InsertPlan, dialect: Dialect, form: PreparedForm): Omit<PreparedWrite, 'choose'> {
  const isWatched = makesEvents(plan) || keepsIndex(plan)
  if (!isWatched && !form.isElsewhere) return { statements: prepareStatements(plan, dialect, form), steps: null }
  if (plan.rows.length === 1 && areKnown(plan)) return prepareNewRow(plan, dialect, form)
  if (areKnown(plan) && makesEvents(plan) && dialect.newEvents.alone === 'gathered' && !form.isElsewhere)
    return prepareFewRows(plan, dialect, form)
  const steps = isWatched && !areKnown(plan) ? upsertWithEvents : insertWithEvents
  return { statements: [], steps: () => steps(plan, dialect, preparePartly(plan, dialect, form)) }
}

/** Of one new row, the event is part of the same statements. */
function prepareNewRow(plan: InsertPlan, dialect: Dialect, form: PreparedForm): Omit<PreparedWrite, 'choose'> {
  const [row = []] = plan.rows
  const change = created(plan, row)
  const entries = changeIndex(plan, [change], dialect)
  if (makesEvents(plan) && dialect.newEvents.alone === 'gathered') {
    const event = gatherEvent(plan.values[0], eventValues(plan, change, dialect), dialect)
    return { statements: [...prepareStatements(plan, dialect, form), event, ...entries], steps: null }
  }
  const event = makesEvents(plan) ? newRowEvent(plan, row) : null
  return { statements: [...prepareStatements(plan, dialect, { ...form, event }), ...entries], steps: null }
}

/** The same for a few, where events can wait for each other. */
function prepareFewRows(plan: InsertPlan, dialect: Dialect, form: PreparedForm): Omit<PreparedWrite, 'choose'> {
  const changes = plan.rows.map((row) => created(plan, row))
  const events = changes.map((change) => gatherEvent(plan.values[0], eventValues(plan, change, dialect), dialect))
  const write = prepareStatements(plan, dialect, form)
  return { statements: [...write, ...events, ...changeIndex(plan, changes, dialect)], steps: null }
}

/** Their texts are made part by part. Those of whole rows are kept for the answer. */
async function refuseTooLarge(plan: InsertPlan): Promise<void> {
  let bytes = 0
  for (const part of insertParts(plan)) {
    bytes += newRows(part).reduce((sum, [text]) => sum + Buffer.byteLength(String(text)), 0)
    if (bytes > writtenBytesMax) throw failure.tooLarge(undefined)
    await nextTurn()
  }
}

interface Terms {
  readonly right: Right | undefined
  readonly shown: Shown | null
}

function runWrite(db: CompanyStore, plan: WritePlan, prepared: PreparedWrite, terms: Terms): Promise<readonly Rows[]> {
  const refuse = checkOf(plan, terms.shown)
  if (plan.isTrial) return tryOut((check) => runChecked(db, prepared, check, terms), refuse)
  return runChecked(db, prepared, refuse, terms)
}

function checkOf(plan: WritePlan, shown: Shown | null): Check | undefined {
  if (!isRefusable(plan)) return shown?.take
  return (results) => {
    refuseUnwanted(plan, results)
    shown?.take(results)
  }
}

function runChecked(
  db: CompanyStore,
  { statements, steps, choose }: PreparedWrite,
  check: Check | undefined,
  { right, shown }: Terms,
): Promise<readonly Rows[]> {
  if (choose === null && steps === null) return db.transact(statements, check, right)
  let found: readonly Rows[] = []
  function* work(): Steps {
    // Others may have been shown much since.
    shown?.requireMemory()
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
