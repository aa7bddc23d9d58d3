import type { Database as SqliteEngine, Statement } from 'bun:sqlite'
import type { Row, Rows } from '../database.ts'
import { render, type Sql } from '../sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { RowBudget } from './sqlite-functions.ts'

/** The number of prepared statements in the cache. A miss only costs a new parse. */
const preparedMax = 500
const preparedLengthMax = 4000

export interface StatementCache {
  run(statement: Sql): Rows
  prepare(text: string): Statement
  close(): void
}

export function createStatementCache(engine: SqliteEngine, budget: RowBudget): StatementCache {
  const prepared = new Map<string, Statement>()

  function run(statement: Sql): Rows {
    const text = render(statement, sqliteDialect.placeholder)
    budget.start()
    // Values are bound by position; the driver's type wants a tuple.
    const values = statement.values as string[]
    return (text.length > preparedLengthMax ? runOnce(text, values) : prepare(text).values(...values)) as Row[]
  }

  function runOnce(text: string, values: readonly string[]): unknown[][] {
    using statement = engine.prepare(text)
    return statement.values(...values)
  }

  function prepare(text: string): Statement {
    const known = prepared.get(text)
    if (known) return known
    const statement = engine.prepare(text)
    prepared.set(text, statement)
    if (prepared.size > preparedMax) {
      const [oldest, unused] = prepared.entries().next().value ?? []
      unused?.finalize()
      if (oldest !== undefined) prepared.delete(oldest)
    }
    return statement
  }

  const close = (): void => {
    for (const statement of prepared.values()) statement.finalize()
  }
  return { run, prepare, close }
}
