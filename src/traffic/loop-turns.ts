import { createIsAlone, createTurns, type IsAlone, type Load, type Slot } from './turns.ts'

/** Null if the work may start now, or a promise that resolves when it may. It rejects if the queue is full. */
export interface TakeTurn {
  (who: string): Promise<void> | null
  load(): Load
}

/** Slots for companies that have no work running: they need not wait for the next turn of the event loop. */
const reserved = 4

/**
 * All work shares one thread. While several companies compete for it, `atOnce` pieces of work start per turn of the
 * event loop, round-robin over the companies. So no company waits for the whole queue of another one.
 */
export function createLoopTurns(waitingMax: number, isAlone: IsAlone, atOnce = 1): TakeTurn {
  const turns = createTurns({ atOnce, atOnceAlone: atOnce, reserved, waitingMax }, isAlone)
  let started: { readonly who: string; readonly slot: Slot }[] = []
  const endTurn = (): void => {
    const ended = started
    started = []
    for (const { who, slot } of ended) turns.release(who, slot)
  }
  const start = (who: string, slot: Slot): void => {
    if (started.push({ who, slot }) === 1) setImmediate(endTurn)
  }
  const take = (who: string): Promise<void> | null => {
    if (isAlone(who)) return null
    const slot = turns.acquire(who)
    if (typeof slot !== 'string') return slot.then((later) => start(who, later))
    start(who, slot)
    return null
  }
  return Object.assign(take, { load: turns.load })
}

/** The queues of incoming requests. */
export interface RequestTurns {
  readonly reads: TakeTurn
  readonly writes: TakeTurn
}

/** On SQLite, a turn with a write ends with a commit, so one read in each turn would be too few. More make the other companies wait longer. */
const readsPerTurn = 4

/** Writes that start in the same turn share one commit on SQLite, which is the slow part. More make the other companies wait longer. */
const writesPerTurn = 8

export function createRequestTurns(waitingMax: number): RequestTurns {
  const isAlone = createIsAlone()
  return {
    reads: createLoopTurns(waitingMax, isAlone, readsPerTurn),
    writes: createLoopTurns(waitingMax, isAlone, writesPerTurn),
  }
}
