import type { Problem } from '../database.ts'
import { explainPostgres } from './postgres.ts'

/** What to do about an error when the database is opened. */
export function remedyForPostgres(error: unknown): string {
  const problem = explainPostgres(error)
  return (problem && remedies[problem]) ?? hintFor(error instanceof Error ? error.message : String(error))
}

const remedies: Readonly<Partial<Record<Problem, string>>> = {
  'read-only': 'It is read-only. Set DATABASE_URL to the primary, or end its read-only mode',
  full: 'Free space on its disk',
  damaged: 'Restore its latest backup',
}

/** What the words of an error tell. */
const hintFor = (reason: string): string =>
  hints.find(([words]) => words.test(reason))?.[1] ??
  'Check that it runs, and that DATABASE_URL has the right host, user, password and database'

/** The first one that matches counts. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter: (options|search_path)/,
    'This seems to be PgBouncer, which does not pass search_path on: set it for the role with alter role … set search_path',
  ],
  [/unsupported startup parameter/, 'This seems to be PgBouncer: add ?pgbouncer=true to the address'],
  [
    /does not support SSL/i,
    'It does not offer TLS, which sslmode or sslrootcert requires. Turn TLS on there, or use sslmode=prefer',
  ],
  [/no encryption/, 'It may accept TLS only: add sslmode=verify-full to DATABASE_URL'],
  [
    /altnames/,
    'Its certificate is for another host name. Use that name in DATABASE_URL, or sslmode=verify-ca, which does not compare names',
  ],
  [
    /client certificate|certificate authentication/,
    'Name a certificate and its key for the service by sslcert=FILE and sslkey=FILE in DATABASE_URL',
  ],
  [
    /certificate/i,
    'Its certificate is not trusted. Name the certificate of its authority by sslrootcert=FILE in DATABASE_URL',
  ],
  [/(ca|cert|key)File/, 'A file that sslrootcert, sslcert or sslkey names in DATABASE_URL cannot be read'],
  [
    /no schema has been selected/,
    'No schema of its search_path exists, or the role may not use it. Run as an administrator: create schema NAME authorization ROLE',
  ],
  [
    /permission denied for schema/,
    'The role may not create tables there. Run as an administrator: create schema NAME authorization ROLE; and add ?schema=NAME to DATABASE_URL',
  ],
  [/permission denied for|must be owner of/, 'Use the role that owns the tables'],
]
