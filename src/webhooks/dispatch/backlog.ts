import { tableOfAllCompanies } from '../../store/compile/company-rows.ts'
import type { Database } from '../../store/database.ts'
import { integer, sql } from '../../store/sql.ts'

/** What waits to be delivered. */
export interface Backlog {
  readonly pending: number
  readonly oldestAt: Date | null
}

const countedMax = 10_000

/** Of all companies; more than `countedMax` are not counted. */
export async function measureBacklog(db: Pick<Database, 'read'>): Promise<Backlog> {
  const [[count, oldest] = []] = await db.read(sql`
    select count(*), min(created_at) from (
      select created_at from ${tableOfAllCompanies('webhook_delivery')} where state = 'pending'
      limit ${integer(countedMax)}) as pending`)
  return { pending: Number(count), oldestAt: typeof oldest === 'string' ? new Date(oldest) : null }
}
