import { useSyncExternalStore } from 'react'
import { now, subscribe } from './clock.ts'
import { pastText, sinceText } from './since-text.ts'

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
  /** `relative` is of what has happened, `planned` of what is still to come. */
  readonly as?: 'relative' | 'planned' | 'clock' | keyof typeof styles
}

/** `2026-11-15T04:29:49Z` → "5 minutes ago", and on hover the exact time in the reader's zone; the time by the clock has it the other way round. */
export function When({ at, as = 'relative' }: WhenProps) {
  const present = useNow()
  const time = new Date(at)
  const since = as === 'planned' ? sinceText(time, present) : pastText(time, present)
  const isToday = time.toDateString() === new Date(present).toDateString()
  const text =
    as === 'relative' || as === 'planned'
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

/** The present: right whenever something is rendered, and four times a minute for what stays on the screen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, now)
}

export const dayMs = 86_400_000
