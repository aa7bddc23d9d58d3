import { timestampText } from '../resources/timestamp.ts'
import type { Database, Row } from '../store/database.ts'
import { empty, keyword, type Sql, sql } from '../store/sql.ts'
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

/** Which credentials are looked at: one, or all of the company. */
export interface Which {
  readonly companyId: string
  readonly credentialId: string | null
}

/** Those that work at this moment, newest first. */
export async function listLiveSecrets(db: Database, which: Which, now: Date): Promise<LiveSecret[]> {
  const rows = await db.read(sql`
    select s.credential_id, s.id, s.created_at, s.expires_at
    from credential c join credential_secret s on s.credential_id = c.id
    where c.company_id = ${which.companyId}${only(keyword('c.id'), which)}
      and (s.expires_at is null or s.expires_at > ${timestampText(now)})
    order by s.id desc`)
  return rows.map(
    ([credentialId, id, createdAt, expiresAt]) => ({ credentialId, id, createdAt, expiresAt }) as LiveSecret,
  )
}

/** The last request by each secret, and by each key without one, latest first. */
export async function listLastUses(db: Database, which: Which): Promise<LastUse[]> {
  const rows = await db.read(sql`
    select credential_id, secret_id, used_at, address, user_agent, outcome, status, code, method
    from credential_last_use where company_id = ${which.companyId}${only(keyword('credential_id'), which)}
    order by used_at desc`)
  return rows.map(lastUseOf)
}

function lastUseOf(row: Row): LastUse {
  const [credentialId, secretId, at, address, userAgent, outcome, status, code, method] = row
  return { credentialId, secretId, at, address, userAgent, outcome, status, code, method } as LastUse
}

/** Requests of the last days, oldest first and none left out: of one credential, or of all together. */
export type DaysOf = (credentialId: string | null) => Day[]

export async function countByDay(
  db: Database,
  which: Which,
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<DaysOf> {
  const names = Array.from({ length: days }, (_, at) => dayName(now.getTime() - (days - 1 - at) * 24 * hourMs))
  const rows = await db.read(sql`
    select credential_id, ${db.dialect.cast(keyword('hour'), 'timestamp', 'date')} as day, outcome, sum(requests)
    from credential_usage
    where company_id = ${which.companyId}${only(keyword('credential_id'), which)} and hour >= ${`${names[0]}T00:00:00+00:00`}
    group by 1, 2, 3`)
  const counts = new Map<string, number>()
  for (const [id, day, outcome, requests] of rows) {
    for (const owner of [id, 'all']) {
      const key = `${owner} ${String(day).slice(0, 10)} ${outcome}`
      counts.set(key, (counts.get(key) ?? 0) + Number(requests))
    }
  }
  return (credentialId) => names.map((day) => dayOf(counts, `${credentialId ?? 'all'} ${day}`))
}

function dayOf(counts: ReadonlyMap<string, number>, key: string): Day {
  const count = (outcome: Outcome) => counts.get(`${key} ${outcome}`) ?? 0
  return { day: key.slice(-10), ok: count('ok'), refused: count('refused'), not_scoped: count('not_scoped') }
}

const dayName = (time: number): string => new Date(time).toISOString().slice(0, 10)

export interface HourCount {
  readonly hour: string
  readonly secretId: string
  readonly outcome: Outcome
  readonly requests: number
}

/** Requests since then by hour, secret and outcome, oldest first. */
export async function countByHour(db: Database, which: Which, since: Date): Promise<HourCount[]> {
  const rows = await db.read(sql`
    select hour, secret_id, outcome, requests from credential_usage
    where company_id = ${which.companyId}${only(keyword('credential_id'), which)} and hour >= ${timestampText(since)}
    order by hour, secret_id, outcome`)
  return rows.map(([hour, secretId, outcome, requests]) => ({ hour, secretId, outcome, requests }) as HourCount)
}

/** Requests since then by secret. */
export async function countBySecret(db: Database, which: Which, since: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await db.read(sql`
    select secret_id, sum(requests) from credential_usage
    where company_id = ${which.companyId}${only(keyword('credential_id'), which)} and hour >= ${timestampText(since)}
    group by secret_id`)
  return new Map(rows.map(([secretId, requests]) => [String(secretId), Number(requests)]))
}

const only = (column: Sql, { credentialId }: Which): Sql =>
  credentialId === null ? empty : sql` and ${column} = ${credentialId}`
