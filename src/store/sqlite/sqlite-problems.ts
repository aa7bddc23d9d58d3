import { SQLiteError } from 'bun:sqlite'
import type { Problem } from '../database.ts'
import { TooSlow } from './sqlite-functions.ts'

/** By the code, or else by its first two words. */
const problems: Readonly<Record<string, Problem>> = {
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_BUSY: 'away',
  SQLITE_LOCKED: 'away',
  SQLITE_PROTOCOL: 'away',
  SQLITE_CANTOPEN: 'away',
  SQLITE_IOERR: 'away',
  SQLITE_NOMEM: 'away',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'read-only',
  SQLITE_FULL: 'full',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
}

export function explainSqlite(error: unknown): Problem | null {
  if (error instanceof TooSlow) return 'slow'
  if (!(error instanceof SQLiteError)) return null
  // The parser's limits have no code of their own.
  if (/too (?:many|large|complex|big)/i.test(error.message)) return 'too complex'
  const code = error.code ?? ''
  return problems[code] ?? problems[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''] ?? null
}
