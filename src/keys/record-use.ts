import type { Caller, Sighting } from './caller.ts'
import type { Outcome } from './tally.ts'
import type { Usage } from './usage.ts'

/** How a request was answered. */
interface Ending {
  readonly status: number
  readonly code: string | null
  readonly ms: number
}

/** A request, as far as its use is recorded. */
interface Used extends Readonly<Sighting> {
  readonly caller: Caller | null
  address(): string
}

/** Counts an answered request that had a key. The settings page shows the counts to the key's company. */
export function recordUse(usage: Usage, { method, headers }: Request, used: Used, ending: Ending): void {
  const { caller, ended, keyStart } = used
  if (!caller && !ended && keyStart === null) return
  const { status, ms } = ending
  const from = () => ({ address: used.address() || null, userAgent: headers.get('user-agent') })
  const outcome = outcomeOf(used, status)
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

function outcomeOf({ caller }: Used, status: number): Outcome {
  if (caller && !caller.isExposed && caller.scope.companyId === null) return 'not_scoped'
  return status < 400 ? 'ok' : 'refused'
}
