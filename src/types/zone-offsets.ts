import { memoizeText } from '../caches/memoize.ts'

/** When the offset of a zone changes, and the offsets before, between and after, all in seconds. */
interface ZoneOffsets {
  readonly changes: readonly number[]
  readonly offsets: readonly number[]
  /** The same as PostgreSQL's arrays. */
  readonly changesText: string
  readonly offsetsText: string
}

/** Before and after these years, a zone keeps its offset: a list without an end would take too long to make. */
const [firstMs, lastMs] = [Date.UTC(1800, 0), Date.UTC(2200, 0)]
/** There are about 600, and offsets such as +05:30. */
const zonesMax = 1000
const daySeconds = 86_400

/** They also go into SQL, because the database may have another edition of the zones. */
export const zoneOffsets = (zone: string): ZoneOffsets => findOffsets(zone.toLowerCase())

/** Looking changes up is slow, so it is done once for each zone, in whatever case clients write its name. */
const findOffsets = memoizeText((zone: string): ZoneOffsets => {
  const start = Temporal.Instant.fromEpochMilliseconds(firstMs).toZonedDateTimeISO(zone)
  const changes: number[] = []
  const offsets = [start.offsetNanoseconds / 1e9]
  for (let next = start.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds > lastMs) break
    changes.push(next.epochMilliseconds / 1000)
    offsets.push(next.offsetNanoseconds / 1e9)
  }
  return { changes, offsets, changesText: `{${changes.join()}}`, offsetsText: `{${offsets.join()}}` }
}, zonesMax)

/**
 * The second at which a clock in the zone shows this time. As in PostgreSQL, a time that is skipped in spring counts from
 * the offset before, and of a time that comes twice in autumn, the second is meant.
 */
export function secondOfLocal(local: number, zone: string): number {
  const { changes, offsets } = zoneOffsets(zone)
  const before = changesUntil(changes, local - daySeconds)
  const second = local - (offsets[changesUntil(changes, local + daySeconds)] ?? 0)
  return second >= (changes[before] ?? Number.POSITIVE_INFINITY) ? second : local - (offsets[before] ?? 0)
}

/** How many changes there were until a second. */
export function changesUntil(changes: readonly number[], second: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle] ?? 0) <= second) low = middle + 1
    else high = middle
  }
  return low
}
