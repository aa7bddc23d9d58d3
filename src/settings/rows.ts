import { type Method, methods } from '../methods.ts'
import { Call } from '../rest/call.ts'
import { serveRows } from '../rest.ts'
import { companyOf, queryOf, type SettingsContext, type SettingsRoute } from './context.ts'

const readers = new Set<Method>(['GET', 'HEAD'])

/** The company's rows, in the dialect of /rest/v1 and by the same stages. A role takes the place of the credential. */
export const rowsRoutes: readonly SettingsRoute[] = methods.map((method) => ({
  method,
  path: '/api/rest/:resource',
  role: readers.has(method) ? 'viewer' : 'developer',
  handle,
}))

async function handle(context: SettingsContext) {
  const { db, http, params, exchange, site, person, confirm } = context
  const company = companyOf(context)
  const address = { name: params.resource ?? '', queryText: queryOf(http) }
  const call = new Call({ db, limits: site.limits, feed: site.feed, live: site.live }, http, address, exchange)
  call.companyId = company.id
  call.fieldsVersion = company.fieldsVersion
  call.actor = company.hasEvents ? { kind: 'person', id: person.id } : null
  call.right = confirm
  return serveRows(call)
}
