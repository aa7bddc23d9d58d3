import { BoundedMap } from '../../caches/bounded-map.ts'
import { memoize } from '../../caches/memoize.ts'
import type { InsertPlan, ReadPlan, RowsPlan, WritePlan } from '../../plan/plan.ts'
import type { Range } from '../../request/parse-range.ts'
import type { CompanyStore } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import { smallUpTo } from '../effort.ts'
import { weighsValues } from '../estimate.ts'
import { compileWithEvent } from '../events/compile-events.ts'
import { empty, fill, type Piece, prepare, type Sql } from '../sql.ts'
import { compileList } from './compile.ts'
import { compileSentBack } from './compile-sent-back.ts'
import {
  compileChange,
  compileExisting,
  compileInsert,
  compileLocked,
  compileStarted,
  type WriteForm,
} from './compile-write.ts'
import { valuesOf } from './write-values.ts'

/** What was compiled for rows, by all else that it depends on. It is kept as long as the rows are. */
const keptOf = <Kept>() => memoize((_: Dialect) => memoize((_: RowsPlan) => new BoundedMap<Kept>(keptMax)))
/** Pages that are asked for by a header have their rows in common, too. */
const keptMax = 20
/** What is longer takes up more room than it saves time. */
const keptLengthMax = 4000

interface Page {
  readonly piece: Piece
  /** null where it depends on the values. */
  readonly smallUpTo: number | null
}

const pagesOf = keptOf<Page>()

export interface PreparedPage {
  readonly statement: Sql
  /** The work that it may be for now. */
  readonly most: number
  /** It is no more, where no table of the company has more rows than this. */
  readonly smallUpTo: number
}

/** A part of the plan's rows, compiled once for all plans that share them. */
export function preparePage(plan: ReadPlan, range: Range, { dialect, workMax }: PageStore): PreparedPage {
  const pages = pagesOf(dialect)(plan.shared)
  const most = workMax()
  const name = `${range.limit} ${range.offset} ${plan.counted} ${most}`
  const known = pages.get(name)
  const page = known ?? makePage(plan, range, { dialect, most })
  if (!known && lengthOf([page.piece]) <= keptLengthMax) pages.set(name, page)
  return { statement: fill(page.piece, plan.values), most, smallUpTo: page.smallUpTo ?? smallUpTo(plan, range, most) }
}

type PageStore = Pick<CompanyStore, 'dialect' | 'workMax'>

const makePage = (
  plan: ReadPlan,
  range: Range,
  { dialect, most }: { readonly dialect: Dialect; readonly most: number },
): Page => ({
  piece: prepare(compileList({ ...plan, range }, dialect), dialect.placeholder),
  smallUpTo: weighsValues(plan.shared) ? null : smallUpTo(plan, range, most),
})

const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)

const writesOf = keptOf<readonly Piece[]>()

/** What a write comes down to, compiled once for all that share their rows and write the same columns. */
export function prepareStatements(plan: WritePlan, dialect: Dialect, form: WriteForm): readonly Sql[] {
  const pieces = preparePieces(plan, dialect, form)
  const values = form.event ? [...valuesOf(plan), ...form.event] : valuesOf(plan)
  return pieces.map((piece) => fill(piece, values))
}

/** The same for a write that is narrowed to rows that were looked at, by their keys. */
export function prepareNarrowed(
  plan: WritePlan,
  dialect: Dialect,
  form: WriteForm,
): (keys: readonly string[]) => readonly Sql[] {
  const pieces = preparePieces(plan, dialect, form)
  return (keys) => pieces.map((piece) => fill(piece, [...valuesOf(plan), keys]))
}

function preparePieces(plan: WritePlan, dialect: Dialect, form: WriteForm): readonly Piece[] {
  const name = nameOf(plan, form)
  const writes = writesOf(dialect)(plan.shared)
  const known = name === null ? undefined : writes.get(name)
  const pieces = known ?? compileWrite(plan, dialect, form).map((piece) => prepare(piece, dialect.placeholder))
  if (!known && name !== null && lengthOf(pieces) <= keptLengthMax) writes.set(name, pieces)
  return pieces
}

/** All that a write depends on, beside its rows and values; null where values are part of the statements. */
function nameOf(plan: WritePlan, { isLarge, isChosen, isNarrowed, event }: WriteForm): string | null {
  if (plan.kind === 'insert' && plan.rows.length > 1) return null
  const { kind, returning, order, versions } = plan
  const form =
    (versions === null ? 0 : 1) + (isLarge ? 2 : 0) + (isChosen ? 4 : 0) + (isNarrowed ? 8 : 0) + (event ? 16 : 0)
  return `${kind} ${form} ${returning.length} ${order.length} ${changesOf(plan)}${sentBackOf(plan)}`
}

const sentBackOf = ({ sentBack }: WritePlan): string =>
  sentBack === null ? '' : ` if ${sentBack.columns.map(({ name }) => name).join()}`

/** What becomes of rows that are there. */
function changesOf(plan: WritePlan): string {
  if (plan.kind === 'update') return plan.changes.map(({ column }) => column.name).join()
  if (plan.kind === 'delete' || plan.conflict === null) return ''
  const started = plan.started.length > 0 ? 'started ' : ''
  return plan.conflict.action === 'ignore'
    ? 'ignore'
    : `merge ${started}${plan.conflict.changes.map(({ name }) => name).join()}`
}

/** How many statements come before the write itself. */
export function leadingStatements(plan: WritePlan): number {
  const checks = (plan.versions ? 2 : 0) + (plan.sentBack ? 1 : 0)
  if (plan.kind !== 'insert') return checks
  return checks + (plan.started.length > 0 ? 1 : 0) + (plan.conflict?.action === 'merge' ? 1 : 0)
}

/** An insert that is written part by part. */
export interface PartlyPrepared {
  /** What comes before all of its rows. */
  readonly leading: readonly Sql[]
  /** Each of the statements tells what it wrote. */
  write(part: InsertPlan): readonly Sql[]
}

export function preparePartly(plan: InsertPlan, dialect: Dialect, form: WriteForm): PartlyPrepared {
  const { length } = plan.rows
  if (length > 1) {
    const filled = (pieces: readonly Piece[], of: InsertPlan) => pieces.map((piece) => fill(piece, valuesOf(of)))
    return {
      leading: filled(compileLeading(plan, dialect, form), plan),
      write: (part) => filled(compileInsert(part, dialect, form.isLarge), part),
    }
  }
  const statements = prepareStatements(plan, dialect, form)
  const leading = leadingStatements(plan)
  return { leading: statements.slice(0, leading), write: () => statements.slice(leading) }
}

/** The last of the statements is the write itself; of an insert, the last ones. */
function compileWrite(plan: WritePlan, dialect: Dialect, form: WriteForm): Piece[] {
  const leading = compileLeading(plan, dialect, form)
  if (plan.kind !== 'insert') return [...leading, ...compileChange(plan, dialect, form)]
  const inserts = compileInsert(plan, dialect, form.isLarge)
  const [only = empty] = inserts
  return [...leading, ...(form.event ? compileWithEvent(only, plan, dialect) : inserts)]
}

/** What comes before the write itself: see `leadingStatements`. */
function compileLeading(plan: WritePlan, dialect: Dialect, form: WriteForm): Piece[] {
  const locked = plan.versions ? compileLocked(plan, dialect) : []
  if (plan.kind === 'delete') return locked
  const compared = plan.sentBack ? [compileSentBack(plan, plan.sentBack, dialect, form)] : []
  if (plan.kind === 'update') return [...locked, ...compared]
  const started = plan.started.length > 0 ? [compileStarted(plan, dialect)] : []
  const existing = plan.conflict?.action === 'merge' ? [compileExisting(plan, dialect)] : []
  return [...locked, ...compared, ...started, ...existing]
}
