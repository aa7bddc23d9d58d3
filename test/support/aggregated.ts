import type { Database as SqliteEngine } from 'bun:sqlite'
import { definedSql, render, sql } from '../../src/store/sql.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { castTypes } from '../../src/types/cast-types.ts'

export type AggregateName = 'sum' | 'avg' | 'max' | 'min'

/** What SQLite makes of all numerics that some SQL tells. */
export function aggregated(engine: SqliteEngine, name: AggregateName, values: string): unknown {
  const all = sqliteDialect.aggregate(definedSql('value'), name, castTypes.numeric.aggregates[name])
  const statement = sql`select ${all} as found from (${definedSql(values)})`
  return (engine.query(render(statement, sqliteDialect.placeholder)).get() as { found: unknown }).found
}
