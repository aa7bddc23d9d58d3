const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000]

/** How long after a failed attempt the next one follows: the schedule of Standard Webhooks 1.0. */
const delaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** So that deliveries that failed at the same time do not all come back at the same time. */
const jitter = 0.1

/** An endpoint cannot ask to be left alone for longer. */
const retryAfterMsMax = 24 * hourMs

/** An endpoint without a success for so long is disabled. */
export const failingMsMax = 5 * 24 * hourMs

/** When to try again after so many failed attempts; null: not any more. */
export function nextAttempt(
  attempts: number,
  retryAfter: string | null,
  now: Date,
  chance = Math.random(),
): Date | null {
  const delay = delaysMs[attempts - 1]
  if (delay === undefined) return null
  const asked = Math.min(retryAfterMs(retryAfter, now), retryAfterMsMax)
  return new Date(now.getTime() + Math.max(delay, asked) * (1 + jitter * chance))
}

/** `120` or `Fri, 31 Dec 2027 23:59:59 GMT` */
function retryAfterMs(text: string | null, now: Date): number {
  if (text === null) return 0
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * secondMs : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
