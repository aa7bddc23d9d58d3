import { scrub } from '../log/scrub.ts'
import { companyRows, insertIntoCompany, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { definedSql, integer, join, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { addedLatency, latencyColumns } from './latency.ts'
import type { Tally } from './tally.ts'

export const hourMs = 3_600_000

/** Rows in one statement: few enough for the parameter limit of every engine. */
const rowsMax = 200
const userAgentMax = 200

/** Adds the counts to the stored ones, all or nothing. In a cluster, all of them are of one company. */
export async function writeUsage(db: Database, tallies: readonly Tally[]): Promise<void> {
  // Instances that write the same rows at the same time must lock them in the same order, to avoid a deadlock.
  const sorted = tallies.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
  const statements = [
    ...chunks(sorted.flatMap(countRows)).map(addCounts),
    ...chunks(lastRows(sorted)).map(setLastUses),
    ...chunks(latencyRows(sorted)).map(addLatency),
  ]
  const [first] = tallies
  if (first) await (db.isSpread ? db.forRows(first.last.companyId) : db).transact(statements)
}

const rankOf = ({ hour, last }: Tally): string => `${last.credentialId} ${last.secretId} ${hour}`

function countRows({ hour, requests, last }: Tally): Sql[] {
  const { companyId, credentialId, secretId } = last
  const from = timestampText(new Date(hour * hourMs))
  return Object.entries(requests).flatMap(([outcome, count]) =>
    count === 0 ? [] : [sql`(${companyId}, ${credentialId}, ${secretId}, ${from}, ${outcome}, ${count})`],
  )
}

/** The last request of each secret over all hours, because an upsert must not change a row twice. */
function lastRows(sorted: readonly Tally[]): Sql[] {
  const lasts = new Map(sorted.map(({ last }) => [`${last.credentialId} ${last.secretId}`, last]))
  return [...lasts.values()].map(({ companyId, credentialId, secretId, outcome, status, code, method, ...use }) => {
    const agent = use.userAgent && scrub(use.userAgent).slice(0, userAgentMax)
    return sql`(${companyId}, ${credentialId}, ${secretId}, ${timestampText(new Date(use.at))}, ${use.address}, ${agent},
      ${outcome}, ${status}, ${code}, ${method})`
  })
}

/** How long the requests of each credential took, whichever secret they came with. */
function latencyRows(sorted: readonly Tally[]): Sql[] {
  const byHour = Map.groupBy(sorted, ({ hour, last }) => `${last.credentialId} ${hour}`)
  return [...byHour.values()].flatMap((tallies) => {
    const [first] = tallies
    if (!first) return []
    const counts = tallies.map(({ latency }) => latency).reduce(addedLatency)
    const { companyId, credentialId } = first.last
    const from = timestampText(new Date(first.hour * hourMs))
    const values = [companyId, credentialId, from, ...counts].map((value) => sql`${value}`)
    return [sql`(${join(values, ', ')})`]
  })
}

const countColumns = ['credential_id', 'secret_id', 'hour', 'outcome', 'requests']
const lastUseColumns = [
  ...['credential_id', 'secret_id', 'used_at', 'address', 'user_agent'],
  ...['outcome', 'status', 'code', 'method'],
]

const addCounts = (
  rows: readonly Sql[],
): Sql => sql`${insertIntoCompany('credential_usage', countColumns)} values ${join(rows, ', ')}
  on conflict (company_id, credential_id, secret_id, hour, outcome)
  do update set requests = credential_usage.requests + excluded.requests`

const addLatency = (
  rows: readonly Sql[],
): Sql => sql`${insertIntoCompany('request_latency', ['credential_id', 'hour', ...latencyColumns])}
  values ${join(rows, ', ')}
  on conflict (company_id, credential_id, hour) do update set ${addedColumns}`

const addedColumns = definedSql(
  latencyColumns.map((column) => `${column} = request_latency.${column} + excluded.${column}`).join(', '),
)

/** Never goes back: another instance may have written a later one. */
const setLastUses = (
  rows: readonly Sql[],
): Sql => sql`${insertIntoCompany('credential_last_use', lastUseColumns)} values ${join(rows, ', ')}
  on conflict (company_id, credential_id, secret_id)
  do update set used_at = excluded.used_at, address = excluded.address, user_agent = excluded.user_agent,
    outcome = excluded.outcome, status = excluded.status, code = excluded.code, method = excluded.method
  where credential_last_use.used_at <= excluded.used_at`

/** Counts that are kept by the hour, the columns beside the company that tell them apart, and for how long. */
const counted = [
  // Thirteen months, so that a month can be compared with the same month of the previous year.
  { table: 'credential_usage', key: [sql`credential_id`, sql`secret_id`], keptMs: 396 * 24 * hourMs },
  // The charts of how long requests took look back 90 days.
  { table: 'request_latency', key: [sql`credential_id`], keptMs: 92 * 24 * hourMs },
] as const

const sweptAtOnce = 50

/** Deletes counts that are too old, of all companies, some at a time. */
export async function sweepUsage(db: Database, now = new Date()): Promise<void> {
  for (const { table, key, keptMs } of counted) {
    const ends = timestampText(new Date(now.getTime() - keptMs))
    for (;;) {
      const old = await db.readLong(sql`
        select distinct company_id, ${join(key, ', ')} from ${tableOfAllCompanies(table)}
        where company_id in (select id from company) and hour < ${ends} limit ${integer(sweptAtOnce)}`)
      if (old.length === 0) break
      await db.transact(
        old.map(([companyId, ...values]) => {
          const same = key.map((column, at) => sql`${column} = ${values[at] ?? null}`)
          return sql`
            delete from ${companyRows(table, { companyId: String(companyId) })} and ${join(same, ' and ')} and hour < ${ends}`
        }),
      )
    }
  }
}

function chunks(rows: readonly Sql[]): Sql[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsMax) }, (_, at) =>
    rows.slice(at * rowsMax, (at + 1) * rowsMax),
  )
}
