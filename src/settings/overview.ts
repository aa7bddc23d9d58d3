import { countActive } from '../keys/credentials.ts'
import { countByDay, findLastUse, findNotScoped, type Reports } from '../keys/report.ts'
import type { ResourceName } from '../resources/define.ts'
import { listedResources } from '../resources/index.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import { sql } from '../store/sql.ts'
import { ok, reportsOf, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/credentials.ts'

export const overviewRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/overview', role: 'viewer', handle: show },
]

const days = 30
const notScopedMax = 5
/** What people make. What the service writes by itself would only grow. */
const counted = listedResources.filter(({ isReadOnly }) => !isReadOnly)

async function show(context: SettingsContext) {
  const reports = reportsOf(context)
  const span = { days, now: new Date() }
  const [byDay, notScoped, last, credentials, rows] = await Promise.all([
    countByDay(reports, null, span),
    findNotScoped(reports, span, notScopedMax),
    findLastUse(reports),
    countActive(reports),
    Promise.all(counted.map(async ({ name }) => [name, await countRows(reports, name)] as const)),
  ])
  return ok<documents.Overview>({
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
    rows: Object.fromEntries(rows),
  })
}

async function countRows(reports: Reports, table: ResourceName): Promise<number> {
  const [[count] = []] = await reports.read(sql`select count(*) from ${companyRows(table, reports)}`)
  return Number(count)
}
