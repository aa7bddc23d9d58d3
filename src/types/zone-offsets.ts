import { memoizeText } from '../caches/memoize.ts'

/** When the offset of a zone changes, and the offsets before, between and after: in seconds, as PostgreSQL's arrays. */
interface ZoneOffsets {
  readonly changes: string
  readonly offsets: string
}

const [first, last] = ['1800-01-01T00:00:00Z', '2200-01-01T00:00:00Z'].map((time) => Date.parse(time))
/** There are about 600, and offsets such as +05:30. */
const zonesMax = 1000

/** For SQL, so that all times in an answer come from one list of zones: that of the database may be older or shorter. */
export const zoneOffsets = memoizeText((zone: string): ZoneOffsets => {
  const start = Temporal.Instant.fromEpochMilliseconds(first ?? 0).toZonedDateTimeISO(zone)
  const changes: number[] = []
  const offsets = [start.offsetNanoseconds / 1e9]
  for (let next = start.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds > (last ?? 0)) break
    changes.push(next.epochMilliseconds / 1000)
    offsets.push(next.offsetNanoseconds / 1e9)
  }
  return { changes: `{${changes.join()}}`, offsets: `{${offsets.join()}}` }
}, zonesMax)
