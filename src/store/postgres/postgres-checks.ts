import { type Check, type Finding, judgeSchema, ok, problem, warning } from '../check.ts'
import type { NodeFacts } from '../cluster/node-checks.ts'
import { instanceConnections } from '../connections.ts'
import type { ExaminedSettings } from '../engine-kind.ts'
import type { PostgresFacts } from './inspect-postgres.ts'
import { isOnThisMachine, isServerVerified } from './postgres-connection.ts'

type Facts = PostgresFacts & { readonly config: ExaminedSettings }

const clockMsMax = 5000

/** A server setting that has to be on, and the consequence if it is off. */
const mustBeOn = (setting: string, loss: string): Check<NodeFacts> => ({
  name: setting,
  judge: ({ settings }) =>
    settings.get(setting) === 'off' ? problem(`off: ${loss}`, turnOn(setting)) : ok(settings.get(setting) ?? ''),
})

const shouldBeOn = (setting: string, loss: string, remedy: string): Check<NodeFacts> => ({
  name: setting,
  judge: ({ settings }) => (settings.get(setting) === 'on' ? ok('on') : warning(`off: ${loss}`, remedy)),
})

const turnOn = (setting: string): string => `Run: alter system set ${setting} = on; select pg_reload_conf();`

/** Settings that every server needs, a node of a cluster as well. */
export const serverChecks: readonly Check<NodeFacts>[] = [
  {
    name: 'version',
    judge: ({ settings }) => {
      const version = settings.get('server_version') ?? ''
      const isOld = Number(settings.get('server_version_num')) < 150_000
      return isOld ? problem(version, 'Use PostgreSQL 15 or later') : ok(version)
    },
  },
  mustBeOn('fsync', 'a power failure can destroy the whole database'),
  mustBeOn('full_page_writes', 'a power failure can leave half-written pages'),
  mustBeOn('synchronous_commit', 'a power failure loses acknowledged writes'),
  shouldBeOn('data_checksums', 'disk errors are not detected', 'Stop PostgreSQL, and run pg_checksums --enable'),
  shouldBeOn('autovacuum', 'tables grow and slow down', turnOn('autovacuum')),
]

/** What this service needs of a PostgreSQL server to be safe and fast. */
export const postgresChecks: readonly Check<Facts>[] = [
  ...serverChecks,
  { name: 'writable', judge: judgeWritable },
  {
    name: 'role',
    judge: ({ isSuperuser }) =>
      isSuperuser
        ? warning('a superuser, with all rights on all databases', 'Use a role that only owns this database')
        : ok('not a superuser'),
  },
  { name: 'TLS to PostgreSQL', judge: judgeEncryption },
  { name: 'connections', judge: judgeConnections },
  {
    name: 'statement_timeout',
    judge: ({ settings, config }) =>
      Number(settings.get('statement_timeout')) === config.statementTimeoutMs
        ? ok(`${config.statementTimeoutMs} ms, as set`)
        : warning(
            `${settings.get('statement_timeout')} ms instead of ${config.statementTimeoutMs}`,
            'A pooler such as PgBouncer drops it: set it for the role with alter role … set statement_timeout',
          ),
  },
  {
    name: 'clock of PostgreSQL',
    judge: ({ aheadMs }) => {
      const found = `${Math.abs(Math.round(aheadMs))} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
      return Math.abs(aheadMs) > clockMsMax ? warning(found, 'Set both clocks by NTP') : ok(found)
    },
  },
  {
    name: 'constraints',
    judge: ({ uncheckedConstraints }) =>
      uncheckedConstraints > 0
        ? problem(
            `${uncheckedConstraints} were never checked against the rows`,
            'Run alter table … validate constraint for each that pg_constraint shows with convalidated = false',
          )
        : ok('all checked'),
  },
  { name: 'search_path', judge: judgeSearchPath },
  { name: 'schema', judge: judgeSchema },
]

function judgeWritable({ isStandby, settings }: Facts): Finding {
  if (isStandby) return problem('a standby, which is read-only', 'Set DATABASE_URL to the primary')
  return settings.get('default_transaction_read_only') === 'on'
    ? problem('read-only by default_transaction_read_only', 'Turn it off for the role or the database')
    : ok('yes')
}

function judgeEncryption({ isEncrypted, config: { databaseUrl } }: Facts): Finding {
  if (isOnThisMachine(new URL(databaseUrl))) return ok(`${isEncrypted ? 'on' : 'off'}, on this machine`)
  if (!isEncrypted) return warning('off: rows and the password can be read in transit', verifyRemedy)
  return isServerVerified(databaseUrl)
    ? ok('on')
    : warning('on, but its certificate is not verified: another server could pretend to be this one', verifyRemedy)
}

const verifyRemedy =
  'Add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE unless its authority is a public one'

function judgeSearchPath({ schema, mayCreateTables }: Facts): Finding {
  if (schema === null)
    return problem('no schema that it names exists', 'Run as an administrator: create schema NAME authorization ROLE')
  return mayCreateTables
    ? ok(`tables are in the schema ${schema}`)
    : problem(
        `the role may not create tables in the schema ${schema}, so no new version can be started`,
        `Run as an administrator: grant create on schema ${schema} to ROLE`,
      )
}

function judgeConnections({ settings, connectionLimit, config }: Facts): Finding {
  const numberOf = (setting: string): number => Number(settings.get(setting) ?? 0)
  // PostgreSQL 16 and later reserve some for other roles, too.
  const reserved = numberOf('superuser_reserved_connections') + numberOf('reserved_connections')
  const free = Math.min(numberOf('max_connections') - reserved, connectionLimit ?? Number.POSITIVE_INFINITY)
  const needed = instanceConnections(config.connectionsMax, config.workers)
  const found = `${needed} per instance, of ${free}`
  return needed > free
    ? problem(
        found,
        'Lower DATABASE_CONNECTIONS or WORKERS, or raise the limit of the server, the database or the role',
      )
    : ok(found)
}
