import type { Order, WritePlan } from '../plan/plan.ts'
import { typeOf } from '../resources/define.ts'
import { ownOrder } from './compile/compile.ts'
import { leadingStatements } from './compile/prepare.ts'
import type { Row, Rows } from './database.ts'
import { areKnown, newRows } from './new-rows.ts'
import { nothing, type Result, textOf } from './result.ts'
import type { Value } from './sql.ts'

/** What became of a write, by what its statements found. */
export function resultOf(plan: WritePlan, all: readonly Rows[]): Result {
  const isInsert = plan.kind === 'insert'
  const results = isInsert && areKnown(plan) ? all : joined(plan, all)
  const rows = writtenRows(plan, results)
  const count = writtenCount(plan, results)
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
export function joined(plan: WritePlan, results: readonly Rows[]): readonly Rows[] {
  if (plan.kind !== 'insert') return results
  const before = leadingStatements(plan)
  return results.length <= before + 1 ? results : [...results.slice(0, before), results.slice(before).flat()]
}

const writtenRows = (plan: WritePlan, results: readonly Rows[]): Rows =>
  plan.kind === 'insert' && areKnown(plan) ? newRows(plan) : (results.at(-1) ?? [])

export function writtenCount(plan: WritePlan, results: readonly Rows[]): number {
  const last = results.at(-1) ?? []
  if (plan.kind === 'insert') return areKnown(plan) ? plan.rows.length : last.length
  return plan.returning.length === 0 ? last.reduce((sum, [count]) => sum + Number(count), 0) : last.length
}

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
