import type { Row, Rows } from '../database.ts'

export const partRowsMax = 2000
export const partBytesMax = 500_000

/** Rows that come in any portions → parts with as many rows as are good to handle at once. */
export async function* inParts(portions: AsyncIterable<Rows> | Iterable<Rows>): AsyncGenerator<Rows> {
  let part: Row[] = []
  let bytes = 0
  for await (const portion of portions) {
    for (const row of portion) {
      part.push(row)
      bytes += weightOf(row)
    }
    if (part.length < partRowsMax && bytes < partBytesMax) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

function weightOf(row: Row): number {
  let weight = 0
  for (const value of row) if (typeof value === 'string') weight += value.length
  return weight
}
