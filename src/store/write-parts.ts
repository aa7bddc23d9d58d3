import type { InsertPlan } from '../plan/plan.ts'
import { writePart } from './limits.ts'
import { fieldsText, type RowValues } from './row-text.ts'

/** Rows → parts of them, by what `bytesOf` tells of each. A row that is larger than a part is one by itself. */
export function* inWriteParts<Row>(rows: readonly Row[], bytesOf: (row: Row) => number): Generator<readonly Row[]> {
  let start = 0
  let bytes = 0
  for (const [at, row] of rows.entries()) {
    const more = bytesOf(row)
    if (at > start && (at - start === writePart.rows || bytes + more > writePart.bytes)) {
      yield rows.slice(start, at)
      start = at
      bytes = 0
    }
    bytes += more
  }
  if (start < rows.length) yield rows.slice(start)
}

/** An insert → inserts of some of its rows each, in their order. `more` tells what a row weighs beside what was sent of it. */
export function* insertParts(plan: InsertPlan, more: (row: RowValues) => number = () => 0): Generator<InsertPlan> {
  const { resource } = plan
  const bytesOf = (row: RowValues): number => (resource.own ? fieldsText(row, resource).length : 0) + more(row)
  for (const rows of inWriteParts(plan.rows, bytesOf)) yield { ...plan, rows }
}
