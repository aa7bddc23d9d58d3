import { listCredentials, stateOf } from '../keys/credentials.ts'
import { countByDay, listLastUses } from '../keys/report.ts'
import type { Database } from '../store/database.ts'
import { identifier, sql } from '../store/sql.ts'
import { companyOf, ok, type SettingsContext, type SettingsRoute } from './context.ts'

export const overviewRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/overview', role: 'viewer', handle: show },
]

const days = 30

async function show(context: SettingsContext) {
  const { db } = context
  const { id: companyId } = companyOf(context)
  const which = { companyId, credentialId: null }
  const now = new Date()
  const [credentials, daysOf, [last], [bids, projects]] = await Promise.all([
    listCredentials(db, companyId),
    countByDay(db, which, { days, now }),
    listLastUses(db, which),
    Promise.all(['bid', 'project'].map((name) => countRows(db, companyId, name))),
  ])
  const unscoped = credentials.map(({ id, name }) => {
    const requests = daysOf(id).reduce((sum, day) => sum + day.not_scoped, 0)
    return { credential_id: id, name, requests }
  })
  return ok({
    days: daysOf(null),
    not_scoped: unscoped.filter(({ requests }) => requests > 0).toSorted((a, b) => b.requests - a.requests),
    last_request: last
      ? {
          at: last.at,
          credential_id: last.credentialId,
          credential_name: credentials.find(({ id }) => id === last.credentialId)?.name ?? '',
          outcome: last.outcome,
          status: last.status,
          code: last.code,
          method: last.method,
        }
      : null,
    credentials: credentials.filter((one) => stateOf(one, now) === 'active').length,
    bids,
    projects,
  })
}

async function countRows(db: Database, companyId: string, name: string): Promise<number> {
  const [[count] = []] = await db.read(sql`select count(*) from ${identifier(name)} where company_id = ${companyId}`)
  return Number(count)
}
