import type { Actor } from '../people/audit.ts'
import { companyRows, updateCompanyRows } from '../store/compile/company-rows.ts'
import type { Companies, CompanyStore } from '../store/database.ts'
import { firstSequence, lastSequence } from '../store/events/read-events.ts'
import { integer, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { dueNow } from './dispatch/due.ts'
import type { EndpointRef } from './endpoint.ts'
import { audited, findEndpoint } from './endpoints.ts'

/** Goes back to the first event since a time, and sends all from there again, in order. */
export async function replaySince(db: Companies, ref: EndpointRef, since: Date, by: Actor): Promise<void> {
  const { url } = await findEndpoint(db, ref)
  const own = db.forCompany(ref.companyId)
  const from = timestampText(since)
  const before = (await findFirst(own, from)) - 1
  await own.transact([
    sql`${updateCompanyRows('webhook_endpoint', own, sql`queued_sequence = ${before}`)}
        and id = ${ref.id} and queued_sequence > ${before}`,
    dueNow(ref),
    audited(by, 'replayed', { ...ref, url }, { since: from }),
  ])
}

/** Events have their numbers in the order of their times, but for some milliseconds. So many are looked at again. */
const disorderMax = 1000

/** The number of the first event since a time. There is no index of times, so it is searched for between the numbers. */
async function findFirst(own: CompanyStore, from: string): Promise<number> {
  let low = (await firstSequence(own)) ?? 1
  let high = (await lastSequence(own)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [[sequence, createdAt] = []] = await own.read(sql`
      select sequence, created_at from ${companyRows('event', own)} and sequence >= ${middle} order by sequence limit 1`)
    if (typeof createdAt !== 'string' || createdAt >= from) high = middle
    else low = Number(sequence) + 1
  }
  const [[earlier] = []] = await own.read(sql`
    select min(sequence) from (select sequence, created_at from ${companyRows('event', own)} and sequence < ${low}
      order by sequence desc limit ${integer(disorderMax)}) as earlier where created_at >= ${from}`)
  return earlier === null || earlier === undefined ? low : Number(earlier)
}
