import { failure } from '../errors.ts'
import type { DeletePlan, InsertPlan, Plan, ReadPlan, UpdatePlan } from '../plan/plan.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys } from '../resources/relations.ts'
import {
  compileChunk,
  compileDelete,
  compileExisting,
  compileInsert,
  compileLocked,
  compilePage,
  compileUpdate,
  hasKeys,
  ownOrder,
} from './compile.ts'
import { type Database, type Row, type Rows, rowSeparator } from './database.ts'
import type { Sql } from './sql.ts'

/** What became of a plan. */
export interface Result {
  /** The rows as JSON, joined by `rowSeparator`. */
  readonly text: string
  readonly count: number
  /** How many there are without a limit, where that was asked. */
  readonly total: number | null
  /** There are more rows behind the last one. */
  readonly more: boolean
  /** Changes whenever the text does. */
  readonly version: string
  /** The primary key of the row that was inserted, if it was only one. */
  readonly key: string | null
  /** Of an upsert: how many of the rows are new. */
  readonly created: number
  /** A list too long for one answer in memory: all of its rows, part by part. `text` is then empty. */
  readonly parts: AsyncIterable<string> | null
}

/** Runs a plan to its end. What an engine has to say against it becomes a failure that a client understands. */
export async function execute(db: Database, plan: Plan): Promise<Result> {
  try {
    switch (plan.kind) {
      case 'nothing':
        if (plan.single) throw failure.notSingle(0)
        return nothing
      case 'read':
        return await executeRead(db, plan)
      case 'insert':
        return await executeInsert(db, plan)
      default:
        return await executeChange(db, plan)
    }
  } catch (error) {
    throw translate(db, plan, error)
  }
}

const nothing: Result = {
  text: '',
  count: 0,
  total: 0,
  more: false,
  version: versionOf(''),
  key: null,
  created: 0,
  parts: null,
}

/** A list up to this long is one statement and one piece of text; a longer one is streamed. */
const pageRows = 1000

async function executeRead(db: Database, plan: ReadPlan): Promise<Result> {
  const { limit, offset } = plan.range
  const wanted = limit ?? Number.POSITIVE_INFINITY
  // One row more than is shown tells whether there are more.
  const asked = Math.min(wanted, pageRows) + 1
  const [[text, found, total] = []] = await db.read(
    compilePage({ ...plan, range: { limit: asked, offset } }, db.dialect),
  )
  const rows = String(text ?? '')
  const known = total === null || total === undefined ? null : Number(total)
  const count = Number(found)
  const shownCount = Math.min(count, wanted)
  if (plan.single && shownCount !== 1) throw failure.notSingle(shownCount)
  if (count < asked) return { ...nothing, text: rows, version: versionOf(rows), count, total: known }
  if (wanted > pageRows) return { ...nothing, count: wanted, total: known, more: true, parts: stream(db, plan) }
  const shown = rows.slice(0, Math.max(0, rows.lastIndexOf(rowSeparator)))
  return { ...nothing, text: shown, version: versionOf(shown), count: count - 1, total: known, more: true }
}

/** Each part is a statement of its own, so that a slow reader holds nothing open in the database. */
async function* stream(db: Database, plan: ReadPlan): AsyncGenerator<string> {
  const byKeys = hasKeys(plan)
  // Where no index gives the order, every part costs a whole sort: fewer and larger ones are better.
  const rowsMax = plan.order[0]?.column === plan.resource.primaryKey && byKeys ? pageRows : 16 * pageRows
  let left = plan.range.limit ?? Number.POSITIVE_INFINITY
  let offset = plan.range.offset
  let after: readonly string[] | null = null
  while (left > 0) {
    const range = { limit: Math.min(left, rowsMax), offset: after ? 0 : offset }
    const rows: Rows = await db.read(compileChunk({ ...plan, range }, db.dialect, after))
    if (rows.length > 0) yield textOf(rows)
    if (rows.length < range.limit) return
    left -= rows.length
    offset += rows.length
    after = byKeys ? (rows.at(-1)?.slice(1).map(String) ?? null) : null
  }
}

async function executeInsert(db: Database, plan: InsertPlan): Promise<Result> {
  const insert = compileInsert(plan, db.dialect)
  const merges = plan.conflict?.action === 'merge'
  const statements = merges ? [compileExisting(plan, db.dialect), insert] : [insert]
  const results = await transact(db, plan, statements)
  const rows = results.at(-1) ?? []
  const existing = merges ? Number(results[0]?.[0]?.[0]) : 0
  return {
    ...nothing,
    text: shownText(plan, rows),
    count: rows.length,
    total: rows.length,
    key: rows.length === 1 ? String(rows[0]?.[1]) : null,
    created: rows.length - existing,
  }
}

async function executeChange(db: Database, plan: UpdatePlan | DeletePlan): Promise<Result> {
  const statement = plan.kind === 'update' ? compileUpdate(plan, db.dialect) : compileDelete(plan, db.dialect)
  const before = plan.versions ? compileLocked(plan, db.dialect) : []
  const results = await transact(db, plan, [...before, statement])
  const rows = results.at(-1) ?? []
  return { ...nothing, text: shownText(plan, rows), count: rows.length, total: rows.length }
}

type WritePlan = InsertPlan | UpdatePlan | DeletePlan

function transact(
  db: Database,
  { single, affectedMax, versions }: WritePlan,
  statements: readonly Sql[],
): Promise<readonly Rows[]> {
  if (!single && affectedMax === null && !versions) return db.transact(statements)
  return db.transact(statements, (results) => {
    const count = results.at(-1)?.length ?? 0
    if (versions && !isCurrent(versions, results[1]?.[0])) throw failure.versionDiffers()
    if (single && count !== 1) throw failure.notSingle(count)
    if (affectedMax !== null && count > affectedMax) throw failure.tooManyAffected(count)
  })
}

const isCurrent = (versions: readonly string[], [text, count]: Row = []): boolean =>
  Number(count) > 0 &&
  (versions.includes('*') || versions.some((version) => baseOf(version) === versionOf(String(text))))

/** A tag names the version, and behind a dot the shape in which it was shown. */
const baseOf = (tag: string): string => tag.split('.', 1)[0] ?? ''

function versionOf(text: string): string {
  return Bun.hash(text).toString(36)
}

const shownText = (plan: WritePlan, rows: Rows): string =>
  plan.returning.length === 0 ? '' : textOf(sorted(rows, plan))

const textOf = (rows: Rows): string => rows.map((row) => row[0]).join(rowSeparator)

/** Engines return changed rows in no order at all. Behind the text and the key of each come the values to sort by. */
function sorted(rows: Rows, plan: WritePlan): Rows {
  const own = ownOrder(plan)
  if (own.length === 0) return rows
  const compare = (a: Row, b: Row) =>
    own.reduce((found, { descending }, at) => found || compareKeys(a, b, at + 2) * (descending ? -1 : 1), 0)
  return rows.toSorted(compare)
}

const compareKeys = (a: Row, b: Row, at: number): number =>
  Buffer.compare(Buffer.from(String(a[at])), Buffer.from(String(b[at])))

function translate(db: Database, plan: Plan, error: unknown): unknown {
  switch (db.explain(error)) {
    case 'foreign key':
      return plan.kind === 'nothing' || plan.kind === 'read' ? error : foreignKeyFailure(plan)
    case 'duplicate':
      return plan.kind === 'nothing' ? error : failure.duplicate(plan.resource.name, plan.resource.primaryKey.name)
    default:
      return error
  }
}

/** An engine does not always tell which side of the key broke; the plan does. */
function foreignKeyFailure(plan: WritePlan): Error {
  const { name } = plan.resource
  const sets = (column: string) =>
    plan.kind === 'insert' || (plan.kind === 'update' && plan.changes.some((change) => change.column.name === column))
  const own = foreignKeys(plan.resource).find((key) => sets(key.own.name))
  if (own) return failure.referenceMissing(name, own.own.name, own.target.name)
  const foreign = resources.flatMap((resource) => foreignKeys(resource).map((key) => ({ by: resource.name, ...key })))
  const [key] = foreign.filter(({ target }) => target === plan.resource)
  return failure.stillReferenced(name, key?.by ?? name, key?.constraint ?? '')
}
