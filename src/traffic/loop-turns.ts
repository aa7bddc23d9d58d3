import { createIsAlone, createTurns, type IsAlone, type Lane, type Load } from './turns.ts'

/** When some work may begin: at once where it is null, or when the promise is kept. It is broken where too many wait. */
export interface TakeTurn {
  (who: string): Promise<void> | null
  load(): Load
}

/** Places for those who have nothing under way: they need not wait for the event loop to turn. */
const kept = 4

/**
 * All work shares one thread. While several compete for it, they begin no more than `atOnce` things in a turn of the
 * event loop and one each, so that nobody waits behind all that another one wants.
 */
export function createLoopTurns(waitingMax: number, isAlone: IsAlone, atOnce = 1): TakeTurn {
  const turns = createTurns({ atOnce, alone: atOnce, kept, waitingMax }, isAlone)
  let begun: { readonly who: string; readonly lane: Lane }[] = []
  const endTurn = (): void => {
    const ended = begun
    begun = []
    for (const { who, lane } of ended) turns.give(who, lane)
  }
  const begin = (who: string, lane: Lane): void => {
    if (begun.push({ who, lane }) === 1) setImmediate(endTurn)
  }
  const take = (who: string): Promise<void> | null => {
    if (isAlone(who)) return null
    const place = turns.take(who)
    if (typeof place !== 'string') return place.then((lane) => begin(who, lane))
    begin(who, place)
    return null
  }
  return Object.assign(take, { load: turns.load })
}

/** Requests that have come in, and who of them is next. */
export interface RequestTurns {
  readonly reads: TakeTurn
  readonly writes: TakeTurn
}

/** Writes that begin in the same turn of the event loop share a commit on SQLite, and that is the slow part. */
const writesInTurn = 16

export function createRequestTurns(waitingMax: number): RequestTurns {
  const isAlone = createIsAlone()
  return {
    reads: createLoopTurns(waitingMax, isAlone),
    writes: createLoopTurns(waitingMax, isAlone, writesInTurn),
  }
}
