const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A time from now on, in words: "5 minutes ago", "in 3 days" */
export function sinceText(time: Date, now: number): string {
  const seconds = Math.round((time.getTime() - now) / 1000)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size)
      return relative.format(seconds < 0 ? Math.trunc(seconds / size) : Math.round(seconds / size), unit)
  }
  return seconds > 0 ? 'in a few seconds' : 'just now'
}

/** The same of what has happened: where the clock of the server is ahead of the reader's, that was just now. */
export const pastText = (time: Date, now: number): string => sinceText(time, Math.max(now, time.getTime()))
