export interface PostgresSettings {
  readonly url: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
}

/** Unique for this process, so that the liveness probe finds our own connections only. */
export const applicationName = `project-api ${Bun.randomUUIDv7().slice(-12)}`
/** Time for a result to arrive, in addition to the server's statement timeout. */
export const answerMarginMs = 2000
const connectTimeoutS = 5

/** Whether the URL has `?citus=true`: the tables are distributed. */
export const isDistributed = (url: string): boolean => new URL(url).searchParams.get('citus') === 'true'

/**
 * The options of a connection. `?pgbouncer=true` means PgBouncer in transaction mode: it keeps no prepared statements
 * and refuses PostgreSQL's own settings, which then have to be set for the role.
 */
export function postgresConnection({ url, statementTimeoutMs }: Pick<PostgresSettings, 'url' | 'statementTimeoutMs'>) {
  const address = new URL(url)
  const hasPgBouncer = address.searchParams.get('pgbouncer') === 'true'
  // The driver would send them to the server as settings.
  address.searchParams.delete('pgbouncer')
  address.searchParams.delete('citus')
  const own = {
    statement_timeout: String(statementTimeoutMs),
    // Otherwise the server keeps the locks of an unreachable client for hours.
    idle_in_transaction_session_timeout: String(statementTimeoutMs + answerMarginMs),
    // Every statement starts with a company's range of an index, whatever the values, so one plan is enough. Citus needs
    // the values, because they decide on which node a statement runs.
    plan_cache_mode: isDistributed(url) ? 'auto' : 'force_generic_plan',
    // Frequently used pages are in memory, where random access costs no more than sequential access.
    random_page_cost: '1',
    // A plan is cached for about a minute while the table grows, so it must not scan a table because it is small now.
    enable_seqscan: 'off',
    // Small companies use the same plan as large ones: they must not wait for parallel workers or the JIT to read a few rows.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
  }
  return {
    url: address.href,
    connectionTimeout: connectTimeoutS,
    prepare: !hasPgBouncer,
    connection: { TimeZone: 'UTC', application_name: applicationName, ...(hasPgBouncer ? {} : own) },
  }
}
