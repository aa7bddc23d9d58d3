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
  // A division by zero: our statements use it to fail when a result is too large. SQL has no other way to fail on purpose.
  '22012': 'too large',
  '2201B': 'too complex',
  // Of casts: values that are sent were checked before.
  '22P02': 'unreadable',
  '22003': 'out of range',
  '22007': 'no time',
  '22008': 'no time',
  '54': 'too complex',
  ERR_POSTGRES_TOO_MANY_PARAMETERS: 'too complex',
  '25006': 'read-only',
  '53100': 'full',
  // A transaction that waited too long for its next statement.
  '25P03': 'away',
  // Too many connections, or no memory; the server is starting; it cannot read its files.
  '53': 'away',
  '57P03': 'away',
  '57P04': 'away',
  '58': 'away',
  // A different server than before: it does not know our role, our tables, or our prepared statements.
  '28': 'away',
  '3D': 'away',
  '42P01': 'away',
  '26': 'away',
  XX001: 'damaged',
  XX002: 'damaged',
  // The server was stopped; it may have committed just before.
  '57P01': 'interrupted',
  '57P02': 'interrupted',
  '57P05': 'interrupted',
  '08': 'interrupted',
  ERR_POSTGRES_CONNECTION_CLOSED: 'interrupted',
  // The driver's other codes are about opening a connection.
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

/** Where the code alone does not tell. */
const byMessage: Readonly<Record<string, readonly (readonly [RegExp, Problem])[]>> = {
  // `RightWatch` cancels what waits for a lock, which has done nothing yet.
  '57014': [[/user request/, 'collision']],
  '22P02': [[/refused (?:transition|version) /, 'refused']],
  // A prepared statement from before a migration. All else that is not supported is a mistake of ours.
  '0A000': [[/cached plan must not change/, 'away']],
  // A node that the coordinator could not connect to: nothing was sent there.
  '08006': [[/connection to server at .* failed/, 'away']],
  // Of rows that a node has passed on to another, as while a shard is moved.
  XX000: [
    [/violates foreign key constraint/, 'foreign key'],
    [/duplicate key value violates unique constraint/, 'duplicate'],
  ],
}

/** What went wrong, by the code of an error and its message. */
export function problemIn(code: string, message: string): Problem | null {
  const [, problem] = byMessage[code]?.find(([pattern]) => pattern.test(message)) ?? []
  return problem ?? problemOf(code)
}

/** Bun gives SQLSTATE as `errno`. */
export const sqlState = (error: unknown): string =>
  error instanceof SQL.PostgresError ? String(error.errno ?? '') : ''

/** Whether TLS has refused the server's certificate. Bun gives a plain error with a code such as `CERT_HAS_EXPIRED`, and 0 as `errno`. */
export const isRefusedCertificate = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && error.errno === 0
