import { SQL } from 'bun'
import { timestampText } from '../../types/timestamp-text.ts'
import type { Engine, Problem, Right, Rows, Statements, Steps } from '../database.ts'
import { render, type Sql, type Value } from '../sql.ts'
import { citusDialect, citusNodeDialect } from './citus-dialect.ts'
import {
  answerMarginMs,
  applicationName,
  isDistributed,
  type PostgresSettings,
  postgresConnection,
  schemaOf,
} from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { createHints } from './postgres-hints.ts'
import { createLiveness, NoAnswer } from './postgres-liveness.ts'
import { migratePool } from './postgres-migration.ts'
import { openPools, type PoolName } from './postgres-pools.ts'
import { isRefusedCertificate, problemIn, sqlState } from './postgres-problems.ts'
import { createPreparedTexts } from './prepared-texts.ts'
import { createRightWatch } from './right-watch.ts'

/** A server with four connection pools. The members of `Engine` use the reserved one, and for what may take long the background. */
export interface Postgres extends Engine {
  readonly shared: Statements
  readonly unprepared: Statements
  /** Whether a statement has to use the unprepared pool. */
  isUnprepared(statement: Sql): boolean
}

/** Steps end after the time of one statement, and the last one of them may take as long again. */
const stepsTimes = 2

/** Where each company has statements of its own, only those that are used so often are worth their memory. */
const oftenUsed = 5

/** Those of one text, of which the server shows the beginning. */
const cancelWaiting = `select pg_cancel_backend(pid) from pg_stat_activity
  where application_name = $1 and wait_event_type = 'Lock' and starts_with($2, query)`

export function openPostgres(settings: PostgresSettings): Postgres {
  const { url, connectionsMax, statementTimeoutMs, isNode = false, keepsPlans = false } = settings
  const options = postgresConnection(settings)
  const dialect = isNode ? citusNodeDialect : isDistributed(url) ? citusDialect : postgresDialect
  const pools = openPools(options, connectionsMax)
  const prepared = createPreparedTexts(keepsPlans ? oftenUsed : 1)
  const replace = (timeoutS: number): void => {
    pools.replace(timeoutS)
    prepared.startOver()
  }
  const liveness = createLiveness({ pools, options, statementTimeoutMs, replace })
  const rights = createRightWatch((statement) =>
    pools.of('background').unsafe(cancelWaiting, [applicationName, render(statement, dialect.placeholder)]),
  )
  const isUnprepared = (statement: Sql): boolean =>
    options.prepare && !prepared.admits(render(statement, dialect.placeholder))

  const ask = (client: SQL, statement: Sql): Promise<unknown> => {
    const text = render(statement, dialect.placeholder)
    const { values } = statement
    const isConstant = keepsPlans && values.length === 0
    return (isConstant ? client(templateOf(text)) : client.unsafe(text, [...values])).values()
  }

  /** All of them are sent at once. After one that fails, the server runs no other one of the transaction. */
  const runAll = (client: SQL, statements: readonly Sql[]): Promise<Rows[]> =>
    Promise.all(statements.map(async (statement) => rowsOf(await liveness.watched(ask(client, statement)))))

  const statementsOf = (usual: PoolName): Statements => {
    // Statements of companies have been routed by `shareServer` already; those of the service itself have not.
    const isRouted = usual === 'shared' || usual === 'unprepared'
    const poolFor = (statements: readonly Sql[]) => (!isRouted && statements.some(isUnprepared) ? 'unprepared' : usual)
    const runOne = (statement: Sql): Promise<Rows> => {
      if (prepared.isFull()) replace((statementTimeoutMs + answerMarginMs) / 1000)
      const name = poolFor([statement])
      return liveness.inTime(name, ask(pools.of(name), statement), rowsOf)
    }
    const runSteps = (work: Steps, right?: Right, name = usual): Promise<void> => {
      const steps = (requireRight: () => void) =>
        pools.of(name).begin(async (own) => {
          const endsAt = performance.now() + statementTimeoutMs
          for (let step = work.next(); !step.done; step = work.next(await runAll(own, step.value)))
            if (performance.now() > endsAt) throw new TooLong()
          requireRight()
        })
      return rights.during(right, null, (requireRight) =>
        liveness.inTime(name, steps(requireRight), () => {}, stepsTimes),
      )
    }
    return {
      read: runOne,
      transact: async (statements, check, right) => {
        const [only, ...others] = statements
        if (!only) {
          check?.([])
          return []
        }
        // One statement is a transaction by itself, at a third of the round trips.
        if (others.length === 0 && !check) return [await rights.during(right, only, () => runOne(only))]
        let found: readonly Rows[] = []
        const look = (results: readonly Rows[]) => {
          found = results
          check?.(results)
        }
        await runSteps(oneStep(statements, look), right, poolFor(statements))
        return found
      },
      transactInSteps: (work, right) => runSteps(work, right),
    }
  }

  const background = statementsOf('background')
  return {
    ...statementsOf('reserved'),
    background,
    // They need no other process here, because the server runs each statement in a process of its own.
    readLong: background.read,
    readWithin: (statement) => background.read(statement),
    transactLong: (work, _, right) => background.transactInSteps(work, right),
    shared: statementsOf('shared'),
    unprepared: statementsOf('unprepared'),
    isUnprepared,
    dialect,
    location: locationOf(url),
    migrate: (step) => migratePool(pools.of('reserved'), step),
    explain: explainPostgres,
    hints: createHints(options, pools),
    close: () => {
      liveness.stop()
      rights.stop()
      return pools.close()
    },
  }
}

/** What a template literal without holes passes on: sent as plain text, a statement without values would not be prepared. */
const templateOf = (text: string): TemplateStringsArray =>
  Object.defineProperty([text], 'raw', { value: [text] }) as string[] & TemplateStringsArray

/** Statements and a callback for their results → work of one step. */
function* oneStep(statements: readonly Sql[], look: (results: readonly Rows[]) => void): Steps {
  look(yield statements)
}

/** The driver's type describes rows as objects, but `.values()` returns arrays. A write without `returning` tells how many rows it wrote. */
function rowsOf(found: unknown): Rows {
  const rows = found as (Value | Date)[][] & { readonly count: number | null }
  if (rows.length === 0) return rows.count ? [[rows.count]] : []
  for (const row of rows) {
    for (const [at, value] of row.entries()) if (value instanceof Date) row[at] = timestampText(value)
  }
  return rows as Value[][]
}

/** A transaction of many statements, none of which took long, took as long as one statement may. */
class TooLong extends Error {}

export function explainPostgres(error: unknown): Problem | null {
  if (error instanceof TooLong) return 'slow'
  if (error instanceof NoAnswer) return 'silent'
  if (isRefusedCertificate(error)) return 'away'
  return error instanceof SQL.PostgresError ? problemIn(sqlState(error) || error.code, error.message) : null
}

/** Where a database is, for people to read: never with a password. */
export function locationOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url)
  const schema = schemaOf(url)
  return `${protocol}//${hostname}${port && `:${port}`}${pathname}${schema === null ? '' : `?schema=${schema}`}`
}
