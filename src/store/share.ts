import type { Database, Engine, Statements } from './database.ts'
import { keptOf, type Postgres } from './postgres.ts'
import { createIsAlone, createTurns, type Lane, type Turns } from './turns.ts'

/** Statements that may line up on one connection, as long as they all are of one company. */
const linedUpMax = 8

/**
 * Shares the connections to a server. While companies compete, nobody's statement stands behind another's; the kept
 * connections are for the service itself, and for companies that have nothing under way.
 */
export function shareServer(
  server: Postgres,
  { connectionsMax, queueMax }: { readonly connectionsMax: number; readonly queueMax: number },
): Database {
  const kept = keptOf(connectionsMax)
  const atOnce = connectionsMax - kept
  const turns = createTurns({ atOnce, alone: atOnce * linedUpMax, kept, waitingMax: queueMax }, createIsAlone())
  const by = (lane: Lane): Statements => (lane === 'kept' ? server : server.shared)
  return openTo(server, (who) => ({
    read: (statement) => inTurn(turns, who, (lane) => by(lane).read(statement)),
    transact: (statements, check) => inTurn(turns, who, (lane) => by(lane).transact(statements, check)),
    transactInSteps: (work) => inTurn(turns, who, (lane) => by(lane).transactInSteps(work)),
  }))
}

/** Reads of one company in one turn of the event loop, and its writes in one commit, while companies compete. */
const readsAtOnce = 1
const writesAtOnce = 32
const writesAlone = 128
const keptReads = 2
const keptWrites = 8

/**
 * Shares an engine that works in our own thread. A read has its place until the event loop has turned, and so has seen
 * who else asks; a write until it is committed.
 */
export function shareEngine(engine: Engine, queueMax: number): Database {
  const isAlone = createIsAlone()
  const everyone = { waitingMax: queueMax, alone: writesAlone }
  const reads = createTurns({ ...everyone, atOnce: readsAtOnce, kept: keptReads }, isAlone)
  const writes = createTurns({ ...everyone, atOnce: writesAtOnce, kept: keptWrites }, isAlone)
  let ending: { readonly who: string; readonly lane: Lane }[] = []
  const endTurn = (): void => {
    const ended = ending
    ending = []
    for (const { who, lane } of ended) reads.give(who, lane)
  }
  const untilTurn = (who: string, lane: Lane): void => {
    if (ending.push({ who, lane }) === 1) setImmediate(endTurn)
  }
  return openTo(engine, (who) => ({
    read: (statement) => {
      if (isAlone(who)) return engine.read(statement)
      const run = (lane: Lane) => {
        untilTurn(who, lane)
        return engine.read(statement)
      }
      const place = reads.take(who)
      return typeof place === 'string' ? run(place) : place.then(run)
    },
    transact: (statements, check) => inTurn(writes, who, () => engine.transact(statements, check)),
    transactInSteps: (work) => inTurn(writes, who, () => engine.transactInSteps(work)),
  }))
}

/** Nothing waits for a place that is free: not even for a promise to be kept. */
function inTurn<Result>(turns: Turns, who: string, work: (lane: Lane) => Promise<Result>): Promise<Result> {
  const run = (lane: Lane): Promise<Result> => {
    const result = work(lane)
    const end = () => turns.give(who, lane)
    result.then(end, end)
    return result
  }
  const place = turns.take(who)
  return typeof place === 'string' ? run(place) : place.then(run)
}

function openTo(engine: Engine, statementsOf: (who: string) => Statements): Database {
  const { dialect, location, migrate, explain, close, read, transact, transactInSteps } = engine
  const all = { dialect, location, migrate, explain, close }
  const forCompany = (who: string): Database => ({ ...all, ...statementsOf(who), forCompany })
  return { ...all, read, transact, transactInSteps, forCompany }
}
