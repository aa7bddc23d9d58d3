import { failure } from '../errors.ts'
import type { DeletePlan, InsertPlan, UpdatePlan } from '../plan/plan.ts'
import { compileDelete, compileExisting, compileInsert, compileLocked, compileUpdate, ownOrder } from './compile.ts'
import type { Database, Row, Rows } from './database.ts'
import { nothing, type Result, textOf, versionOf } from './result.ts'
import type { Sql } from './sql.ts'

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan

export async function executeInsert(db: Database, plan: InsertPlan): Promise<Result> {
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

export async function executeChange(db: Database, plan: UpdatePlan | DeletePlan): Promise<Result> {
  const statement = plan.kind === 'update' ? compileUpdate(plan, db.dialect) : compileDelete(plan, db.dialect)
  const before = plan.versions ? compileLocked(plan, db.dialect) : []
  const results = await transact(db, plan, [...before, statement])
  const rows = results.at(-1) ?? []
  return { ...nothing, text: shownText(plan, rows), count: rows.length, total: rows.length }
}

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

const shownText = (plan: WritePlan, rows: Rows): string =>
  plan.returning.length === 0 ? '' : textOf(sorted(rows, plan))

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
