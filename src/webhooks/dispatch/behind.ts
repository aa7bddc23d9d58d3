import type { Question, Row } from '../../store/database.ts'
import { integer, join, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import type { EndpointRef } from '../endpoint.ts'

/** More are found the next time. */
const foundMax = 1000

/** Whoever knows of a delivery sends it sooner. */
const overdueMs = 60_000

export const refOf = ([companyId, id]: Row): EndpointRef => ({ companyId: String(companyId), id: String(id) })

export const anyEndpoint: Question = (table) => sql`select 1 from ${table('webhook_endpoint')} limit 1`

/** Endpoints of all companies for which there are events, or deliveries, that nobody may know of. */
export const endpointsBehind: Question = (table) => sql`
    select w.company_id, w.id from ${table('webhook_endpoint')} w
    where w.disabled_at is null and (
      exists (select 1 from ${table('event')} e where e.company_id = w.company_id and e.sequence > w.queued_sequence)
      or exists (select 1 from ${table('webhook_delivery')} d
        where d.company_id = w.company_id and d.endpoint_id = w.id and d.next_at < ${timestampText(new Date(Date.now() - overdueMs))}))
    limit ${integer(foundMax)}`

/** The endpoints of some companies. Most have none. */
export const endpointsOf: Question = (table, companyIds) => {
  const ids = companyIds.map((id) => sql`${id}`)
  return sql`
    select company_id, id from ${table('webhook_endpoint')}
    where company_id in (${join(ids, ', ')}) and disabled_at is null`
}
