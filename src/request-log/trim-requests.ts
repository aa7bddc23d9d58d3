import { companiesWith } from '../store/companies-with.ts'
import { companyRows, type OfCompany } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { deleteInParts } from '../store/delete-in-parts.ts'
import { integer, type Sql, sql } from '../store/sql.ts'

/** Rows of one company. */
export const keptMax = 100_000
const keptMs = 7 * 24 * 3_600_000

/** Few enough that others hardly wait. */
const deletedMax = 200

/** Deletes a company's requests that are too old or too many, some at a time. */
export async function trimRequests(db: Database, companyId: string, most = keptMax): Promise<void> {
  const own = db.forRows(companyId)
  const [surplus] = await own.readLong(sql`
    select id from ${companyRows('request_log', own)} order by id desc limit 1 offset ${integer(most)}`)
  const oldest = Bun.randomUUIDv7('hex', Date.now() - keptMs)
  const last = surplus && String(surplus[0]) > oldest ? String(surplus[0]) : oldest
  await deleteInParts(own, deleteSome(own, last), deletedMax)
}

const deleteSome = (company: OfCompany, last: string): Sql =>
  sql`delete from ${companyRows('request_log', company)} and id in (
        select id from ${companyRows('request_log', company)} and id <= ${last}
        order by id limit ${integer(deletedMax)}) returning id`

/** The same for every company that has some. */
export async function sweepRequests(db: Database): Promise<void> {
  for await (const companyId of companiesWith(db, 'request_log')) await trimRequests(db, companyId)
}
