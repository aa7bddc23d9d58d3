import { noPreferences } from '../request/parse-preferences.ts'
import type { ApiRequest } from '../request/parse-request.ts'
import { appliedValue, preferenceRows } from '../request/preferences.ts'

/** `return=representation, count=exact` */
export function preferencesApplied(request: ApiRequest): string {
  if (request.preferences === noPreferences) return ''
  const applied: string[] = []
  for (const [name] of preferenceRows) {
    const value = appliedValue(name, request)
    if (value !== undefined) applied.push(`${name}=${value}`)
  }
  return applied.join(', ')
}
