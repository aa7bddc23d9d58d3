import { ApiError, failure } from '../errors/index.ts'
import type { InsertPlan } from '../plan/plan.ts'
import { compileCreatedCount, compileOvertaken, compileUnchanged, compileWritten } from './compile/compile-written.ts'
import { keysOf, valuesOf } from './compile/write-values.ts'
import type { Rows, Store } from './database.ts'
import { wholeRows } from './new-rows.ts'
import { fill } from './sql.ts'

/** How long to find out what became of a write. Longer than a server takes to restart, shorter than clients wait. */
const searchMs = 5000
const pauseMaxMs = 500

/** Tries again, on new connections, for as long as the database cannot tell. */
export async function untilKnown<Known>(attempt: () => Promise<Known>, cause: unknown): Promise<Known> {
  const unknown = failure.outcomeUnknown(cause)
  const endsAt = performance.now() + searchMs
  for (let pauseMs = 5; performance.now() < endsAt; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
    try {
      return await Promise.race([attempt(), rejectAt(endsAt, unknown)])
    } catch (error) {
      if (!(error instanceof ApiError && error.status >= 500)) throw error
    }
    await Bun.sleep(pauseMs)
  }
  throw unknown
}

/** A server that is silent would keep the client waiting with each attempt anew. */
const rejectAt = async (endsAt: number, error: Error): Promise<never> => {
  await Bun.sleep(Math.max(0, endsAt - performance.now()))
  throw error
}

export const isUnknown = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'outcome_unknown'

/** What an insert has left in the database, or would have left there had it not been lost. */
export async function settleInsert(
  db: Store,
  plan: InsertPlan,
  write: () => Promise<readonly Rows[]>,
): Promise<readonly Rows[]> {
  const before = await findWritten(db, plan)
  if (before) return before
  await refuseOvertaken(db, plan)
  try {
    // The rows have the ids and times that they had the first time, so whichever comes second meets the first, and waits for it.
    const results = await write()
    return (await findWritten(db, plan)) ?? results
  } catch (error) {
    // A version or a time that differs may do so by what was lost, as well.
    const mayBeOurs = db.explain(error) === 'duplicate' || plan.versions !== null || plan.sentBack !== null
    const found = mayBeOurs ? await findWritten(db, plan) : null
    if (!found) throw error
    return found
  }
}

/** The rows as the insert would have returned them, in the order in which they were sent. */
async function findWritten(db: Store, plan: InsertPlan): Promise<readonly Rows[] | null> {
  const rows = await db.read(fill(compileWritten(plan, db.dialect), valuesOf(plan)))
  if (rows.length === 0 || (await areOthers(db, plan))) return null
  const positions = new Map(keysOf(plan).map((key, at) => [key, at]))
  const positionOf = (id: unknown): number => positions.get(String(id)) ?? 0
  const inOrder = rows.toSorted((a, b) => positionOf(a[1]) - positionOf(b[1]))
  if (plan.conflict?.action !== 'merge') return [inOrder]
  const [[created] = []] = await db.read(fill(compileCreatedCount(plan, db.dialect), valuesOf(plan)))
  return [[[rows.length - Number(created)]], inOrder]
}

/** Whether somebody else has created rows with these ids, and in the very same millisecond: then their values differ. */
async function areOthers(db: Store, plan: InsertPlan): Promise<boolean> {
  if (plan.conflict !== null) return false
  const whole = wholeRows(plan)
  const found = await db.read(fill(compileUnchanged(whole.plan, db.dialect), valuesOf(plan)))
  return found.some(([text, key]) => whole.textOf.get(key) !== text)
}

/** To merge once more would undo what others have written over it since. */
async function refuseOvertaken(db: Store, plan: InsertPlan): Promise<void> {
  if (plan.conflict?.action !== 'merge') return
  const [[count] = []] = await db.read(fill(compileOvertaken(plan, db.dialect), valuesOf(plan)))
  if (Number(count) > 0) throw failure.outcomeUnknown(new Error('Rows of the lost upsert were changed meanwhile'))
}
