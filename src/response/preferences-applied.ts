import type { Method } from '../methods.ts'
import { noPreferences } from '../request/parse-preferences.ts'
import type { ApiRequest } from '../request/parse-request.ts'

const writes: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE']
const all: readonly Method[] = ['GET', 'HEAD', ...writes]

/** Which preference counts for which method, in the order in which the answer names them. */
const applicable: Readonly<Record<string, readonly Method[]>> = {
  resolution: ['POST'],
  missing: ['POST', 'PATCH'],
  return: writes,
  count: all,
  handling: all,
  timezone: all,
}

/** `return=representation, count=exact` */
export function preferencesApplied({ preferences, method }: ApiRequest): string {
  if (preferences === noPreferences) return ''
  const applied = Object.entries(applicable).flatMap(([name, methods]) => {
    const value = preferences[name as 'return']
    return value && methods.includes(method) ? [`${name}=${value}`] : []
  })
  const limited = preferences.maxAffected !== undefined && preferences.handling === 'strict'
  if (limited && (method === 'PATCH' || method === 'DELETE')) applied.push(`max-affected=${preferences.maxAffected}`)
  return applied.join(', ')
}
