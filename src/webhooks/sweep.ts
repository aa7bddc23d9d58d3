import { companiesWith } from '../store/companies-with.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { deleteInParts } from '../store/delete-in-parts.ts'
import { integer, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'

/** Rows deleted in one statement, because other writes wait for it. */
const deletedMax = 500

const tables = [
  { name: 'webhook_attempt', key: sql`id` },
  { name: 'webhook_delivery', key: sql`event_id` },
] as const

/** Deletes deliveries and attempts that are older than events are kept, company by company and in small parts. */
export async function sweepWebhooks(db: Database, keptMs: number): Promise<void> {
  const ends = timestampText(new Date(Date.now() - keptMs))
  for (const { name, key } of tables) {
    for await (const companyId of companiesWith(db, name)) {
      const own = db.forRows(companyId)
      const some = sql`delete from ${companyRows(name, own)} and created_at < ${ends} and ${key} in (
        select ${key} from ${companyRows(name, own)} and created_at < ${ends}
        order by created_at limit ${integer(deletedMax)}) returning ${key}`
      await deleteInParts(own, some, deletedMax)
    }
  }
}
