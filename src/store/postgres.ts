import { SQL } from 'bun'
import { timestampText } from '../resources/timestamp.ts'
import {
  type Engine,
  type Migration,
  oneStep,
  type Problem,
  type Rows,
  type Statements,
  type Steps,
} from './database.ts'
import { createDeadline } from './deadline.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { render, type Sql, type Value } from './sql.ts'

export interface PostgresSettings {
  readonly url: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
}

const preparedLengthMax = 3000
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

class NoAnswer extends Error {}
const answerMarginMs = 2000

/** A server, by two ways: `shared` has most of the connections, and can be full when the others are not. */
export interface Postgres extends Engine {
  readonly shared: Statements
}

/** How many of the connections are not for everyone. */
export const keptOf = (connectionsMax: number): number => Math.min(2, Math.floor(connectionsMax / 2))

export function openPostgres({ url, connectionsMax, statementTimeoutMs }: PostgresSettings): Postgres {
  const options = {
    url,
    connectionTimeout: 5,
    connection: {
      statement_timeout: String(statementTimeoutMs),
      TimeZone: 'UTC',
      application_name: 'project-api',
      // Every statement begins at a company's part of an index, whatever the values: to plan it once is enough.
      plan_cache_mode: 'force_generic_plan',
    },
  }
  const kept = keptOf(connectionsMax)
  const pool = new SQL({ ...options, max: connectionsMax - kept })
  // Its own pool, because the driver lines statements up on a connection behind whatever runs there.
  const keptPool = kept === 0 ? pool : new SQL({ ...options, max: kept })
  // A statement stays prepared on the server, where long ones of ever new shapes would fill the memory.
  const rare = new SQL({ ...options, max: Math.min(2, connectionsMax), prepare: false })

  const run = async (client: Pick<SQL, 'unsafe'>, statement: Sql): Promise<Rows> => {
    // The driver's type names what it gives by object; as values, each row is a list.
    const rows: unknown = await client
      .unsafe(render(statement, postgresDialect.placeholder), [...statement.values])
      .values()
    return (rows as (Value | Date)[][]).map((row) => row.map(textOfMoment))
  }

  const runAll = async (client: Pick<SQL, 'unsafe'>, statements: readonly Sql[]): Promise<Rows[]> => {
    const results: Rows[] = []
    for (const statement of statements) results.push(await run(client, statement))
    return results
  }

  // The server's own limit does not help where the server has stopped answering.
  const inTime = createDeadline(statementTimeoutMs + answerMarginMs, () => new NoAnswer())

  const statementsOf = (client: SQL): Statements => {
    const clientFor = ({ texts }: Sql): SQL => (lengthOf(texts) > preparedLengthMax ? rare : client)
    const runSteps = (work: Steps): Promise<void> =>
      inTime(
        client.begin(async (own) => {
          for (let step = work.next(); !step.done; step = work.next(await runAll(own, step.value)));
        }),
      )
    return {
      read: (statement) => inTime(run(clientFor(statement), statement)),
      transact: async (statements, check) => {
        const [only, ...others] = statements
        // One statement is a transaction by itself, at a third of the round trips.
        if (only && others.length === 0 && !check) return [await inTime(run(clientFor(only), only))]
        let found: readonly Rows[] = []
        const look = (results: readonly Rows[]) => {
          found = results
          check?.(results)
        }
        await runSteps(oneStep(statements, look))
        return found
      },
      transactInSteps: runSteps,
    }
  }

  return {
    ...statementsOf(keptPool),
    shared: statementsOf(pool),
    dialect: postgresDialect,
    location: withoutPassword(url),
    migrate: (step) => migratePool(pool, step),
    explain,
    close: async () => {
      await Promise.all([...new Set([pool, keptPool, rare])].map((one) => one.close()))
    },
  }
}

const textOfMoment = (value: Value | Date): Value => (value instanceof Date ? timestampText(value) : value)

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

function explain(error: unknown): Problem | null {
  const state = sqlState(error)
  if (state === '23503') return 'foreign key'
  if (state === '23505') return 'duplicate'
  if (state === '55P03') return 'locked'
  if (state === '57014') return 'slow'
  if (state === '40P01' || state === '40001') return 'collision'
  if (state === '2201B' || state.startsWith('54')) return 'too complex'
  // Connection failures, too many of them, a server that starts, stops or only reads.
  if (/^(08|53|57P0|25006)/.test(state)) return 'away'
  return error instanceof NoAnswer || isConnectionFailure(error) ? 'away' : null
}

/** Bun gives SQLSTATE as `errno`. */
const sqlState = (error: unknown): string => (error instanceof SQL.PostgresError ? String(error.errno ?? '') : '')

function isConnectionFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|TLS)|^ECONN|^ETIMEDOUT|^ENOTFOUND/.test(code)
}

function withoutPassword(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url)
  return `${protocol}//${hostname}${port && `:${port}`}${pathname}`
}
