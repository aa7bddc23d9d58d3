import type { Reports } from '../keys/report.ts'
import type { Outcome } from '../keys/tally.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import { contains } from '../store/compile/contains.ts'
import type { CompanyStore, Row, Rows } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'
import type { Soon } from '../store/soon.ts'
import { empty, integer, join, keyword, type Sql, sql } from '../store/sql.ts'
import type { LoggedRequest } from './logged-request.ts'

/** `failed` stands for all outcomes but `ok`. */
export const outcomeChoices = ['ok', 'failed', 'refused', 'not_scoped'] as const satisfies readonly (
  | Outcome
  | 'failed'
)[]
export type OutcomeChoice = (typeof outcomeChoices)[number]

export interface RequestFilter {
  readonly credentialId: string | null
  readonly outcome: OutcomeChoice | null
  readonly method?: string | null
  readonly status?: number | null
  /** A part of the path and the query, in any case, as it was sent or as people read it. */
  readonly path?: string | null
  /** The id of the last request of the previous page. */
  readonly before: string | null
}

/** A request as it is stored. */
export interface StoredRequest extends Omit<LoggedRequest, 'at'> {
  readonly at: string
  readonly credentialId: string
  readonly credentialName: string
  readonly leftOut: number
}

/** The requests of a company, newest first. */
export async function listRequests(db: CompanyStore, filter: RequestFilter, limit: number): Promise<StoredRequest[]> {
  const statement = sql`${select(db)}${conditions(db, filter)} order by id desc limit ${integer(limit)}`
  return (await read(db, filter, statement)).map(requestOf)
}

function read(db: CompanyStore, filter: RequestFilter, statement: Sql): Soon<Rows> {
  const { credentialId, outcome, method, status, path } = filter
  // To look for a text takes long, however few requests there are.
  if ((path ?? null) !== null) return db.readLong(statement)
  // An index finds the latest of all, those of a credential, and the failures. Anything else may read every row.
  const isAnyAnswer = (method ?? null) === null && (status ?? null) === null
  const isFound = outcome === null || (outcome === 'failed' && credentialId === null)
  return isAnyAnswer && isFound ? db.read(statement) : db.readReport(['request_log'], statement)
}

export async function findRequest(db: CompanyStore, id: string): Promise<StoredRequest | null> {
  const [row] = await db.read(sql`${select(db)} and id = ${id}`)
  return row ? requestOf(row) : null
}

const select = (db: Pick<Reports, 'companyId'>): Sql => sql`
  select id, created_at, credential_id,
    (select c.name from ${companyRows('credential', db, 'c')} and c.id = r.credential_id),
    method, path, outcome, status, ms, code, message, hint, address, user_agent, left_out
  from ${companyRows('request_log', db, 'r')}`

function conditions({ dialect }: CompanyStore, filter: RequestFilter): Sql {
  const { credentialId, outcome, method = null, status = null, path = null, before } = filter
  const byCredential = credentialId === null ? empty : sql` and credential_id = ${credentialId}`
  const byMethod = method === null ? empty : sql` and method = ${method}`
  const byStatus = status === null ? empty : sql` and status = ${integer(status)}`
  const byPath = path === null ? empty : sql` and ${isInPath(dialect, path)}`
  const older = before === null ? empty : sql` and id < ${before}`
  return sql`${byCredential}${byOutcome(outcome)}${byMethod}${byStatus}${byPath}${older}`
}

/** Clients send `新` as `%E6%96%B0`. */
const isInPath = (dialect: Dialect, text: string): Sql => {
  const spellings = [...new Set([text, encodeURI(text)])].map((one) => contains(dialect, keyword('path'), one))
  return sql`(${join(spellings, ' or ')})`
}

function byOutcome(outcome: OutcomeChoice | null): Sql {
  if (outcome === null) return empty
  return outcome === 'failed' ? keyword(" and outcome <> 'ok'") : sql` and outcome = ${outcome}`
}

function requestOf(row: Row): StoredRequest {
  const [id, at, credentialId, credentialName, method, path, outcome, status, ms, code, message, hint, ...more] = row
  const [address, userAgent, leftOut] = more
  return {
    ...{ id, at, credentialId, credentialName: String(credentialName ?? ''), method, path, outcome },
    ...{ status: Number(status), ms: Number(ms), code, message, hint, address, userAgent, leftOut: Number(leftOut) },
  } as StoredRequest
}
