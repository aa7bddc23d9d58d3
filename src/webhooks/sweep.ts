import { companyRows, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { empty, integer, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'

/** Rows deleted in one statement, because other writes wait for it. */
const deletedMax = 500

const tables = [
  { name: 'webhook_attempt', key: 'id' },
  { name: 'webhook_delivery', key: 'event_id' },
] as const

/** Deletes deliveries and attempts that are older than events are kept, company by company and in small parts. */
export async function sweepWebhooks(db: Database, keptMs: number): Promise<void> {
  const ends = timestampText(new Date(Date.now() - keptMs))
  for (const { name, key } of tables) {
    for (let companyId = await nextCompany(db, name, null); companyId !== null; ) {
      const own = db.forRows(companyId)
      const column = sql`${key === 'id' ? sql`id` : sql`event_id`}`
      const [deleted] = await own.transact([
        sql`delete from ${companyRows(name, own)} and created_at < ${ends} and ${column} in (
              select ${column} from ${companyRows(name, own)} and created_at < ${ends}
              order by created_at limit ${integer(deletedMax)}) returning ${column}`,
      ])
      if ((deleted?.length ?? 0) < deletedMax) companyId = await nextCompany(db, name, companyId)
    }
  }
}

/** The next company that has rows in a table. */
async function nextCompany(db: Database, table: string, after: string | null): Promise<string | null> {
  const behind = after === null ? empty : sql` where company_id > ${after}`
  const [row] = await db.read(
    sql`select company_id from ${tableOfAllCompanies(table)}${behind} order by company_id limit 1`,
  )
  return row ? String(row[0]) : null
}
