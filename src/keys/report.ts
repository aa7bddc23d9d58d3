import { companyRows, joinedCompanyRows, type OfCompany } from '../store/compile/company-rows.ts'
import type { CompanyStore, Row } from '../store/database.ts'
import { definedSql, empty, integer, keyword, type Sql, sql } from '../store/sql.ts'
import { timestamp } from '../types/timestamp.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Latency, latencyColumns } from './latency.ts'
import type { Outcome } from './tally.ts'
import { hourMs } from './write-usage.ts'

/** The requests of one day, counted in UTC. */
type Day = { readonly day: string } & Readonly<Record<Outcome, number>>

export interface LiveSecret {
  readonly credentialId: string
  readonly id: string
  readonly createdAt: string
  readonly expiresAt: string | null
}

export interface LastUse {
  readonly credentialId: string
  readonly secretId: string
  readonly at: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly outcome: Outcome
  readonly status: number
  readonly code: string | null
  readonly method: string
}

/** Where reports about a company are read from, so that they do not block short reads. */
export type Reports = Pick<CompanyStore, 'companyId' | 'read' | 'dialect'>

/** The credentials of a report: those whose ids are in a list or a select, such as `$1`; null for all of the company. */
export type Which = Sql | null

/** Those that work now, newest first. */
export async function listLiveSecrets(db: Reports, which: Which, now: Date): Promise<LiveSecret[]> {
  const rows = await db.read(sql`
    select s.credential_id, s.id, s.created_at, s.expires_at
    from credential_secret s join ${joinedCompanyRows('credential', db, 'c')} and c.id = s.credential_id
    where (s.expires_at is null or s.expires_at > ${timestampText(now)})${only(keyword('c.id'), which)}
    order by s.id desc`)
  return rows.map(
    ([credentialId, id, createdAt, expiresAt]) => ({ credentialId, id, createdAt, expiresAt }) as LiveSecret,
  )
}

/** The last request with each secret, and with each key alone, latest first. */
export async function listLastUses(db: Reports, which: Which): Promise<LastUse[]> {
  const rows = await db.read(sql`
    select credential_id, secret_id, used_at, address, user_agent, outcome, status, code, method
    from ${companyRows('credential_last_use', db)}${only(keyword('credential_id'), which)}
    order by used_at desc`)
  return rows.map(lastUseOf)
}

function lastUseOf(row: Row): LastUse {
  const [credentialId, secretId, at, address, userAgent, outcome, status, code, method] = row
  return { credentialId, secretId, at, address, userAgent, outcome, status, code, method } as LastUse
}

/** The last request of a company, with the name of its credential. */
export async function findLastUse(db: Reports): Promise<(LastUse & { readonly name: string }) | null> {
  const [row] = await db.read(sql`
    select credential_id, secret_id, used_at, address, user_agent, outcome, status, code, method, ${credentialName(db)}
    from ${companyRows('credential_last_use', db, 'u')} order by used_at desc limit 1`)
  return row ? { ...lastUseOf(row), name: String(row[9]) } : null
}

const credentialName = (company: OfCompany): Sql =>
  sql`(select c.name from ${companyRows('credential', company, 'c')} and c.id = u.credential_id)`

interface Span {
  readonly days: number
  readonly now: Date
}

/** The dates of a span, oldest first. */
const daysIn = ({ days, now }: Span): string[] =>
  Array.from({ length: days }, (_, at) => dayName(now.getTime() - (days - 1 - at) * 24 * hourMs))

const startOf = (span: Span): string => `${daysIn(span)[0]}T00:00:00+00:00`

/** Requests of the last days, oldest first, including days without requests. */
export async function countByDay(db: Reports, which: Which, span: Span): Promise<Day[]> {
  const rows = await db.read(sql`
    select ${dayOf(db)} as day, outcome, sum(requests) from ${companyRows('credential_usage', db)}
    ${only(keyword('credential_id'), which)} and ${since(startOf(span), which)}
    group by 1, 2`)
  const counts = countsOf(rows.map((row) => ['', ...row]))
  return daysIn(span).map((day) => counts('', day))
}

/** The same for each credential by its id. */
export async function countEachByDay(db: Reports, which: Which, span: Span): Promise<(credentialId: string) => Day[]> {
  const rows = await db.read(sql`
    select credential_id, ${dayOf(db)} as day, outcome, sum(requests) from ${companyRows('credential_usage', db)}
    ${only(keyword('credential_id'), which)} and ${sinceHour(startOf(span))}
    group by 1, 2, 3`)
  const counts = countsOf(rows)
  const days = daysIn(span)
  return (credentialId) => days.map((day) => counts(credentialId, day))
}

/** Makes SQLite use the index by credential. It would use the one by hour, and so read the rows of all credentials. */
const sinceHour = (time: string): Sql => sql`(hour >= ${time}) = true`

/** Of all credentials, the rows are found by the hour. */
const since = (time: string, which: Which): Sql => (which === null ? sql`hour >= ${time}` : sinceHour(time))

const dayOf = ({ dialect }: Reports): Sql => dialect.cast(keyword('hour'), timestamp, 'date')

/** Rows of owner, day, outcome and requests → the counts by owner and day. */
function countsOf(rows: readonly Row[]): (owner: string, day: string) => Day {
  const keyOf = (owner: unknown, day: unknown, outcome: unknown) => `${owner} ${String(day).slice(0, 10)} ${outcome}`
  const counts = new Map(rows.map(([owner, day, outcome, requests]) => [keyOf(owner, day, outcome), Number(requests)]))
  return (owner, day) => {
    const count = (outcome: Outcome) => counts.get(keyOf(owner, day, outcome)) ?? 0
    return { day, ok: count('ok'), refused: count('refused'), not_scoped: count('not_scoped') }
  }
}

interface NotScoped {
  /** How many have such requests. */
  readonly credentials: number
  /** Those with the most of them. */
  readonly most: readonly { readonly credential_id: string; readonly name: string; readonly requests: number }[]
}

/** The credentials with requests without their secret. */
export async function findNotScoped(db: Reports, span: Span, listedMax: number): Promise<NotScoped> {
  const rows = await db.read(sql`
    select credential_id, ${credentialName(db)}, sum(requests), count(*) over ()
    from ${companyRows('credential_usage', db, 'u')} and hour >= ${startOf(span)} and outcome = 'not_scoped'
    group by credential_id order by 3 desc, 1 limit ${integer(listedMax)}`)
  return {
    credentials: Number(rows[0]?.[3] ?? 0),
    most: rows.map(([id, name, requests]) => ({
      credential_id: String(id),
      name: String(name),
      requests: Number(requests),
    })),
  }
}

const dayName = (time: number): string => new Date(time).toISOString().slice(0, 10)

interface HourCount {
  readonly hour: string
  readonly outcome: Outcome
  readonly requests: number
}

/** Requests since a time by hour and outcome. Hours without requests are left out. */
export async function countByHour(db: Reports, which: Which, from: Date): Promise<HourCount[]> {
  const rows = await db.read(sql`
    select hour, outcome, sum(requests) from ${companyRows('credential_usage', db)}
    ${only(keyword('credential_id'), which)} and ${since(timestampText(from), which)}
    group by 1, 2`)
  return rows.map(([hour, outcome, requests]) => ({ hour, outcome, requests: Number(requests) }) as HourCount)
}

/** How long the requests since a time took, for each hour that had some. */
export async function readLatency(
  db: Reports,
  which: Which,
  from: Date,
): Promise<{ readonly hour: string; readonly counts: Latency }[]> {
  const rows = await db.read(sql`
    select hour, ${latencySums} from ${companyRows('request_latency', db)}
    ${only(keyword('credential_id'), which)} and ${since(timestampText(from), which)}
    group by hour`)
  return rows.map(([hour, ...counts]) => ({ hour: String(hour), counts: counts.map(Number) }))
}

const latencySums = definedSql(latencyColumns.map((column) => `sum(${column})`).join(', '))

type SecretHourCount = HourCount & { readonly secretId: string }

/** The same for each secret of one credential, oldest first. */
export async function countEachByHour(db: Reports, credentialId: string, from: Date): Promise<SecretHourCount[]> {
  const rows = await db.read(sql`
    select hour, secret_id, outcome, requests from ${companyRows('credential_usage', db)}
    and credential_id = ${credentialId} and ${sinceHour(timestampText(from))}
    order by hour, secret_id, outcome`)
  return rows.map(([hour, secretId, outcome, requests]) => ({ hour, secretId, outcome, requests }) as SecretHourCount)
}

interface SecretCount {
  readonly credentialId: string
  /** Empty of requests without a valid secret. */
  readonly secretId: string
  readonly requests: number
}

/** Requests since a time by credential and secret, also by secrets that have ended. */
export async function countBySecret(db: Reports, which: Which, since: Date): Promise<SecretCount[]> {
  const rows = await db.read(sql`
    select credential_id, secret_id, sum(requests) from ${companyRows('credential_usage', db)}
    ${only(keyword('credential_id'), which)} and ${sinceHour(timestampText(since))}
    group by credential_id, secret_id`)
  return rows.map(([credentialId, secretId, requests]) => ({
    credentialId: String(credentialId),
    secretId: String(secretId),
    requests: Number(requests),
  }))
}

const only = (column: Sql, ids: Which): Sql => (ids === null ? empty : sql` and ${column} in (${ids})`)
