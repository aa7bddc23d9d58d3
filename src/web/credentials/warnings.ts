import type { Credential } from '../api-types.ts'
import { dayMs } from '../parts/when.tsx'

/** What an owner should know of a credential, in the order of its weight. */
export function warningsOf(credential: Credential, now: number): readonly string[] {
  if (credential.state !== 'active') return []
  const warnings: string[] = []
  if (credential.exposed_at !== null)
    warnings.push('Its secret was sent from a browser, where everyone can read it. Replace it.')
  const daysLeft = credential.expires_at === null ? null : Math.ceil((Date.parse(credential.expires_at) - now) / dayMs)
  if (daysLeft !== null && daysLeft <= 14)
    warnings.push(daysLeft <= 1 ? 'It expires within a day.' : `It expires in ${daysLeft} days.`)
  const lastAt = Date.parse(credential.last_used?.at ?? credential.created_at)
  if (now - lastAt > 90 * dayMs) warnings.push('It was not used for 90 days. Revoke it if nothing needs it.')
  return warnings
}

/** Whether something would break if it stopped now. */
export const isInUse = ({ last_used }: Credential, now: number): boolean =>
  last_used !== null && now - Date.parse(last_used.at) < dayMs
