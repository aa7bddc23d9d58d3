import { onceForEachText } from '../once-for-each.ts'
import { after, type Soon } from '../soon.ts'
import { createLoopTurns } from '../traffic/loop-turns.ts'
import { createIsAlone, createTurns, type Lane, type TurnSettings, type Turns } from '../traffic/turns.ts'
import { ofOneCompany } from './compile/one-company.ts'
import type { CompanyStatements, Database, Engine, Right, Statements, StoreLoad } from './database.ts'
import { keptOf, type Postgres, rareOf } from './postgres/postgres.ts'

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
  const turns = createTurns(places, createIsAlone())
  const rareTurns = createTurns(rarePlaces(connectionsMax, queueMax), createIsAlone())
  const by = (lane: Lane): Statements => (lane === 'kept' ? server : server.shared)
  const load = () => ({
    queues: { statements: turns.load(), rare: rareTurns.load() },
    connectionsMax,
    groupCommits: null,
  })
  return openTo(server, { turns: [turns, rareTurns], load }, (who) => {
    const usually = <Result>(work: (asked: Statements) => Soon<Result>, right?: Right) =>
      inTurn(turns, who, (lane) => work(by(lane)), right)
    const run = <Result>(isRare: boolean, work: (asked: Statements) => Soon<Result>, right?: Right) =>
      isRare ? inTurn(rareTurns, who, () => work(server.rare), right) : usually(work, right)
    const read: Statements['read'] = (statement) => run(server.isRare(statement), (asked) => asked.read(statement))
    return {
      isInThread: false,
      read,
      readPart: read,
      readLong: read,
      readWithin: (statement) => read(statement),
      // To ask for the right takes one of the kept connections: who has one of them must not wait for another.
      transactLong: (work, _, right) =>
        inTurn(
          turns,
          who,
          (lane) => by(lane).transactInSteps(work, lane === 'shared' && kept > 0 ? right : undefined),
          right,
        ),
      transact: (statements, check, right) =>
        run(statements.some(server.isRare), (asked) => asked.transact(statements, check), right),
      transactInSteps: (work, right) => usually((asked) => asked.transactInSteps(work), right),
    }
  })
}

/** A statement of unusual length waits for others of its kind alone, and no company has all of their connections. */
function rarePlaces(connectionsMax: number, queueMax: number): TurnSettings {
  const all = rareOf(connectionsMax)
  const kept = all > 1 ? 1 : 0
  return { atOnce: all - kept, alone: all - kept, kept, waitingMax: queueMax }
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
  return openTo(engine, { turns: [turns, long], load }, (who) => ({
    isInThread: true,
    // Belongs to the turn in which the request came.
    read: engine.read,
    readPart: (statement) => after(takeTurn(who), (_, asked) => engine.read(asked), statement),
    readLong: (statement) => inTurn(long, who, () => engine.readLong(statement)),
    readWithin: (statement, bytesMax) => inTurn(long, who, () => engine.readWithin(statement, bytesMax)),
    transactLong: (work, choose, right) => inTurn(long, who, () => engine.transactLong(work, choose, right), right),
    transact: (statements, check, right) => inTurn(turns, who, () => engine.transact(statements, check), right),
    transactInSteps: (work, right) => inTurn(turns, who, () => engine.transactInSteps(work), right),
  }))
}

/** Nothing waits for a place that is free: not even for a promise to be kept. */
function inTurn<Result>(turns: Turns, who: string, work: (lane: Lane) => Soon<Result>, right?: Right): Promise<Result> {
  const run = (lane: Lane): Promise<Result> => {
    const result = Promise.resolve(work(lane))
    const end = () => turns.give(who, lane)
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

function openTo(engine: Engine, { turns, load }: Sharing, statementsOf: (who: string) => CompanyStatements): Database {
  const { dialect, location, migrate, explain, read, transact, transactInSteps } = engine
  const { readLong, readWithin, transactLong } = engine
  // A request whose client has gone may still wait for its turn.
  const close = async (): Promise<void> => {
    while (turns.some((one) => one.isBusy())) await Bun.sleep(closingMs)
    await engine.close()
  }
  const all = { dialect, location, migrate, explain, close, load }
  const forCompany = onceForEachText((who) => ofOneCompany(engine, statementsOf(who), who))
  return { ...all, read, transact, transactInSteps, readLong, readWithin, transactLong, forCompany }
}
