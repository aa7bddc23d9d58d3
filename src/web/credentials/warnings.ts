import type { Credential } from '../api-types.ts'
import { dayMs } from '../parts/when.tsx'

/** Something that an owner should know of a credential. */
export interface Warning {
  /** For a table. */
  readonly short: string
  readonly text: string
  /** What mends it, where that is one dialog. */
  readonly remedy?: { readonly dialog: 'expiry'; readonly label: string }
}

/** In the order of their weight. */
export function warningsOf(credential: Credential, now: number): readonly Warning[] {
  if (credential.state !== 'active') return []
  const warnings: Warning[] = []
  if (credential.exposed_at !== null)
    warnings.push({
      short: 'Seen in a browser',
      text: 'Its secret was sent from a browser, where everyone can read it. Replace it.',
    })
  if (expiresSoon(credential, now)) {
    const daysLeft = daysLeftOf(credential, now)
    const when = daysLeft <= 1 ? 'within a day' : `in ${daysLeft} days`
    const remedy = { dialog: 'expiry', label: 'Change the expiry' } as const
    warnings.push({ short: `Expires ${when}`, text: `It expires ${when}.`, remedy })
  }
  const lastAt = Date.parse(credential.last_used?.at ?? credential.created_at)
  if (now - lastAt > 90 * dayMs)
    warnings.push({ short: 'Unused for 90 days', text: 'It was not used for 90 days. Revoke it if nothing needs it.' })
  return warnings
}

const daysLeftOf = ({ expires_at }: Credential, now: number): number =>
  expires_at === null ? Number.POSITIVE_INFINITY : Math.ceil((Date.parse(expires_at) - now) / dayMs)

export const expiresSoon = (credential: Credential, now: number): boolean =>
  credential.state === 'active' && daysLeftOf(credential, now) <= 14

/** Those that need attention first, otherwise as they were. */
export const byAttention = (credentials: readonly Credential[], now: number): readonly Credential[] =>
  credentials
    .map((credential) => ({ credential, weight: weightOf(credential, now) }))
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ credential }) => credential)

function weightOf(credential: Credential, now: number): number {
  if (credential.state === 'expired') return -1
  if (credential.exposed_at !== null && credential.state === 'active') return 2
  return warningsOf(credential, now).length > 0 ? 1 : 0
}

/** Whether something would break if it stopped now. */
export const isInUse = ({ last_used }: Credential, now: number): boolean =>
  last_used !== null && now - Date.parse(last_used.at) < dayMs
