import type { Database as SqliteEngine, Statement } from 'bun:sqlite'
import type { Rows } from '../database.ts'
import type { Sql } from '../sql.ts'
import type { LogIndex } from './log-index.ts'

/**
 * Reads in one turn of the event loop share one snapshot, because to begin and end one takes longer than most reads.
 * The next turn sees what others have written meanwhile, and so does a request that comes later in the same turn.
 */
export interface SharedReads {
  read(statement: Sql): Rows
  /** For each request that comes: it sees what was written before it was sent. */
  freshen(): void
  /** Before anything is written by the same connection. */
  end(): void
}

export function createSharedReads(
  engine: SqliteEngine,
  prepare: (text: string) => Statement,
  run: (statement: Sql) => Rows,
  { countCommits }: Pick<LogIndex, 'countCommits'>,
): SharedReads {
  let reads = 0
  let commits = Number.NaN

  function end(): void {
    if (reads > 1 && engine.inTransaction) prepare('rollback').run()
    reads = 0
  }

  function read(statement: Sql): Rows {
    reads += 1
    if (reads === 1) setImmediate(end)
    // A read that stays alone needs no transaction. One that could not be rolled back may still be open.
    else if (reads === 2 && !engine.inTransaction) prepare('begin').run()
    return run(statement)
  }

  /** An open snapshot began after the last count. If the count is the same now, nothing was committed since. */
  function freshen(): void {
    const counted = countCommits()
    if (counted === commits) return
    end()
    commits = counted
  }

  return { read, freshen, end }
}
