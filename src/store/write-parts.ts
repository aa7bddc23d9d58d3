import { writePart } from './limits.ts'

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
