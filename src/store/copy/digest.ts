import type { Rows } from '../database.ts'
import type { Table } from './catalogue.ts'
import { selectHeaviest, selectRows } from './copy-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** What a table holds, in short: equal on any engine if and only if every row is. */
export interface Digest {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

/** Takes the rows of a table in the order of the primary key, in any portions. */
export function createDigest(table: string) {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  return {
    get rows() {
      return rows
    },
    add: (part: Rows): void => {
      rows += part.length
      // `[…],[…],`: the same whatever the portions are.
      hash.update(`${JSON.stringify(part).slice(1, -1)},`)
    },
    finish: (): Digest => ({ table, rows, sha256: hash.digest('hex') }),
  }
}

export async function digestOf(snapshot: Snapshot, table: Table, advance: (rows: number) => void): Promise<Digest> {
  const digest = createDigest(table.name)
  for await (const part of snapshot.parts(selectRows(table, snapshot.engine), selectHeaviest(table))) {
    digest.add(part)
    advance(digest.rows)
  }
  return digest.finish()
}
