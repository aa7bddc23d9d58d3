import { useSyncExternalStore } from 'react'
import { sinceText } from './since-text.ts'

const absolute = new Intl.DateTimeFormat('en', {
  dateStyle: 'long',
  timeStyle: 'long',
  hourCycle: 'h23',
})
const styles = {
  exact: absolute,
  minute: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
  day: new Intl.DateTimeFormat('en', { dateStyle: 'medium' }),
} as const

const clockTime = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })
const dayAndClock = new Intl.DateTimeFormat('en', {
  ...{ month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
})

interface WhenProps {
  readonly at: string
  readonly as?: 'relative' | 'clock' | keyof typeof styles
}

/** `2026-11-15T04:29:49Z` → "5 minutes ago", and on hover the exact time in the reader's zone; the time by the clock has it the other way round. */
export function When({ at, as = 'relative' }: WhenProps) {
  const now = useNow()
  const time = new Date(at)
  const since = sinceText(time, now)
  const isToday = time.toDateString() === new Date(now).toDateString()
  const text =
    as === 'relative'
      ? since
      : as === 'clock'
        ? (isToday ? clockTime : dayAndClock).format(time)
        : styles[as].format(time)
  return (
    <time dateTime={at} title={as === 'clock' ? since : absolute.format(time)}>
      {text}
    </time>
  )
}

/** The present, to a quarter of a minute: one clock for all that is on the screen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => present)
}

let present = Date.now()
let clock: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    clock = setInterval(tick, 15_000)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(clock)
  }
}

function tick(): void {
  present = Date.now()
  for (const listener of listeners) listener()
}

export const dayMs = 86_400_000
