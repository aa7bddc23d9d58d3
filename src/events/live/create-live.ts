import { failure } from '../../errors/index.ts'
import type { ReadPlan } from '../../plan/plan.ts'
import type { Database, Right } from '../../store/database.ts'
import { firstSequence, lastSequence } from '../../store/events/read-events.ts'
import type { EventFeed } from '../event-feed.ts'
import { createLiveHub, type LiveHub } from './live-hub.ts'
import { LiveStream } from './live-stream.ts'
import { createLiveView } from './live-view.ts'

/** Live streams: the changes of a company's rows, as they happen. */
export interface Live {
  open(asked: LiveRequest): Promise<AsyncIterable<string>>
  /** Streams that are open. */
  count(): number
  /** Ends all streams. Their readers connect to another instance. */
  stop(): void
}

interface LiveRequest {
  readonly companyId: string
  readonly plan: ReadPlan
  /** The header: the number of the last event that the reader knows; null to start with the next change. */
  readonly lastEventId: string | null
  readonly right: Right | undefined
}

export interface LiveSettings {
  readonly liveStreamsMax: number
  readonly idleTimeoutS: number
}

/** One company may have so many of all streams. */
const companyShareDivisor = 10
/** How often the right of each reader is confirmed, and how long ago that may have been read: with a look-up, less than a second. */
const confirmMs = 300
const readMsMax = 600
const heartbeatMsMax = 15_000

export function createLive(
  db: Database,
  feed: EventFeed,
  { liveStreamsMax, idleTimeoutS }: LiveSettings,
  report: (error: unknown) => void = () => {},
): Live {
  const companyMax = Math.max(1, Math.floor(liveStreamsMax / companyShareDivisor))
  const hubs = new Map<string, LiveHub>()
  const streams = new Set<LiveStream>()
  const opening = new Map<string, number>()
  let isStopped = false

  // A connection on which nothing is sent would be closed, by a runtime that counts in steps of four seconds.
  const heartbeatMs = Math.min(heartbeatMsMax, idleTimeoutS * 250)
  const timer = setInterval(() => {
    for (const stream of streams) {
      stream.beat(heartbeatMs)
      void stream.confirm(readMsMax)
    }
  }, confirmMs)
  timer.unref()

  function requireRoom(companyId: string): void {
    const own = (hubs.get(companyId)?.size ?? 0) + (opening.get(companyId) ?? 0)
    if (own >= companyMax) throw failure.tooManyStreams(companyMax)
    const all = streams.size + opening.values().reduce((sum, count) => sum + count, 0)
    if (isStopped || all >= liveStreamsMax) throw failure.overloaded(5)
  }

  function start({ companyId, right }: LiveRequest, view: ReturnType<typeof createLiveView>, position: number) {
    const hub = hubs.get(companyId) ?? createLiveHub(db.forRows(companyId), feed, report)
    hubs.set(companyId, hub)
    const stream = new LiveStream(view, position, right, () => {
      streams.delete(stream)
      hub.leave(stream)
      if (hub.size === 0 && hubs.get(companyId) === hub) hubs.delete(companyId)
    })
    streams.add(stream)
    hub.join(stream)
    return stream
  }

  return {
    open: async (asked) => {
      const { companyId, lastEventId } = asked
      const view = createLiveView(asked.plan)
      requireRoom(companyId)
      opening.set(companyId, (opening.get(companyId) ?? 0) + 1)
      try {
        const position = await findPosition(db, companyId, lastEventId)
        await asked.right?.(readMsMax)
        if (isStopped) throw failure.overloaded(1)
        return start(asked, view, position)
      } finally {
        const left = (opening.get(companyId) ?? 1) - 1
        if (left > 0) opening.set(companyId, left)
        else opening.delete(companyId)
      }
    },
    count: () => streams.size,
    stop: () => {
      isStopped = true
      clearInterval(timer)
      for (const stream of [...streams]) stream.end()
    },
  }
}

/** The number of the event behind which a stream begins. */
async function findPosition(db: Database, companyId: string, lastEventId: string | null): Promise<number> {
  const own = db.forRows(companyId)
  const last = await lastSequence(own)
  if (lastEventId === null || lastEventId === '') return last
  if (!/^\d{1,15}$/.test(lastEventId)) throw failure.lastEventInvalid()
  const known = Number(lastEventId)
  if (known === last) return last
  const first = await firstSequence(own)
  // A number that was never given comes from another database, or from before a backup was restored.
  if (known > last || first === null || first > known + 1) throw failure.eventsGone()
  return known
}
