import { memoizeText } from '../caches/memoize.ts'
import { insertIntoCompany, updateCompanyRows } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { join, Sql, sql, type Value } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { LeftOut, Owner } from './create-quota.ts'
import type { LoggedRequest } from './logged-request.ts'

export interface OwnedRequest extends Owner {
  readonly request: LoggedRequest
}

/** Adds rows, and tells those that came last in their minute how many were left out after them. All or nothing for each company. */
export async function writeRequests(
  db: Database,
  requests: readonly OwnedRequest[],
  leftOut: readonly LeftOut[],
): Promise<void> {
  if (!db.isSpread) {
    await db.transact(statementsFor(requests, leftOut))
    return
  }
  // Only the company's own node has to be there.
  const added = Map.groupBy(requests, ({ companyId }) => companyId)
  const told = Map.groupBy(leftOut, ({ companyId }) => companyId)
  const companies = [...new Set([...added.keys(), ...told.keys()])]
  await Promise.all(
    companies.map((id) => db.forRows(id).transact(statementsFor(added.get(id) ?? [], told.get(id) ?? []))),
  )
}

const statementsFor = (requests: readonly OwnedRequest[], leftOut: readonly LeftOut[]): Sql[] => [
  ...inserts(requests),
  ...leftOut.map(
    (one) => sql`${updateCompanyRows('request_log', one, sql`left_out = ${one.requests}`)} and id = ${one.id}`,
  ),
]

/** Rows in one statement. Few sizes, so that few statements have to be made and remembered. */
const sizes = [64, 16, 4, 1]

function* inserts(requests: readonly OwnedRequest[]): Generator<Sql> {
  for (let at = 0; at < requests.length; ) {
    const size = sizes.find((one) => one <= requests.length - at) ?? 1
    yield new Sql(insertTexts(String(size)), requests.slice(at, at + size).flatMap(valuesOf))
    at += size
  }
}

const columns = [
  ...['id', 'credential_id', 'created_at', 'method', 'path', 'outcome', 'status', 'ms'],
  ...['code', 'message', 'hint', 'address', 'user_agent', 'left_out'],
]

function valuesOf({ companyId, credentialId, request }: OwnedRequest): Value[] {
  const { id, at, method, path, outcome, status, ms, code, message, hint, address, userAgent } = request
  const createdAt = timestampText(new Date(at))
  return [
    ...[companyId, id, credentialId, createdAt, method, path, outcome, status, ms],
    ...[code, message, hint, address, userAgent, 0],
  ]
}

/** The text of a statement for so many rows. */
const insertTexts = memoizeText((size): readonly string[] => {
  const row = sql`(${join(
    ['company_id', ...columns].map(() => sql`${null}`),
    ', ',
  )})`
  const rows = Array.from({ length: Number(size) }, () => row)
  // A request is written again where it is not known whether it was written.
  return sql`${insertIntoCompany('request_log', columns)} values ${join(rows, ', ')}
    on conflict (company_id, id) do nothing`.texts
})
