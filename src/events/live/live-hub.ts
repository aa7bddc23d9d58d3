import type { CompanyStore } from '../../store/database.ts'
import { readEvents, type StoredEvent } from '../../store/events/read-events.ts'
import { inSlices } from '../../traffic/in-slices.ts'
import { nextTurn } from '../../traffic/next-turn.ts'
import type { EventFeed } from '../event-feed.ts'
import type { LiveStream } from './live-stream.ts'

/** Events that are read at once. */
const pageMax = 200
/** Characters that all readers of a company have not taken yet, before more is read for those that are behind. */
const unreadMax = 8 * 1024 * 1024
/** How often to look whether they have. */
const fullMs = 50
/** After a read has failed. */
const retryMs = 1000

/** Reads the new events of one company once, for all of its streams. */
export interface LiveHub {
  join(stream: LiveStream): void
  leave(stream: LiveStream): void
  readonly size: number
}

export function createLiveHub(
  db: CompanyStore,
  feed: Pick<EventFeed, 'subscribe'>,
  report: (error: unknown) => void,
): LiveHub {
  const streams = new Set<LiveStream>()
  /** Those that have been shown everything up to `position`. */
  const level = new Set<LiveStream>()
  let position = 0
  let isReading = false
  let isWoken = false
  let turn: Promise<unknown> = Promise.resolve()

  async function read(): Promise<void> {
    isWoken = true
    if (isReading) return
    isReading = true
    try {
      while (isWoken && level.size > 0) {
        isWoken = false
        const { events, hasMore } = await readEvents(db, position, pageMax)
        await offer(events, [...level])
        position = events.at(-1)?.sequence ?? position
        if (hasMore) isWoken = true
        // A stream may have joined while the others were shown these.
        for (const stream of level) if (!stream.isDrained || stream.position < position) follow(stream)
      }
    } catch (error) {
      report(error)
      setTimeout(read, retryMs)
    } finally {
      isReading = false
    }
  }

  /** A stream that begins in the past, or whose reader is slow, reads by itself until it has all that the others have. */
  async function catchUp(stream: LiveStream): Promise<void> {
    while (!stream.ended && !(await isLevel(stream)));
    if (stream.ended) return
    if (level.size === 0) position = stream.position
    level.add(stream)
    await read()
  }

  /** Shows the next events to one stream. Whether it has all that the others have then. */
  async function isLevel(stream: LiveStream): Promise<boolean> {
    await stream.drained()
    const done = await inTurn(async () => {
      while (isFull() && !stream.ended) await Bun.sleep(fullMs)
      if (stream.ended) return true
      const shown = position
      const { events, hasMore } = await readEvents(db, stream.position, pageMax)
      await offer(events, [stream])
      // Events that the others were shown and that are not there any more have been swept.
      if (events.length === 0) stream.position = Math.max(stream.position, shown)
      return !hasMore
    })
    // The others may have been shown more while this one read.
    return done && stream.isDrained && stream.position >= position
  }

  /** One stream reads at a time, so that together they hold little more than `unreadMax`. */
  function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const isFull = (): boolean => streams.values().reduce((sum, { unread }) => sum + unread, 0) > unreadMax

  function follow(stream: LiveStream): void {
    level.delete(stream)
    catchUp(stream).catch((error) => {
      report(error)
      stream.end()
    })
  }

  /** Requests come in between: many events for many streams are long work. */
  async function offer(events: readonly StoredEvent[], to: readonly LiveStream[]): Promise<void> {
    for (const event of events) await inSlices(to, (stream) => stream.offer(event))
    await nextTurn()
  }

  const unsubscribe = feed.subscribe(db.companyId, (last = Number.POSITIVE_INFINITY) => {
    if (last > position) void read()
  })

  return {
    get size() {
      return streams.size
    },
    join: (stream) => {
      streams.add(stream)
      follow(stream)
    },
    leave: (stream) => {
      streams.delete(stream)
      level.delete(stream)
      if (streams.size === 0) unsubscribe()
    },
  }
}
