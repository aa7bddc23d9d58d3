import { failure } from '../errors/index.ts'
import { segmentsMax } from '../rest/split-url.ts'
import { isUuid } from '../types/uuid.ts'
import type { SettingsRoute } from './context.ts'

export interface Found {
  readonly route: SettingsRoute
  readonly params: Readonly<Record<string, string>>
}

/** `/api/c/0189…/members` → that company and `/api/members`. A path without a company means the one of the session. */
export function splitCompany(path: string): { readonly companyId: string | null; readonly path: string } {
  const [, companyId, rest] = /^\/api\/c\/([^/]+)(\/.+)$/.exec(path) ?? []
  return companyId && isUuid(companyId) ? { companyId, path: `/api${rest}` } : { companyId: null, path }
}

/** `/api/members/0189…` → the route `/api/members/:id` with that id. HEAD is served by GET where it has no row of its own. */
export function findRoute(routes: readonly SettingsRoute[], method: string, path: string): Found {
  const steps = path.split('/', segmentsMax)
  const matching = routes.flatMap((route) => {
    const params = matchPath(route.path, steps)
    return params ? [{ route, params }] : []
  })
  const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method]
  const found = methods.flatMap((one) => matching.find(({ route }) => route.method === one) ?? [])[0]
  if (found) return found
  if (matching.length === 0) throw failure.pathUnknown()
  throw failure.methodUnsupported(method, [...new Set(matching.map(({ route }) => route.method))].join(','))
}

function matchPath(pattern: string, steps: readonly string[]): Record<string, string> | null {
  const names = pattern.split('/')
  if (names.length !== steps.length) return null
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const step = steps[at] ?? ''
    if (!name.startsWith(':')) {
      if (name !== step) return null
    } else if (!spellings[name]?.(step)) return null
    else params[name.slice(1)] = step
  }
  return params
}

/** What is no id names nothing, and need not be looked for. */
const spellings: Readonly<Record<string, (step: string) => boolean>> = {
  ':id': isUuid,
  ':secret': isUuid,
  ':event': isUuid,
  ':token': (step) => /^[\w-]{1,200}$/.test(step),
  ':resource': (step) => /^[\w-]{1,63}$/.test(step),
}
