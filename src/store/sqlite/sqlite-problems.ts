import { SQLiteError } from 'bun:sqlite'
import { CastError } from '../../types/cast-error.ts'
import type { Problem } from '../database.ts'
import { Refused, TooLarge } from './sqlite-functions.ts'

/** A statement exceeded its time limit, and its process was killed. */
export class TooSlow extends Error {}

/** An error in an engine process. */
export class EngineProblem extends Error {
  constructor(
    readonly problem: Problem | null,
    message: string,
  ) {
    super(message)
  }
}

/** By the code, or by its first two words. */
const problems: Readonly<Record<string, Problem>> = {
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_BUSY: 'away',
  SQLITE_LOCKED: 'away',
  SQLITE_PROTOCOL: 'away',
  SQLITE_CANTOPEN: 'away',
  SQLITE_IOERR: 'away',
  SQLITE_NOMEM: 'too complex',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'read-only',
  SQLITE_FULL: 'full',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
}

/** A commit that failed, or was not answered in time, may still be found in the log by the next start. */
export function explainCommit(error: unknown): unknown {
  const problem = explainSqlite(error)
  return problem === 'away' || problem === 'slow'
    ? new EngineProblem('interrupted', `A commit failed: ${error}`)
    : error
}

export function explainSqlite(error: unknown): Problem | null {
  if (error instanceof EngineProblem) return error.problem
  if (error instanceof TooSlow) return 'slow'
  if (error instanceof CastError) return error.problem
  if (error instanceof TooLarge) return 'too large'
  if (error instanceof Refused) return 'refused'
  if (!(error instanceof SQLiteError)) return null
  // Errors about the parser's limits have no code of their own.
  if (/too (?:many|large|complex|big)/i.test(error.message)) return 'too complex'
  const code = error.code ?? ''
  return problems[code] ?? problems[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''] ?? null
}
