import { memoizeText } from '../memoize.ts'
import { createLoopTurns } from '../traffic/loop-turns.ts'
import { createIsAlone, createTurns, type Lane, type TurnSettings, type Turns } from '../traffic/turns.ts'
import { ofOneCompany, type StatementsOf } from './compile/one-company.ts'
import type { Database, Engine, Right, Statements, StoreLoad } from './database.ts'
import type { Postgres } from './postgres/postgres.ts'
import { keptOf, rareOf } from './postgres/postgres-pools.ts'
import { after, type Soon } from './soon.ts'

const closingMs = 5

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
  // Of several, one stays the service's own: whoever asks has to be found out, however slow the others are.
  const places = {
    atOnce,
    alone: atOnce * linedUpMax,
    kept: Math.max(Math.min(1, kept), kept - 1),
    waitingMax: queueMax,
  }
  const isAlone = createIsAlone()
  const turns = createTurns(places, isAlone)
  const rareTurns = createTurns(rarePlaces(connectionsMax, queueMax), isAlone)
  const longTurns = createTurns(longPlaces(connectionsMax, queueMax), isAlone)
  const by = (lane: Lane): Statements => (lane === 'kept' ? server : server.shared)
  const load = () => ({
    queues: { statements: turns.load(), rare: rareTurns.load(), long: longTurns.load() },
    connectionsMax,
    groupCommits: null,
  })
  return openTo(server, { turns: [turns, rareTurns, longTurns], load }, (who, changed) => {
    const reading = { turns, who }
    const writing = { turns, who, changed }
    const read: Statements['read'] = (statement) =>
      server.isRare(statement)
        ? inTurn({ turns: rareTurns, who }, () => server.rare.read(statement))
        : inTurn(reading, (lane) => by(lane).read(statement))
    const long = { turns: longTurns, who }
    const readLong: Statements['read'] = (statement) => inTurn(long, () => read(statement))
    return {
      isInThread: false,
      read,
      readPart: read,
      readLong,
      readWithin: (statement) => readLong(statement),
      transactLong: (work, _, right) => {
        // To ask for the right takes a kept connection: the write must not hold the last one.
        const rightOn = (lane: Lane) => (kept > (lane === 'kept' ? 1 : 0) ? right : undefined)
        const write = () => inTurn(writing, (lane) => by(lane).transactInSteps(work, rightOn(lane)), right)
        return inTurn(long, write, right)
      },
      transact: (statements, check, right) =>
        statements.some(server.isRare)
          ? inTurn({ turns: rareTurns, who, changed }, () => server.rare.transact(statements, check), right)
          : inTurn(writing, (lane) => by(lane).transact(statements, check), right),
      transactInSteps: (work, right) => inTurn(writing, (lane) => by(lane).transactInSteps(work), right),
    }
  })
}

/** A statement of unusual length waits for others of its kind alone, and no company has all of their connections. */
function rarePlaces(connectionsMax: number, queueMax: number): TurnSettings {
  const all = rareOf(connectionsMax)
  const kept = all > 1 ? 1 : 0
  return { atOnce: all - kept, alone: all - kept, kept, waitingMax: queueMax }
}

/** Each long statement keeps a processor of the server busy, and what is short has to find one. */
function longPlaces(connectionsMax: number, queueMax: number): TurnSettings {
  const atOnce = Math.max(1, Math.floor(connectionsMax / 4))
  return { atOnce, alone: Math.max(1, Math.floor(connectionsMax / 2)), kept: 1, waitingMax: queueMax }
}

/** Writes of one company in one commit, while companies compete, and while there is one alone. */
const writesAtOnce = 32
const writesAlone = 128
const keptWrites = 8

/** Work in processes beside the service, while companies compete; each one that has none under way finds a kept place. */
const longAtOnce = 2
const keptLong = 1

/** Shares an engine that works in our own thread. */
export function shareEngine(engine: Engine, queueMax: number): Database {
  const settings = { atOnce: writesAtOnce, alone: writesAlone, kept: keptWrites, waitingMax: queueMax }
  const turns = createTurns(settings, createIsAlone())
  // Parts of long lists take turns whoever else is there.
  const takeTurn = createLoopTurns(queueMax, () => false)
  const long = createTurns(
    { atOnce: longAtOnce, alone: longAtOnce, kept: keptLong, waitingMax: queueMax },
    createIsAlone(),
  )
  const load = () => ({
    queues: { commits: turns.load(), lists: takeTurn.load(), long: long.load() },
    connectionsMax: null,
    groupCommits: engine.groupCommits?.() ?? null,
  })
  return openTo(engine, { turns: [turns, long], load }, (who, changed) => {
    const writing = { turns, who, changed }
    const readingLong = { turns: long, who }
    const writingLong = { turns: long, who, changed }
    return {
      isInThread: true,
      // Belongs to the turn in which the request came.
      read: engine.read,
      readPart: (statement) => after(takeTurn(who), (_, asked) => engine.read(asked), statement),
      readLong: (statement) => inTurn(readingLong, () => engine.readLong(statement)),
      readWithin: (statement, bytesMax) => inTurn(readingLong, () => engine.readWithin(statement, bytesMax)),
      transactLong: (work, choose, right) => inTurn(writingLong, () => engine.transactLong(work, choose, right), right),
      transact: (statements, check, right) => inTurn(writing, () => engine.transact(statements, check), right),
      transactInSteps: (work, right) => inTurn(writing, () => engine.transactInSteps(work), right),
    }
  })
}

/** Whose work waits where. `changed` is told when it begins to write, and when it has. */
interface Turn {
  readonly turns: Turns
  readonly who: string
  readonly changed?: () => void
}

/** Nothing waits for a place that is free: not even for a promise to be kept. */
function inTurn<Result>(turn: Turn, work: (lane: Lane) => Soon<Result>, right?: Right): Promise<Result> {
  const { turns, who, changed } = turn
  const run = (lane: Lane): Promise<Result> => {
    changed?.()
    const result = Promise.resolve(work(lane))
    const end = () => {
      changed?.()
      turns.give(who, lane)
    }
    result.then(end, end)
    return result
  }
  const place = turns.take(who)
  if (typeof place === 'string') return run(place)
  return place.then(async (lane) => {
    try {
      await right?.()
    } catch (error) {
      turns.give(who, lane)
      throw error
    }
    return run(lane)
  })
}

interface Sharing {
  readonly turns: readonly Turns[]
  load(): StoreLoad
}

function openTo(engine: Engine, { turns, load }: Sharing, statementsOf: StatementsOf): Database {
  const { dialect, location, migrate, explain, read, transact, transactInSteps } = engine
  const { readLong, readWithin, transactLong } = engine
  // A request whose client has gone may still wait for its turn.
  const close = async (): Promise<void> => {
    while (turns.some((one) => one.isBusy())) await Bun.sleep(closingMs)
    await engine.close()
  }
  const all = { dialect, location, migrate, explain, close, load }
  const forCompany = memoizeText((who) => ofOneCompany(engine, who, statementsOf))
  return { ...all, read, transact, transactInSteps, readLong, readWithin, transactLong, forCompany }
}
