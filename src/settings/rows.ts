import { type Method, methods } from '../methods.ts'
import { serveRows } from '../rest.ts'
import { companyOf, type SettingsContext, type SettingsRoute } from './context.ts'

const readers = new Set<Method>(['GET', 'HEAD'])

/** The company's own rows, in the dialect of /rest/v1 and by the same stages. The role stands for the credential. */
export const rowsRoutes: readonly SettingsRoute[] = methods.map((method) => ({
  method,
  path: '/api/rest/:resource',
  role: readers.has(method) ? 'viewer' : 'developer',
  handle,
}))

async function handle(context: SettingsContext) {
  const { db, http, params, arrivedAt, site, confirm } = context
  const queryText = http.url.split('?').slice(1).join('?')
  const companyId = companyOf(context).id
  const asked = {
    ...{ http, name: params.resource ?? '', queryText, companyId, exchange: { mark: nothing, startedAt: arrivedAt } },
    // The route's role has said already what may be done.
    caller: null,
    right: confirm,
  }
  return serveRows({ db, limits: site.limits }, asked)
}

const nothing = (): void => {}
