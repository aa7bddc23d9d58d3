import type { Caller, Sighting } from './caller.ts'
import type { Outcome } from './tally.ts'
import type { Usage } from './usage.ts'

/** How a request ended. */
export interface Ending {
  readonly status: number
  readonly ms: number
  /** Whatever was thrown; undefined for none. */
  readonly error: unknown
}

/** A request, as far as its use is recorded. */
interface Used extends Readonly<Sighting> {
  readonly caller: Caller | null
  address(): string
}

/** Counts an answered request that had a key. The settings page shows the counts to the key's company. */
export function recordUse(
  usage: Usage,
  { method, headers }: Request,
  used: Used,
  ending: Ending & { readonly code: string | null },
): void {
  const { caller, ended, keyStart } = used
  if (!caller && !ended && keyStart === null) return
  const { status, ms } = ending
  const from = () => ({ address: used.address() || null, userAgent: headers.get('user-agent') })
  const outcome = outcomeOf(used, ending)
  // The reason why it is not scoped to a company says more than the status.
  const code = outcome === 'not_scoped' && caller?.scope.companyId === null ? caller.scope.reason : ending.code
  const at = Date.now()
  const owner = caller ?? ended
  if (owner) {
    const { companyId, credentialId } = owner
    const secretId = caller?.secretId ?? ''
    usage.record({ companyId, credentialId, secretId, outcome, status, code, method, at, ms, from })
  } else if (keyStart !== null) usage.recordStray(keyStart, { outcome, status, code, method, at, ms, ...from() })
}

/** `refused`, too, is a request to /mcp whose answer tells of an error with status 200. */
export function outcomeOf({ caller }: Pick<Used, 'caller'>, { status, error }: Ending): Outcome {
  if (caller && !caller.isExposed && caller.scope.companyId === null) return 'not_scoped'
  return status < 400 && error === undefined ? 'ok' : 'refused'
}
