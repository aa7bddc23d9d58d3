import { SQL } from 'bun'
import { createDeadline } from '../../traffic/deadline.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import type { Engine, Migration, Problem, Right, Rows, Statements, Steps } from '../database.ts'
import { render, type Sql, type Value } from '../sql.ts'
import { citusDialect } from './citus-dialect.ts'
import {
  answerMarginMs,
  applicationName,
  isDistributed,
  type PostgresSettings,
  postgresConnection,
} from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { problemOf } from './postgres-problems.ts'
import { createPreparedTexts } from './prepared-texts.ts'
import { watchSilence } from './watch-silence.ts'

class NoAnswer extends Error {}
/** When to ask a server that has answered nothing for so long whether it is still there. */
const patienceMs = 2000
const probeTimeoutS = 3

/** Who has which connections. */
interface Clients {
  readonly everyones: SQL
  readonly kept: SQL
  readonly rare: SQL
}

/** A server, by three ways: `shared` has most of the connections, and can be full when the others are not. */
export interface Postgres extends Engine {
  readonly shared: Statements
  /** For statements that connections do not keep prepared. */
  readonly rare: Statements
  isRare(statement: Sql): boolean
}

/** Connections for rare statements, and how many of those are not for everyone. */
export const rareOf = (connectionsMax: number): number => Math.min(3, connectionsMax)

/** How many of the connections are not for everyone. */
export const keptOf = (connectionsMax: number): number => Math.min(2, Math.floor(connectionsMax / 2))

export function openPostgres({ url, connectionsMax, statementTimeoutMs }: PostgresSettings): Postgres {
  const options = postgresConnection({ url, statementTimeoutMs })
  const dialect = isDistributed(url) ? citusDialect : postgresDialect
  const kept = keptOf(connectionsMax)
  const sizes: Record<keyof Clients, number> = {
    everyones: connectionsMax - kept,
    kept: kept || connectionsMax,
    rare: rareOf(connectionsMax),
  }
  const openClients = (): Clients => {
    const everyones = new SQL({ ...options, max: sizes.everyones })
    return {
      everyones,
      // Its own pool, because the driver lines statements up on a connection behind whatever runs there.
      kept: kept === 0 ? everyones : new SQL({ ...options, max: sizes.kept }),
      rare: new SQL({ ...options, max: sizes.rare, prepare: false }),
    }
  }
  let clients = openClients()
  const prepared = createPreparedTexts()
  const isRare = (statement: Sql): boolean =>
    options.prepare && !prepared.admits(render(statement, dialect.placeholder))

  const ask = (client: Pick<SQL, 'unsafe'>, statement: Sql): Promise<unknown> =>
    client.unsafe(render(statement, dialect.placeholder), [...statement.values]).values()

  const runAll = async (client: Pick<SQL, 'unsafe'>, statements: readonly Sql[]): Promise<Rows[]> => {
    const results: Rows[] = []
    for (const statement of statements) {
      silence.began()
      try {
        results.push(rowsOf(await ask(client, statement)))
      } finally {
        silence.ended()
      }
    }
    return results
  }

  /** A connection that nothing comes from is never given up by the driver, nor are the statements that wait behind it. */
  const replaceClients = (timeout: number): void => {
    const used = clients
    clients = openClients()
    prepared.startOver()
    openedAt = performance.now()
    void closeClients(used, timeout).catch(() => {})
  }

  // The server's own limit does not help where the server has stopped answering.
  const limitMs = statementTimeoutMs + answerMarginMs
  let openedAt = performance.now()
  const failLate = createDeadline(() => {
    // What was asked of connections that are given up already says nothing about the new ones.
    if (performance.now() - openedAt >= limitMs) replaceClients(1)
    return new NoAnswer()
  })
  const underWay: Record<keyof Clients, number> = { everyones: 0, kept: 0, rare: 0 }
  const inTime = <Found, Result>(
    name: keyof Clients,
    work: Promise<Found>,
    read: (found: Found) => Result,
  ): Promise<Result> => {
    // What is lined up on a connection behind others has the time of those, too.
    const linedUp = Math.floor(underWay[name] / sizes[name])
    underWay[name] += 1
    silence.began()
    return failLate(work, limitMs * (linedUp + 1), read, () => {
      underWay[name] -= 1
      silence.ended()
    })
  }

  const silence = watchSilence(patienceMs, async () => {
    const isAtWork = await askWhetherAtWork({ ...options, connectionTimeout: probeTimeoutS, max: 1 })
    if (!isAtWork && silence.lasts()) replaceClients(0)
  })

  const statementsOf = (usual: keyof Clients): Statements => {
    // Whoever shares the connections has asked already; the service itself has not.
    const clientFor = (statements: readonly Sql[]) => (usual === 'kept' && statements.some(isRare) ? 'rare' : usual)
    const runOne = (statement: Sql): Promise<Rows> => {
      if (prepared.isFull()) replaceClients(limitMs / 1000)
      const name = clientFor([statement])
      return inTime(name, ask(clients[name], statement), rowsOf)
    }
    const runSteps = (work: Steps, right?: Right, name = usual): Promise<void> => {
      const steps = clients[name].begin(async (own) => {
        for (let step = work.next(); !step.done; step = work.next(await runAll(own, step.value)));
        // The statements may have taken seconds, or waited for locks.
        await right?.()
      })
      return inTime(name, steps, () => {})
    }
    return {
      read: runOne,
      transact: async (statements, check) => {
        const [only, ...others] = statements
        // One statement is a transaction by itself, at a third of the round trips.
        if (only && others.length === 0 && !check) return [await runOne(only)]
        let found: readonly Rows[] = []
        const look = (results: readonly Rows[]) => {
          found = results
          check?.(results)
        }
        await runSteps(oneStep(statements, look), undefined, clientFor(statements))
        return found
      },
      transactInSteps: (work, right) => runSteps(work, right),
    }
  }

  const own = statementsOf('kept')
  return {
    ...own,
    // The server works on them in processes of its own.
    readLong: own.read,
    readWithin: (statement) => own.read(statement),
    transactLong: (work, _, right) => own.transactInSteps(work, right),
    shared: statementsOf('everyones'),
    rare: statementsOf('rare'),
    isRare,
    dialect,
    location: withoutPassword(url),
    migrate: (step) => migratePool(clients.kept, step),
    explain: explainPostgres,
    close: () => {
      silence.stop()
      return closeClients(clients)
    },
  }
}

/** Some statements and a look at their results → work of one step. */
function* oneStep(statements: readonly Sql[], look: (results: readonly Rows[]) => void): Steps {
  look(yield statements)
}

async function closeClients(clients: Clients, timeout?: number): Promise<void> {
  const options = timeout === undefined ? {} : { timeout }
  await Promise.all([...new Set(Object.values(clients) as SQL[])].map((client) => client.close(options)))
}

/** Whether a server can be reached and does anything for us, so that an answer is to be expected. */
async function askWhetherAtWork(options: SQL.Options): Promise<boolean> {
  const client = new SQL(options)
  try {
    const busy = await client.unsafe(
      'select 1 from pg_stat_activity where application_name = $1 and state = $2 and pid <> pg_backend_pid() limit 1',
      [applicationName, 'active'],
    )
    return busy.length > 0
  } catch (error) {
    return sqlState(error) !== ''
  } finally {
    void client.close({ timeout: 0 }).catch(() => {})
  }
}

/** The driver's type names what it gives by object; as values, each row is a list. */
function rowsOf(found: unknown): Rows {
  const rows = found as (Value | Date)[][]
  for (const row of rows) {
    for (const [at, value] of row.entries()) if (value instanceof Date) row[at] = timestampText(value)
  }
  return rows as Value[][]
}

/** The row of a migration is its lock: who inserts it second waits for the first, and then has nothing to do. */
async function migratePool(pool: SQL, { number, name, script }: Migration): Promise<boolean> {
  await makeMigrationTable(pool)
  return pool.begin(async (client) => {
    await client.unsafe('set local statement_timeout = 0')
    const taken = await client.unsafe(
      'insert into migration (number, name) values ($1, $2) on conflict do nothing returning number',
      [number, name],
    )
    if (taken.length === 0) return false
    await client.unsafe(script)
    return true
  })
}

async function makeMigrationTable(pool: SQL): Promise<void> {
  try {
    await pool.unsafe('create table if not exists migration (number integer primary key, name text not null)')
  } catch (error) {
    // Instances that make it at once can all find it missing; then all but one meet the other's entry in the catalogue.
    if (!['23505', '42P07', '42710'].includes(sqlState(error))) throw error
  }
}

export function explainPostgres(error: unknown): Problem | null {
  if (error instanceof NoAnswer) return 'interrupted'
  return error instanceof SQL.PostgresError ? problemOf(sqlState(error) || error.code) : null
}

/** Bun gives SQLSTATE as `errno`. */
const sqlState = (error: unknown): string => (error instanceof SQL.PostgresError ? String(error.errno ?? '') : '')

export function withoutPassword(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url)
  return `${protocol}//${hostname}${port && `:${port}`}${pathname}`
}
