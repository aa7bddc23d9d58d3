import { tableOfAllCompanies } from '../../store/compile/company-rows.ts'
import type { Database, Row } from '../../store/database.ts'
import { integer, join, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import type { EndpointRef } from '../endpoint.ts'

/** More are found the next time. */
const foundMax = 1000

/** Whoever knows of a delivery sends it sooner. */
const overdueMs = 60_000

const refOf = ([companyId, id]: Row): EndpointRef => ({ companyId: String(companyId), id: String(id) })

/** Endpoints of all companies for which there are events, or deliveries, that nobody may know of. */
export async function findBehind(db: Pick<Database, 'read' | 'readLong'>): Promise<EndpointRef[]> {
  const [any] = await db.read(sql`select 1 from ${tableOfAllCompanies('webhook_endpoint')} limit 1`)
  if (!any) return []
  const overdue = timestampText(new Date(Date.now() - overdueMs))
  const rows = await db.readLong(sql`
    select w.company_id, w.id from ${tableOfAllCompanies('webhook_endpoint')} w
    where w.disabled_at is null and (
      exists (select 1 from ${tableOfAllCompanies('event')} e where e.company_id = w.company_id and e.sequence > w.queued_sequence)
      or exists (select 1 from ${tableOfAllCompanies('webhook_delivery')} d
        where d.company_id = w.company_id and d.endpoint_id = w.id and d.next_at < ${overdue}))
    limit ${integer(foundMax)}`)
  return rows.map(refOf)
}

/** The endpoints of some companies. Most have none. */
export async function findOfCompanies(
  db: Pick<Database, 'read'>,
  companies: readonly string[],
): Promise<EndpointRef[]> {
  if (companies.length === 0) return []
  const ids = companies.map((id) => sql`${id}`)
  const rows = await db.read(sql`
    select company_id, id from ${tableOfAllCompanies('webhook_endpoint')}
    where company_id in (${join(ids, ', ')}) and disabled_at is null`)
  return rows.map(refOf)
}
