import { createIsAlone, createTurns, type Load } from './turns.ts'

/** Runs `work` when it is the turn of `who`. Fails as overloaded if the queue is full. */
export interface Lane {
  <Result>(who: string, work: () => Promise<Result>): Promise<Result>
  load(): Load
}

/** Low limits: the callers are not authenticated yet, so their work must leave the database to others. */
const slots = { atOnce: 4, atOnceAlone: 8, reserved: 4 }

/** A fair queue with low concurrency for short work. */
export function createLane(waitingMax: number): Lane {
  const turns = createTurns({ ...slots, waitingMax }, createIsAlone())
  const run = async <Result>(who: string, work: () => Promise<Result>): Promise<Result> => {
    const slot = await turns.acquire(who)
    try {
      return await work()
    } finally {
      // An embedded engine answers at once: without this, the whole queue would run in one turn of the event loop.
      setImmediate(() => turns.release(who, slot))
    }
  }
  return Object.assign(run, { load: turns.load })
}
