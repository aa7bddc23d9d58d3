import { tableOfAllCompanies } from './compile/company-rows.ts'
import type { Database } from './database.ts'
import { empty, sql } from './sql.ts'

/** Every company that has rows in a table. Each is looked up when it is asked for, so rows may be deleted meanwhile. */
export async function* companiesWith(db: Database, table: string): AsyncGenerator<string> {
  let behind = empty
  for (;;) {
    const [row] = await db.read(
      sql`select company_id from ${tableOfAllCompanies(table)}${behind} order by company_id limit 1`,
    )
    if (!row) return
    const companyId = String(row[0])
    yield companyId
    behind = sql` where company_id > ${companyId}`
  }
}
