import type { CompanyStore } from '../../store/database.ts'
import { readEvents } from '../../store/events/read-events.ts'
import type { EventFeed } from '../event-feed.ts'
import type { LiveStream } from './live-stream.ts'

/** Events that are read at once. */
const pageMax = 200
/** After a read has failed. */
const retryMs = 1000

/** Reads the new events of one company once, for all of its streams. */
export interface LiveHub {
  join(stream: LiveStream): void
  leave(stream: LiveStream): void
  readonly size: number
}

export function createLiveHub(db: CompanyStore, feed: EventFeed, report: (error: unknown) => void): LiveHub {
  const streams = new Set<LiveStream>()
  /** Those that have been shown everything up to `position`. */
  const level = new Set<LiveStream>()
  let position = 0
  let isReading = false
  let isWoken = false

  async function read(): Promise<void> {
    isWoken = true
    if (isReading) return
    isReading = true
    try {
      while (isWoken && level.size > 0) {
        isWoken = false
        const events = await readEvents(db, position, pageMax)
        for (const stream of level) for (const event of events) stream.offer(event)
        position = events.at(-1)?.sequence ?? position
        if (events.length === pageMax) isWoken = true
      }
    } catch (error) {
      report(error)
      setTimeout(read, retryMs)
    } finally {
      isReading = false
    }
  }

  /** A stream that begins in the past reads by itself until it has all that the others have. */
  async function catchUp(stream: LiveStream): Promise<void> {
    while (!stream.ended && stream.position < position) {
      const events = await readEvents(db, stream.position, pageMax)
      // Events that are gone meanwhile were older than what is kept.
      if (events.length === 0) break
      for (const event of events) stream.offer(event)
      await stream.drained()
    }
    if (!stream.ended) level.add(stream)
    await read()
  }

  const unsubscribe = feed.subscribe(db.companyId, () => void read())

  return {
    get size() {
      return streams.size
    },
    join: (stream) => {
      if (level.size === 0) position = Math.max(position, stream.position)
      streams.add(stream)
      catchUp(stream).catch((error) => {
        report(error)
        stream.end()
      })
    },
    leave: (stream) => {
      streams.delete(stream)
      level.delete(stream)
      if (streams.size === 0) unsubscribe()
    },
  }
}
