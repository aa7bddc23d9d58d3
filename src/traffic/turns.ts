import { failure } from '../errors/index.ts'

export interface TurnSettings {
  /** Concurrent work while companies compete. */
  readonly atOnce: number
  /** The part of it that one company may use, besides a reserved slot; all of it if not given. */
  readonly atOnceEach?: number
  /** Concurrent work while only one company sends requests. */
  readonly atOnceAlone: number
  /** Additional slots, only for companies that have no work running. */
  readonly reserved: number
  /** The length of the queue for all companies; one company may use half of it. */
  readonly waitingMax: number
  /** The maximum time in the queue. */
  readonly waitMsMax?: number
}

/** The kind of slot that some work runs in. */
export type Slot = 'shared' | 'reserved'

/** A fair queue: hands out a limited number of slots to the companies round-robin. */
export interface Turns {
  /** A slot, or a promise of one, which rejects at once if the queue is full. */
  acquire(who: string): Slot | Promise<Slot>
  release(who: string, slot: Slot): void
  /** Whether any slot is in use. */
  isBusy(): boolean
  load(): Load
}

/** The current load, and the number of refusals so far. */
export interface Load {
  readonly underWay: number
  readonly waiting: number
  readonly refused: number
}

export const addLoads = (one: Load, other: Load): Load => ({
  underWay: one.underWay + other.underWay,
  waiting: one.waiting + other.waiting,
  refused: one.refused + other.refused,
})

/** Whether no other company has sent a request lately. */
export type IsAlone = (who: string) => boolean

/** A company that is alone may use all slots; they are shared only while at least two companies are active. */
export function createIsAlone(now = () => performance.now()): IsAlone {
  let latest: string | null = null
  let competingUntil = 0
  return (who) => {
    if (who !== latest) {
      if (latest !== null) competingUntil = now() + lateMs
      latest = who
    }
    // Reads the clock only when needed, because this runs on every request.
    if (competingUntil !== 0 && now() >= competingUntil) competingUntil = 0
    return competingUntil === 0
  }
}

interface Waiter {
  readonly since: number
  go(slot: Slot): void
  refuse(error: Error): void
}

const lateMs = 1000
const waitMsDefault = 10_000

/**
 * Companies share the slots round-robin, so that one company's load delays mainly itself. A company that has no work
 * running can also use a reserved slot, for which it competes only with other companies that have none running.
 */
export function createTurns(settings: TurnSettings, isAlone: IsAlone): Turns {
  const { atOnce, atOnceEach = atOnce, atOnceAlone, reserved, waitingMax, waitMsMax = waitMsDefault } = settings
  const running = new Map<string, number>()
  /** Companies that have a reserved slot: one each, as they had nothing running. */
  const inReserved = new Set<string>()
  /** By company, in the order in which they are served. */
  const queues = new Map<string, Waiter[]>()
  const taken = { shared: 0, reserved: 0 }
  let waiting = 0
  let refused = 0
  let sharedMax = atOnceAlone
  let eachMax = atOnceAlone
  let isWatched = false

  function findSlot(who: string): Slot | null {
    if ((running.get(who) ?? 0) - (inReserved.has(who) ? 1 : 0) >= eachMax) return null
    if (taken.shared < atOnce) return 'shared'
    // In a shared slot, it would wait behind everything that another company started while that one was alone.
    if (taken.reserved < reserved && !running.has(who)) return 'reserved'
    return taken.shared < sharedMax ? 'shared' : null
  }

  function start(who: string, slot: Slot): Slot {
    taken[slot] += 1
    if (slot === 'reserved') inReserved.add(who)
    running.set(who, (running.get(who) ?? 0) + 1)
    return slot
  }

  function acquire(who: string): Slot | Promise<Slot> {
    const alone = isAlone(who)
    sharedMax = alone ? atOnceAlone : atOnce
    eachMax = alone ? atOnceAlone : atOnceEach
    const slot = findSlot(who)
    return slot === null ? wait(who) : start(who, slot)
  }

  function wait(who: string): Promise<Slot> {
    const queue = queues.get(who) ?? []
    if (waiting >= waitingMax || queue.length >= waitingMax / 2) return Promise.reject(overloaded())
    watch()
    return new Promise((go, refuse) => {
      waiting += 1
      queue.push({ since: performance.now(), go, refuse })
      queues.set(who, queue)
    })
  }

  function release(who: string, slot: Slot): void {
    taken[slot] -= 1
    if (slot === 'reserved') inReserved.delete(who)
    const left = (running.get(who) ?? 1) - 1
    if (left === 0) running.delete(who)
    else running.set(who, left)
    if (waiting > 0) serve()
  }

  /** Round-robin: `next` moves a company to the end of the map, so the loop reaches it again while slots are free. */
  function serve(): void {
    for (const [who, queue] of queues) {
      if (taken.shared >= sharedMax && taken.reserved >= reserved) return
      const slot = findSlot(who)
      if (slot !== null) next(who, queue)?.go(start(who, slot))
    }
  }

  function next(who: string, queue: Waiter[]): Waiter | undefined {
    waiting -= 1
    queues.delete(who)
    const first = queue.shift()
    if (queue.length > 0) queues.set(who, queue)
    return first
  }

  /** Bounds the time in the queue, even if the running work never ends. */
  function watch(): void {
    if (isWatched) return
    isWatched = true
    setTimeout(refuseLate, Math.min(lateMs, waitMsMax)).unref()
  }

  function refuseLate(): void {
    isWatched = false
    const late = performance.now() - waitMsMax
    for (const [who, queue] of [...queues]) {
      while (queue[0] && queue[0].since < late) next(who, queue)?.refuse(overloaded())
    }
    if (waiting > 0) watch()
  }

  function overloaded(): Error {
    refused += 1
    return failure.overloaded()
  }

  const load = (): Load => ({ underWay: taken.shared + taken.reserved, waiting, refused })
  return { acquire, release, isBusy: () => running.size > 0, load }
}
