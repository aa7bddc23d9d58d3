import { askAll } from '../../store/ask-all.ts'
import type { Database, Question, Row } from '../../store/database.ts'
import { integer, sql } from '../../store/sql.ts'

/** What waits to be delivered. */
export interface Backlog {
  readonly pending: number
  readonly oldestAt: Date | null
}

const countedMax = 10_000

/** Of all companies; on each node, more than `countedMax` are not counted. */
export async function measureBacklog(
  db: Pick<Database, 'inquire'>,
  report: (error: unknown) => void,
): Promise<Backlog> {
  const parts: Row[] = []
  await askAll(db, countPending, { found: (rows) => void parts.push(...rows), report })
  const oldest = parts.flatMap(([, at]) => (typeof at === 'string' ? [at] : [])).toSorted()[0]
  const pending = parts.reduce((sum, [count]) => sum + Number(count), 0)
  return { pending, oldestAt: oldest === undefined ? null : new Date(oldest) }
}

const countPending: Question = (table) => sql`
    select count(*), min(created_at) from (
      select created_at from ${table('webhook_delivery')} where state = 'pending'
      limit ${integer(countedMax)}) as pending`
