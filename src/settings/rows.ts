import { isRead, methods } from '../methods.ts'
import { Call } from '../rest/call.ts'
import { permitLive } from '../rest/permit-live.ts'
import { serveRows } from '../rest.ts'
import { queryOf, rowsOf, type SettingsContext, type SettingsRoute } from './context.ts'

/** The company's rows, in the dialect of /rest/v1 and by the same stages. A role takes the place of the credential. */
export const rowsRoutes: readonly SettingsRoute[] = methods.map((method) => ({
  method,
  path: '/api/rest/:resource',
  role: isRead(method) ? 'viewer' : 'developer',
  handle,
}))

async function handle(context: SettingsContext) {
  const { http, params, exchange } = context
  const address = { name: params.resource ?? '', queryText: queryOf(http) }
  const rows = rowsOf(context)
  const call = new Call(rows, http, address, exchange)
  call.enter({ ...rows, right: () => confirmRows(context, call) })
  return serveRows(call)
}

async function confirmRows(context: SettingsContext, call: Call): Promise<void> {
  const company = await context.confirm()
  if (company) permitLive(company, call)
}
