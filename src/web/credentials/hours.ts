import type { UsageOfHour } from '../api-types.ts'
import type { Bar } from '../charts/bars.tsx'

const hourMs = 3_600_000

/** The last hours, oldest first, with those in which nothing happened. */
export function barsByHour(
  usage: readonly UsageOfHour[],
  now: number,
  hours: number,
  secretId?: string,
): readonly Bar[] {
  const last = Math.floor(now / hourMs)
  return Array.from({ length: hours }, (_, at) => {
    const hour = last - hours + 1 + at
    const bar = { label: new Date(hour * hourMs).toISOString(), ok: 0, refused: 0, not_scoped: 0 }
    for (const one of usage) {
      if (secretId !== undefined && one.secret_id !== secretId) continue
      if (Math.floor(Date.parse(one.hour) / hourMs) === hour) bar[one.outcome] += one.requests
    }
    return bar
  })
}
