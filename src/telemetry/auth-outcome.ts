import type { Ended } from './ended.ts'

/** The result of the authentication, for metrics. */
export interface AuthOutcome {
  readonly outcome: 'ok' | 'not_scoped' | 'refused'
  readonly reason: string
}

const ok: AuthOutcome = { outcome: 'ok', reason: 'none' }

/** null if the request was not authenticated at all. */
export function authOutcomeOf({ exchange, code }: Ended): AuthOutcome | null {
  const { caller, ended, keyStart } = exchange
  if (caller?.isExposed) return { outcome: 'refused', reason: 'secret_in_browser' }
  if (caller) return caller.scope.companyId === null ? { outcome: 'not_scoped', reason: caller.scope.reason } : ok
  if (ended) return { outcome: 'refused', reason: 'key_ended' }
  if (code !== 'invalid_api_key') return null
  return { outcome: 'refused', reason: keyStart === null ? 'key_missing' : 'key_unknown' }
}
