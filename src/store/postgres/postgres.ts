import { SQL } from 'bun'
import { timestampText } from '../../types/timestamp-text.ts'
import type { Engine, Problem, Right, Rows, Statements, Steps } from '../database.ts'
import { render, type Sql, type Value } from '../sql.ts'
import { citusDialect } from './citus-dialect.ts'
import { answerMarginMs, isDistributed, type PostgresSettings, postgresConnection } from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { createLiveness, NoAnswer } from './postgres-liveness.ts'
import { migratePool } from './postgres-migration.ts'
import { openPools, type PoolName } from './postgres-pools.ts'
import { problemOf, sqlState } from './postgres-problems.ts'
import { createPreparedTexts } from './prepared-texts.ts'

/** A server, by three ways: `shared` has most of the connections, and can be full when the others are not. */
export interface Postgres extends Engine {
  readonly shared: Statements
  /** For statements that connections do not keep prepared. */
  readonly rare: Statements
  isRare(statement: Sql): boolean
}

export function openPostgres({ url, connectionsMax, statementTimeoutMs }: PostgresSettings): Postgres {
  const options = postgresConnection({ url, statementTimeoutMs })
  const dialect = isDistributed(url) ? citusDialect : postgresDialect
  const pools = openPools(options, connectionsMax)
  const prepared = createPreparedTexts()
  const replace = (timeoutS: number): void => {
    pools.replace(timeoutS)
    prepared.startOver()
  }
  const liveness = createLiveness({ pools, options, statementTimeoutMs, replace })
  const isRare = (statement: Sql): boolean =>
    options.prepare && !prepared.admits(render(statement, dialect.placeholder))

  const ask = (client: Pick<SQL, 'unsafe'>, statement: Sql): Promise<unknown> =>
    client.unsafe(render(statement, dialect.placeholder), [...statement.values]).values()

  const runAll = async (client: Pick<SQL, 'unsafe'>, statements: readonly Sql[]): Promise<Rows[]> => {
    const results: Rows[] = []
    for (const statement of statements) results.push(rowsOf(await liveness.watched(ask(client, statement))))
    return results
  }

  const statementsOf = (usual: PoolName): Statements => {
    // Whoever shares the connections has asked already; the service itself has not.
    const poolFor = (statements: readonly Sql[]) => (usual === 'kept' && statements.some(isRare) ? 'rare' : usual)
    const runOne = (statement: Sql): Promise<Rows> => {
      if (prepared.isFull()) replace((statementTimeoutMs + answerMarginMs) / 1000)
      const name = poolFor([statement])
      return liveness.inTime(name, ask(pools.of(name), statement), rowsOf)
    }
    const runSteps = (work: Steps, right?: Right, name = usual): Promise<void> => {
      const steps = pools.of(name).begin(async (own) => {
        for (let step = work.next(); !step.done; step = work.next(await runAll(own, step.value)));
        // The statements may have taken seconds, or waited for locks.
        await right?.()
      })
      return liveness.inTime(name, steps, () => {})
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
        await runSteps(oneStep(statements, look), undefined, poolFor(statements))
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
    migrate: (step) => migratePool(pools.of('kept'), step),
    explain: explainPostgres,
    close: () => {
      liveness.stop()
      return pools.close()
    },
  }
}

/** Some statements and a look at their results → work of one step. */
function* oneStep(statements: readonly Sql[], look: (results: readonly Rows[]) => void): Steps {
  look(yield statements)
}

/** The driver's type names what it gives by object; as values, each row is a list. */
function rowsOf(found: unknown): Rows {
  const rows = found as (Value | Date)[][]
  for (const row of rows) {
    for (const [at, value] of row.entries()) if (value instanceof Date) row[at] = timestampText(value)
  }
  return rows as Value[][]
}

export function explainPostgres(error: unknown): Problem | null {
  if (error instanceof NoAnswer) return 'interrupted'
  return error instanceof SQL.PostgresError ? problemOf(sqlState(error) || error.code) : null
}

export function withoutPassword(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url)
  return `${protocol}//${hostname}${port && `:${port}`}${pathname}`
}
