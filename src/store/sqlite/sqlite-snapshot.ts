import { Database as Engine } from 'bun:sqlite'
import { inParts } from '../copy/parts.ts'
import type { Snapshot } from '../copy/snapshot.ts'
import type { Row, Rows } from '../database.ts'
import { render, type Sql, type Value } from '../sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { defineFunctions } from './sqlite-functions.ts'

const portionRows = 100

export function openSqliteSnapshot(path: string): Snapshot {
  const engine = new Engine(path, { readonly: true, strict: true })
  defineFunctions(engine)
  engine.run('pragma busy_timeout = 5000')
  engine.run('begin')
  // The snapshot is taken by the first read, not by "begin".
  engine.query('select count(*) from sqlite_schema').get()
  const prepare = (statement: Sql) => engine.prepare(render(statement, sqliteDialect.placeholder))

  /** Several rows at a time, because one asynchronous step per row would cost more than reading the row. */
  function* portions(statement: Sql): Generator<Rows> {
    let portion: Row[] = []
    // Values are bound by position; the driver's type wants a tuple.
    for (const row of prepare(statement).iterate(...(statement.values as string[]))) {
      portion.push(Object.values(row as Record<string, Value>))
      if (portion.length < portionRows) continue
      yield portion
      portion = []
    }
    yield portion
  }

  return {
    engine: 'sqlite',
    location: path,
    read: async (statement) => prepare(statement).values(...(statement.values as string[])) as Row[],
    parts: (select) => inParts(portions(select)),
    close: async () => engine.close(),
  }
}
