import { SQL } from 'bun'
import type { Problem } from '../database.ts'

/** By SQLSTATE or else its class, or by the driver's own code. */
const problems: Readonly<Record<string, Problem>> = {
  '23503': 'foreign key',
  '23505': 'duplicate',
  '55P03': 'locked',
  '57014': 'slow',
  '40P01': 'collision',
  '40001': 'collision',
  // A division by zero stands where an answer has become too large: SQL has no other way to fail on purpose.
  '22012': 'too large',
  '2201B': 'too complex',
  '54': 'too complex',
  ERR_POSTGRES_TOO_MANY_PARAMETERS: 'too complex',
  '25006': 'read-only',
  '53100': 'full',
  // A transaction that waited too long for its next statement.
  '25P03': 'away',
  // Too many connections, no memory; a server that starts; one that cannot read its files.
  '53': 'away',
  '57P03': 'away',
  '57P04': 'away',
  '58': 'away',
  // Another server than before: it does not know us, or our tables, or what was prepared on the one before it.
  '28': 'away',
  '3D': 'away',
  '42P01': 'away',
  '26': 'away',
  '0A000': 'away',
  XX001: 'damaged',
  XX002: 'damaged',
  // One that is told to stop at once may have committed just before.
  '57P01': 'interrupted',
  '57P02': 'interrupted',
  '57P05': 'interrupted',
  '08': 'interrupted',
  ERR_POSTGRES_CONNECTION_CLOSED: 'interrupted',
  // All else that the driver says of connections is about making one.
  ERR_POSTGRES_CONNECTION_FAILED: 'away',
  ERR_POSTGRES_CONNECTION_REFUSED: 'away',
  ERR_POSTGRES_CONNECTION_TIMEOUT: 'away',
  ERR_POSTGRES_IDLE_TIMEOUT: 'away',
  ERR_POSTGRES_LIFETIME_TIMEOUT: 'away',
  ERR_POSTGRES_TLS_NOT_AVAILABLE: 'away',
  ERR_POSTGRES_TLS_UPGRADE_FAILED: 'away',
}

/** `23505` or `ERR_POSTGRES_CONNECTION_CLOSED` → what went wrong, in words that the engines share. */
export const problemOf = (code: string): Problem | null => problems[code] ?? problems[code.slice(0, 2)] ?? null

/** Bun gives SQLSTATE as `errno`. */
export const sqlState = (error: unknown): string =>
  error instanceof SQL.PostgresError ? String(error.errno ?? '') : ''
