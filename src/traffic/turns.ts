import { failure } from '../errors/index.ts'

export interface TurnSettings {
  /** Work under way at once while companies compete. */
  readonly atOnce: number
  /** The same while only one company asks for anything. */
  readonly alone: number
  /** Places beside those, which only a company that has nothing under way may take. */
  readonly kept: number
  /** Work that waits for a place, at most: of all companies, and half of it of one. */
  readonly waitingMax: number
  /** How long it may wait. */
  readonly waitMsMax?: number
}

/** Which kind of place some work has taken. */
export type Lane = 'shared' | 'kept'

/** Places for work, given to the companies in turn. */
export interface Turns {
  /** A place, or the promise of one, which is broken at once where too many wait. */
  take(who: string): Lane | Promise<Lane>
  give(who: string, lane: Lane): void
  /** Whether something is under way. */
  isBusy(): boolean
  load(): Load
}

/** How much there is to do, and how often it was too much. */
export interface Load {
  readonly underWay: number
  readonly waiting: number
  readonly refused: number
}

/** Tells whether nobody else has asked for anything lately. */
export type IsAlone = (who: string) => boolean

/** One company alone may have all there is; what is fair matters only where there are two. */
export function createIsAlone(now = () => performance.now()): IsAlone {
  let latest: string | null = null
  let competingUntil = 0
  return (who) => {
    if (who !== latest) {
      if (latest !== null) competingUntil = now() + lateMs
      latest = who
    }
    // The clock is asked only where it matters: this stands in the way of every request.
    if (competingUntil !== 0 && now() >= competingUntil) competingUntil = 0
    return competingUntil === 0
  }
}

interface Waiter {
  readonly since: number
  go(lane: Lane): void
  refuse(error: Error): void
}

const lateMs = 1000
/** Long enough for what is slow and short enough for whoever waits. */
const waitMsUsual = 10_000

/**
 * Whoever has nothing under way finds a kept place, or waits for those alone who are in the same case; all others share
 * what is left, one after the other. So a company can slow down itself, and hardly anybody else.
 */
export function createTurns(settings: TurnSettings, isAlone: IsAlone): Turns {
  const { atOnce, alone, kept, waitingMax, waitMsMax = waitMsUsual } = settings
  const busy = new Map<string, number>()
  /** In the order in which they are next. */
  const queues = new Map<string, Waiter[]>()
  const taken = { shared: 0, kept: 0 }
  let waiting = 0
  let refused = 0
  let room = alone
  let isWatched = false

  function findLane(who: string): Lane | null {
    if (taken.shared < atOnce) return 'shared'
    // Behind what one company has lined up while it was alone, another one would wait for all of it.
    if (taken.kept < kept && !busy.has(who)) return 'kept'
    return taken.shared < room ? 'shared' : null
  }

  function start(who: string, lane: Lane): Lane {
    taken[lane] += 1
    busy.set(who, (busy.get(who) ?? 0) + 1)
    return lane
  }

  function take(who: string): Lane | Promise<Lane> {
    room = isAlone(who) ? alone : atOnce
    const lane = findLane(who)
    return lane === null ? wait(who) : start(who, lane)
  }

  function wait(who: string): Promise<Lane> {
    const queue = queues.get(who) ?? []
    if (waiting >= waitingMax || queue.length >= waitingMax / 2) return Promise.reject(overloaded())
    watch()
    return new Promise((go, refuse) => {
      waiting += 1
      queue.push({ since: performance.now(), go, refuse })
      queues.set(who, queue)
    })
  }

  function give(who: string, lane: Lane): void {
    taken[lane] -= 1
    const left = (busy.get(who) ?? 1) - 1
    if (left === 0) busy.delete(who)
    else busy.set(who, left)
    if (waiting > 0) serve()
  }

  /** Whoever was served goes to the end, where this loop meets it again while there is room. */
  function serve(): void {
    for (const [who, queue] of queues) {
      if (taken.shared >= room && taken.kept >= kept) return
      const lane = findLane(who)
      if (lane !== null) next(who, queue)?.go(start(who, lane))
    }
  }

  function next(who: string, queue: Waiter[]): Waiter | undefined {
    waiting -= 1
    queues.delete(who)
    const first = queue.shift()
    if (queue.length > 0) queues.set(who, queue)
    return first
  }

  /** Nobody waits for ever behind work that does not end. */
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

  const load = (): Load => ({ underWay: taken.shared + taken.kept, waiting, refused })
  return { take, give, isBusy: () => busy.size > 0, load }
}
