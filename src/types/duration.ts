const unitMs = { d: 86_400_000, h: 3_600_000 } as const

/** `30d` or `12h`, in milliseconds; null: neither. */
export function durationMs(text: string): number | null {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * unitMs[unit === 'd' ? 'd' : 'h']
}

/** `30 days`, or `12 hours` where it is not whole days. */
export function durationText(ms: number): string {
  const [count, unit] = ms % unitMs.d === 0 ? [ms / unitMs.d, 'day'] : [ms / unitMs.h, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
