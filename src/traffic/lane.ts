import { createIsAlone, createTurns, type Load } from './turns.ts'

/** Runs some work when it is the turn of `who`; refused as overloaded where too much waits. */
export interface Lane {
  <Result>(who: string, work: () => Promise<Result>): Promise<Result>
  load(): Load
}

/** Few at a time, so that work nobody is known to be good for leaves the database to others. */
const places = { atOnce: 4, alone: 8, kept: 4 }

/** A narrow way for short work, fair to everyone who is on it. */
export function createLane(waitingMax: number): Lane {
  const turns = createTurns({ ...places, waitingMax }, createIsAlone())
  const run = async <Result>(who: string, work: () => Promise<Result>): Promise<Result> => {
    const place = await turns.take(who)
    try {
      return await work()
    } finally {
      // An embedded engine answers at once: without this, all that waits would run in one turn of the event loop.
      setImmediate(() => turns.give(who, place))
    }
  }
  return Object.assign(run, { load: turns.load })
}
