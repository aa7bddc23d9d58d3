import type { Table } from './catalogue.ts'
import { selectHeaviest, selectRows } from './copy-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** What a table holds, in short: equal on any engine if and only if every row is. */
export interface Digest {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

export async function digestOf(snapshot: Snapshot, table: Table, advance: (rows: number) => void): Promise<Digest> {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const part of snapshot.parts(selectRows(table, snapshot.engine, null), selectHeaviest(table))) {
    for (const row of part) hash.update(`${JSON.stringify(row)}\n`)
    rows += part.length
    advance(rows)
  }
  return { table: table.name, rows, sha256: hash.digest('hex') }
}
