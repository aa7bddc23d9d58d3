import { memoizeText } from '../caches/memoize.ts'
import { changesUntil, zoneOffsets } from './zone-offsets.ts'

/** `2026-01-03T00:00:00.12+00:00` → `2026-01-03T09:00:00.12+09:00`. Any other text stays as it is. */
export type ZoneClock = (text: string) => string

const zonesMax = 16
const daysMax = 10_000
const daySeconds = 86_400

/** Shows times as a clock in the zone does. */
export const zoneClock = memoizeText((zone: string): ZoneClock => {
  const { changes, offsets } = zoneOffsets(zone)
  const offsetTexts = offsets.map(offsetText)
  return (text) => {
    if (!isMomentText(text)) return text
    const date = text.slice(0, 10)
    const day = dayOf(date)
    const time = digits(text, 11) * 3600 + digits(text, 14) * 60 + digits(text, 17)
    const period = changesUntil(changes, day * daySeconds + time)
    const local = time + (offsets[period] ?? 0)
    const daysOn = Math.floor(local / daySeconds)
    const { shown, era } = daysOn === 0 ? { shown: date, era: '' } : dateOf(day + daysOn)
    const fraction = text.slice(19, -offsetLength)
    return `${shown}T${clockText(local - daysOn * daySeconds)}${fraction}${offsetTexts[period]}${era}`
  }
}, zonesMax)

const offsetLength = '+00:00'.length
const [zero, hyphen, letterT] = [48, 45, 84]

/** A quick look is enough: it is a column of times, and engines write nothing else there but `infinity`. */
const isMomentText = (text: string): boolean =>
  text.charCodeAt(4) === hyphen && text.charCodeAt(10) === letterT && text.endsWith('+00:00')

const digits = (text: string, at: number): number => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero

/** -12600 → `-03:30`, 3208 → `+00:53:28` */
function offsetText(seconds: number): string {
  const text = clockText(Math.abs(seconds))
  return (seconds < 0 ? '-' : '+') + (text.endsWith(':00') ? text.slice(0, -3) : text)
}

/** `1970-01-02` → 1 */
const dayOf = memoizeText((date) => Date.parse(date) / 1000 / daySeconds, daysMax)

interface ShownDate {
  readonly shown: string
  /** As PostgreSQL marks years before the first one, behind everything else. */
  readonly era: '' | ' BC'
}

function dateOf(day: number): ShownDate {
  const date = new Date(day * daySeconds * 1000)
  const year = date.getUTCFullYear()
  const shownYear = String(year > 0 ? year : 1 - year).padStart(4, '0')
  return {
    shown: `${shownYear}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`,
    era: year > 0 ? '' : ' BC',
  }
}

const clockText = (second: number): string =>
  `${twoDigits(Math.floor(second / 3600))}:${twoDigits(Math.floor(second / 60) % 60)}:${twoDigits(second % 60)}`

const pairsOfDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
const twoDigits = (number: number): string => pairsOfDigits[number] ?? ''
