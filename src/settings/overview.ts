import { countActive } from '../keys/credentials.ts'
import { countByDay, findLastUse, listNotScoped, type Reports } from '../keys/report.ts'
import { identifier, sql } from '../store/sql.ts'
import { companyOf, ok, reportsOf, type SettingsContext, type SettingsRoute } from './context.ts'

export const overviewRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/overview', role: 'viewer', handle: show },
]

const days = 30
const notScopedMax = 20

async function show(context: SettingsContext) {
  const reports = reportsOf(context)
  const { id: companyId } = companyOf(context)
  const span = { days, now: new Date() }
  const [byDay, notScoped, last, credentials, bids, projects] = await Promise.all([
    countByDay(reports, { companyId, ids: null }, span),
    listNotScoped(reports, companyId, span, notScopedMax),
    findLastUse(reports, companyId),
    countActive(reports, companyId),
    countRows(reports, companyId, 'bid'),
    countRows(reports, companyId, 'project'),
  ])
  return ok({
    days: byDay,
    not_scoped: notScoped,
    last_request: last && {
      at: last.at,
      credential_id: last.credentialId,
      credential_name: last.name,
      outcome: last.outcome,
      status: last.status,
      code: last.code,
      method: last.method,
    },
    credentials,
    bids,
    projects,
  })
}

async function countRows(reports: Reports, companyId: string, table: 'bid' | 'project'): Promise<number> {
  const own = identifier(table, 'company_id')
  const [[count] = []] = await reports.read(sql`select count(*) from ${identifier(table)} where ${own} = ${companyId}`)
  return Number(count)
}
