import { memoizeText } from '../caches/memoize.ts'

/** `2026-01-03T00:00:00.12+00:00` → `2026-01-03T09:00:00.12+09:00`. Any other text stays as it is. */
export type ZoneClock = (text: string) => string

/** A time during which a zone keeps its offset, in seconds since 1970. */
interface Period {
  readonly from: number
  readonly until: number
  readonly offset: number
  /** `+05:30` */
  readonly offsetText: string
}

const zonesMax = 16
/** In one zone: two for each year of four digits. */
const periodsMax = 20_000
const daysMax = 10_000
const daySeconds = 86_400

/** Shows times as a clock in the zone does. It remembers when offsets change, because looking that up is slow. */
export const zoneClock = memoizeText((zone: string): ZoneClock => {
  const periodAt = createPeriods(zone)
  return (text) => {
    if (!isMomentText(text)) return text
    const date = text.slice(0, 10)
    const day = dayOf(date)
    const time = digits(text, 11) * 3600 + digits(text, 14) * 60 + digits(text, 17)
    const { offset, offsetText } = periodAt(day * daySeconds + time)
    const local = time + offset
    const daysOn = Math.floor(local / daySeconds)
    const { shown, era } = daysOn === 0 ? { shown: date, era: '' } : dateOf(day + daysOn)
    const fraction = text.slice(19, -offsetLength)
    return `${shown}T${clockText(local - daysOn * daySeconds)}${fraction}${offsetText}${era}`
  }
}, zonesMax)

const offsetLength = '+00:00'.length
const [zero, hyphen, letterT] = [48, 45, 84]

/** A quick look is enough: it is a column of times, and engines write nothing else there but `infinity`. */
const isMomentText = (text: string): boolean =>
  text.charCodeAt(4) === hyphen && text.charCodeAt(10) === letterT && text.endsWith('+00:00')

const digits = (text: string, at: number): number => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero

/** Finds the period of a second: the same as last time, one that is known, or a new one. */
function createPeriods(zone: string): (second: number) => Period {
  let known: Period[] = []
  let latest: Period | undefined
  return (second) => {
    if (latest !== undefined && latest.from <= second && second < latest.until) return latest
    const at = indexOfPeriod(known, second)
    latest = known[at]
    if (latest === undefined || latest.from > second) {
      latest = findPeriod(zone, second)
      if (known.length < periodsMax) known.splice(at, 0, latest)
      else known = [latest]
    }
    return latest
  }
}

/** The place of the first period that ends after the second. */
function indexOfPeriod(periods: readonly Period[], second: number): number {
  let [low, high] = [0, periods.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((periods[middle]?.until ?? 0) <= second) low = middle + 1
    else high = middle
  }
  return low
}

function findPeriod(zone: string, second: number): Period {
  const here = zonedAt(zone, second)
  // The transition before a moment does not include the moment itself.
  const from = zonedAt(zone, second + 1).getTimeZoneTransition('previous')
  const until = here.getTimeZoneTransition('next')
  return {
    from: from ? from.epochMilliseconds / 1000 : Number.NEGATIVE_INFINITY,
    until: until ? until.epochMilliseconds / 1000 : Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1e9,
    offsetText: here.offset,
  }
}

const zonedAt = (zone: string, second: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone)

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
