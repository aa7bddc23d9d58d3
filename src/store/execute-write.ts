import { type ApiError, failure } from '../errors.ts'
import type { DeletePlan, InsertPlan, UpdatePlan } from '../plan/plan.ts'
import {
  compileDelete,
  compileExisting,
  compileInsert,
  compileLocked,
  compileUpdate,
  ownOrder,
} from './compile/compile.ts'
import type { CompanyStore, Dialect, Right, Row, Rows, Store } from './database.ts'
import { areKnown, newRows } from './new-rows.ts'
import { nothing, type Result, textOf, versionOf } from './result.ts'
import { isUnknown, settleInsert, untilKnown } from './settle.ts'
import type { Sql } from './sql.ts'
import { translate } from './translate.ts'

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan

export async function executeWrite(db: CompanyStore, plan: WritePlan, right?: Right): Promise<Result> {
  const statements = statementsOf(plan, db.dialect)
  const check = isRefusable(plan) ? (results: readonly Rows[]) => refuseUnwanted(plan, results) : undefined
  const write = () => db.transact(statements, check, right)
  try {
    return resultOf(plan, await write())
  } catch (error) {
    // Whether a lost update or delete was done leaves no trace that could be told from another's.
    if (plan.kind !== 'insert' || !isUnknown(error)) throw translate(db, plan, error)
    return resultOf(plan, await settled(db, plan, write, error))
  }
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
  const { single, affectedMax, versions } = plan
  const isOneNew = plan.kind === 'insert' && plan.conflict === null && plan.rows.length === 1
  return versions !== null || (!isOneNew && (single || affectedMax !== null))
}

/** What a write comes down to. The last of them is the write itself. */
export function statementsOf(plan: WritePlan, dialect: Dialect): Sql[] {
  const locked = plan.versions ? compileLocked(plan, dialect) : []
  switch (plan.kind) {
    case 'insert': {
      const insert = compileInsert(plan, dialect)
      return plan.conflict?.action === 'merge'
        ? [...locked, compileExisting(plan, dialect), insert]
        : [...locked, insert]
    }
    case 'update':
      return [...locked, compileUpdate(plan, dialect)]
    case 'delete':
      return [...locked, compileDelete(plan, dialect)]
  }
}

/** Throws where the rows that were written are not those that the client would have written. */
export function refuseUnwanted(plan: WritePlan, results: readonly Rows[]): void {
  const { single, affectedMax, versions } = plan
  const count = writtenRows(plan, results).length
  if (versions && !isCurrent(versions, results[1]?.[0])) throw failure.versionDiffers()
  if (single && count !== 1) throw failure.notSingle(count)
  if (affectedMax !== null && count > affectedMax) throw failure.tooManyAffected(count)
}

export function resultOf(plan: WritePlan, results: readonly Rows[]): Result {
  const rows = writtenRows(plan, results)
  const isInsert = plan.kind === 'insert'
  const existing = isInsert && plan.conflict?.action === 'merge' ? Number(results.at(-2)?.[0]?.[0]) : 0
  return {
    ...nothing,
    text: shownText(plan, rows),
    count: rows.length,
    total: rows.length,
    key: isInsert && rows.length === 1 ? String(rows[0]?.[1]) : null,
    created: isInsert ? rows.length - existing : 0,
  }
}

const writtenRows = (plan: WritePlan, results: readonly Rows[]): Rows =>
  plan.kind === 'insert' && areKnown(plan) ? newRows(plan) : (results.at(-1) ?? [])

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
