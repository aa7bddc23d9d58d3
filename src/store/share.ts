import { memoizeText } from '../caches/memoize.ts'
import { createLoopTurns } from '../traffic/loop-turns.ts'
import { addLoads, createIsAlone, createTurns, type Slot, type TurnSettings, type Turns } from '../traffic/turns.ts'
import { tableOfAllCompanies } from './compile/company-rows.ts'
import { ofOneCompany, requireCompany, type StatementsOf, withConstantCompany } from './compile/one-company.ts'
import { reservedConnections, unpreparedConnections } from './connections.ts'
import type { CompanyStatements, Database, Engine, Right, Rows, Statements, StoreLoad } from './database.ts'
import { type Gathering, gatherRows } from './gather-rows.ts'
import { sharedWorkMax, workMax } from './limits.ts'
import type { Postgres } from './postgres/postgres.ts'
import { after, type Soon } from './soon.ts'
import type { Sql } from './sql.ts'

const closePollMs = 5

/** Statements that may be pipelined on one connection, as long as all of them belong to one company. */
const pipelinedMax = 8

/**
 * Shares the connections to a server. While companies compete, no statement is pipelined behind one of another company.
 * The reserved connections are for the service itself, and for companies that have no statement running. `planned` has
 * connections that keep the plans of what is read often.
 */
export function shareServer(
  server: Postgres,
  { connectionsMax, queueMax }: { readonly connectionsMax: number; readonly queueMax: number },
  planned: Postgres | null = null,
): Database {
  const reserved = reservedConnections(connectionsMax)
  const atOnce = connectionsMax - reserved
  // If there are several reserved connections, one is left to the service: authentication must work under any load.
  const slots = {
    atOnce,
    // The processors of the server are shared, too: one company must not keep all of them busy.
    atOnceEach: Math.ceil(atOnce / 2),
    atOnceAlone: atOnce * pipelinedMax,
    reserved: Math.max(Math.min(1, reserved), reserved - 1),
    waitingMax: queueMax,
  }
  const isAlone = createIsAlone()
  const turns = createTurns(slots, isAlone)
  const plannedTurns = createTurns(slots, isAlone)
  const unpreparedTurns = createTurns(unpreparedSlots(connectionsMax, queueMax), isAlone)
  const longTurns = createTurns(longSlots(connectionsMax, queueMax), isAlone)
  const poolOf = (slot: Slot, from = server): Statements => (slot === 'reserved' ? from : from.shared)
  const gathering: Gathering = { waiting: 0 }
  const gathered = { isBusy: () => gathering.waiting > 0, load: () => ({ ...gathering, underWay: 0, refused: 0 }) }
  const load = () => ({
    queues: {
      statements: [turns, plannedTurns, gathered].map((queue) => queue.load()).reduce(addLoads),
      rare: unpreparedTurns.load(),
      long: longTurns.load(),
    },
    connectionsMax,
    groupCommits: null,
  })
  const close = async () => void (await Promise.all([server.close(), planned?.close()]))
  const sharing = { turns: [turns, plannedTurns, gathered, unpreparedTurns, longTurns], load }
  return createDatabase({ ...server, close }, sharing, (who, changed) => {
    const reading = { turns, who }
    const writing = { turns, who, changed }
    const readAnew: Statements['read'] = (statement) =>
      server.isUnprepared(statement)
        ? runInSlot({ turns: unpreparedTurns, who }, () => server.unprepared.read(statement))
        : runInSlot(reading, (slot) => poolOf(slot).read(statement))
    const readPlanned = (statement: Sql, from: Postgres): Soon<Rows> => {
      const own = withConstantCompany(statement, from.dialect)
      return from.isUnprepared(own)
        ? readAnew(statement)
        : runInSlot({ turns: plannedTurns, who }, (slot) => poolOf(slot, from).read(own))
    }
    const read: Statements['read'] = (statement) => (planned ? readPlanned(statement, planned) : readAnew(statement))
    const transact: CompanyStatements['transact'] = (statements, check, right) =>
      statements.some(server.isUnprepared)
        ? runInSlot(
            { turns: unpreparedTurns, who, changed },
            () => server.unprepared.transact(statements, check, right),
            right,
          )
        : runInSlot(writing, (slot) => poolOf(slot).transact(statements, check, right), right)
    const transactInSteps: CompanyStatements['transactInSteps'] = (work, right) =>
      runInSlot(writing, (slot) => poolOf(slot).transactInSteps(work, right), right)
    // What was put together is looked at again.
    const checked: CompanyStatements['transact'] = (statements, check, right) =>
      transact(
        statements.map((statement) => requireCompany(statement, who)),
        check,
        right,
      )
    const long = { turns: longTurns, who }
    const readLong: Statements['read'] = (statement) => runInSlot(long, () => read(statement))
    return {
      isInThread: false,
      workMax: () => workMax,
      read,
      readPart: read,
      readLong,
      readWithin: (statement) => readLong(statement),
      transactLong: (work, _, right) => runInSlot(long, () => transactInSteps(work, right), right),
      transact: server.dialect.gathersRows ? gatherRows(checked, server, gathering) : transact,
      transactInSteps,
    }
  })
}

/** Unprepared statements queue separately from all others. No company can take all of their connections. */
function unpreparedSlots(connectionsMax: number, queueMax: number): TurnSettings {
  const all = unpreparedConnections(connectionsMax)
  const reserved = all > 1 ? 1 : 0
  return { atOnce: all - reserved, atOnceAlone: all - reserved, reserved, waitingMax: queueMax }
}

/** Each long statement keeps one core of the server busy; short statements need cores, too. */
function longSlots(connectionsMax: number, queueMax: number): TurnSettings {
  const atOnce = Math.max(1, Math.floor(connectionsMax / 4))
  return { atOnce, atOnceAlone: Math.max(1, Math.floor(connectionsMax / 2)), reserved: 1, waitingMax: queueMax }
}

/** The writes that may share one commit. */
const writeSlots = { atOnce: 32, atOnceAlone: 128, reserved: 8 }

/** Statements that run in engine processes. */
const longSqliteSlots = { atOnce: 2, atOnceAlone: 2, reserved: 1 }

/** Shares an engine that runs in the thread of the service. */
export function shareEngine(engine: Engine, queueMax: number): Database {
  const isAlone = createIsAlone()
  const turns = createTurns({ ...writeSlots, waitingMax: queueMax }, isAlone)
  // Parts of long lists always take turns, even if only one company is active.
  const takeTurn = createLoopTurns(queueMax, () => false)
  const long = createTurns({ ...longSqliteSlots, waitingMax: queueMax }, createIsAlone())
  const load = () => ({
    queues: { commits: turns.load(), lists: takeTurn.load(), long: long.load() },
    connectionsMax: null,
    groupCommits: engine.groupCommits?.() ?? null,
  })
  return createDatabase(engine, { turns: [turns, long], load }, (who, changed) => {
    const writing = { turns, who, changed }
    const readingLong = { turns: long, who }
    const writingLong = { turns: long, who, changed }
    return {
      isInThread: true,
      workMax: () => (isAlone(who) ? workMax : sharedWorkMax),
      // The request has taken its turn already.
      read: engine.read,
      readPart: (statement) => after(takeTurn(who), (_, part) => engine.read(part), statement),
      readLong: (statement) => runInSlot(readingLong, () => engine.readLong(statement)),
      readWithin: (statement, bytesMax) => runInSlot(readingLong, () => engine.readWithin(statement, bytesMax)),
      transactLong: (work, choose, right) =>
        runInSlot(writingLong, () => engine.transactLong(work, choose, right), right),
      transact: (statements, check, right) =>
        runInSlot(writing, () => engine.transact(statements, check, right), right),
      transactInSteps: (work, right) => runInSlot(writing, () => engine.transactInSteps(work, right), right),
    }
  })
}

/** The queue for some work of `who`. `changed` is called before and after a write. */
interface Turn {
  readonly turns: Turns
  readonly who: string
  readonly changed?: () => void
}

/** Runs at once, without a microtask, if a slot is free. `right` is checked again only after a wait. */
function runInSlot<Result>(turn: Turn, work: (slot: Slot) => Soon<Result>, right?: Right): Promise<Result> {
  const { turns, who, changed } = turn
  const run = (slot: Slot): Promise<Result> => {
    changed?.()
    const result = Promise.resolve(work(slot))
    const end = () => {
      changed?.()
      turns.release(who, slot)
    }
    result.then(end, end)
    return result
  }
  const acquired = turns.acquire(who)
  if (typeof acquired === 'string') return run(acquired)
  return acquired.then(async (slot) => {
    try {
      await right?.()
    } catch (error) {
      turns.release(who, slot)
      throw error
    }
    return run(slot)
  })
}

interface Sharing {
  readonly turns: readonly Pick<Turns, 'isBusy'>[]
  load(): StoreLoad
}

function createDatabase(engine: Engine, { turns, load }: Sharing, statementsOf: StatementsOf): Database {
  const { dialect, location, migrate, explain, read, transact, transactInSteps } = engine
  const { readLong, readWithin, transactLong, background } = engine
  // A request whose client has disconnected may still be queued.
  const close = async (): Promise<void> => {
    while (turns.some((one) => one.isBusy())) await Bun.sleep(closePollMs)
    await engine.close()
  }
  const { hints, freshen } = engine
  const optional = { ...(hints ? { hints } : {}), ...(freshen ? { freshen } : {}) }
  const all = { dialect, location, migrate, explain, close, load, ...optional }
  const forCompany = memoizeText((who) => ofOneCompany(engine, who, statementsOf))
  const companies = { forCompany, forRows: forCompany, isSpread: false, nodeOf: () => '' }
  const inquire: Database['inquire'] = (question, companyIds = []) => [
    { node: '', db: engine, statement: question(tableOfAllCompanies, companyIds) },
  ]
  const statements = { read, transact, transactInSteps, readLong, readWithin, transactLong, background }
  return { ...all, ...statements, inquire, ...companies }
}
