import type { CompanyStore } from './database.ts'
import type { Sql } from './sql.ts'

/** Repeats a statement that deletes at most `most` rows and returns them, until none is left: other writes come in between. */
export async function deleteInParts(own: CompanyStore, statement: Sql, most: number): Promise<void> {
  for (let deleted = most; deleted === most; ) {
    const [rows = []] = await own.transact([statement])
    deleted = rows.length
  }
}
