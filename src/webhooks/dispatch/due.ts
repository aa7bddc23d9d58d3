import {
  companyRows,
  insertCompanyRow,
  insertIntoCompany,
  tableOfAllCompanies,
  updateCompanyRows,
} from '../../store/compile/company-rows.ts'
import type { Companies, Database, Statements } from '../../store/database.ts'
import { integer, join, type Sql, sql } from '../../store/sql.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import type { EndpointRef } from '../endpoint.ts'

/**
 * Which endpoints have something to do, and who does it. An endpoint without anything to do has no row, so that looking
 * for work costs the same however many companies there are. Whoever works on an endpoint holds a lease on its row: it is
 * taken by a compare-and-set, renewed while the work goes on, and anybody's again when it has expired.
 */
export interface Lease extends EndpointRef {
  readonly lease: string
}

/** Longer than an attempt and a stall of the process, because a lease that expires lets another instance send the same. */
export const leaseMs = 30_000

const sooner = sql`on conflict (company_id, endpoint_id)
  do update set due_at = excluded.due_at where webhook_due.due_at > excluded.due_at`

/** For a transaction that gives an endpoint something to do. */
export const dueNow = ({ companyId, id }: EndpointRef): Sql =>
  sql`${insertCompanyRow('webhook_due', { companyId }, { endpoint_id: id, due_at: timestampText(new Date()), is_failing: 0 })} ${sooner}`

export const notDue = ({ companyId, id }: EndpointRef): Sql =>
  sql`delete from ${companyRows('webhook_due', { companyId })} and endpoint_id = ${id}`

/** The same for several endpoints, of several companies. */
export async function makeDue(db: Pick<Statements, 'transact'>, refs: readonly EndpointRef[]): Promise<void> {
  if (refs.length === 0) return
  const now = timestampText(new Date())
  // In one order, because two instances that lock the same rows must not wait for each other.
  const rows = refs
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ companyId, id }) => sql`(${companyId}, ${id}, ${now}, 0)`)
  const columns = ['endpoint_id', 'due_at', 'is_failing']
  await db.transact([sql`${insertIntoCompany('webhook_due', columns)} values ${join(rows, ', ')} ${sooner}`])
}

/** Endpoints that have waited longest, of all companies that are not being deleted, and that nobody works on. */
export async function findDue(
  db: Pick<Statements, 'read'>,
  { isFailing, most }: { readonly isFailing: boolean; readonly most: number },
): Promise<EndpointRef[]> {
  const now = timestampText(new Date())
  const rows = await db.read(sql`
    select d.company_id, d.endpoint_id from ${tableOfAllCompanies('webhook_due')} d
    where not exists (select 1 from company c where c.id = d.company_id and c.delete_after is not null)
      and due_at <= ${now} and is_failing = ${integer(isFailing ? 1 : 0)} and (leased_until is null or leased_until < ${now})
    order by due_at limit ${integer(most)}`)
  return rows.map(([companyId, id]) => ({ companyId: String(companyId), id: String(id) }))
}

/** null if somebody else was first. */
export async function claim(db: Companies, { companyId, id }: EndpointRef): Promise<Lease | null> {
  const lease = Bun.randomUUIDv7()
  const now = Date.now()
  const changes = sql`lease = ${lease}, leased_until = ${timestampText(new Date(now + leaseMs))}`
  const [claimed] = await db.forCompany(companyId).transact([
    sql`${updateCompanyRows('webhook_due', { companyId }, changes)} and endpoint_id = ${id}
        and (leased_until is null or leased_until < ${timestampText(new Date(now))}) returning endpoint_id`,
  ])
  return claimed?.length === 1 ? { companyId, id, lease } : null
}

/** Whether the lease is still held. */
export async function renew(db: Companies, { companyId, id, lease }: Lease): Promise<boolean> {
  const changes = sql`leased_until = ${timestampText(new Date(Date.now() + leaseMs))}`
  const [renewed] = await db
    .forCompany(companyId)
    .transact([
      sql`${updateCompanyRows('webhook_due', { companyId }, changes)} and endpoint_id = ${id} and lease = ${lease} returning endpoint_id`,
    ])
  return renewed?.length === 1
}

/** When there is something to do again; null: not before another event. */
export interface Rest {
  readonly dueAt: string | null
  readonly isFailing: boolean
}

export const nothingLeft: Rest = { dueAt: null, isFailing: false }

/** Gives a lease back, unless somebody else has taken it meanwhile. */
export async function release(
  db: Pick<Database, 'forCompany'>,
  { companyId, id, lease }: Lease,
  { dueAt, isFailing }: Rest,
): Promise<void> {
  const held = sql`and endpoint_id = ${id} and lease = ${lease}`
  const changes = sql`due_at = ${dueAt}, is_failing = ${isFailing ? 1 : 0}, lease = ${null}, leased_until = ${null}`
  await db
    .forCompany(companyId)
    .transact([
      dueAt === null
        ? sql`delete from ${companyRows('webhook_due', { companyId })} ${held}`
        : sql`${updateCompanyRows('webhook_due', { companyId }, changes)} ${held}`,
    ])
}
