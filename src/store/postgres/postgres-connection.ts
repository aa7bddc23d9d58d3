export interface PostgresSettings {
  readonly url: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
}

/** Of this process: what others have asked of the server says nothing about our own connections. */
export const applicationName = `project-api ${Bun.randomUUIDv7().slice(-12)}`
/** How much longer than the server may work on a statement its answer may take. */
export const answerMarginMs = 2000
const connectTimeoutS = 5

/** Whether an address says `?citus=true`: the tables behind it are distributed. */
export const isDistributed = (url: string): boolean => new URL(url).searchParams.get('citus') === 'true'

/**
 * How a server is connected to. `?pgbouncer=true` says that PgBouncer stands before it in transaction mode, where a
 * connection keeps no prepared statements, and PgBouncer refuses settings of PostgreSQL's own: there, the role has to have them.
 */
export function postgresConnection({ url, statementTimeoutMs }: Pick<PostgresSettings, 'url' | 'statementTimeoutMs'>) {
  const address = new URL(url)
  const isBounced = address.searchParams.get('pgbouncer') === 'true'
  // The driver would hand them on to the server.
  address.searchParams.delete('pgbouncer')
  address.searchParams.delete('citus')
  const own = {
    statement_timeout: String(statementTimeoutMs),
    // Of a client that it cannot reach any more, the server would keep the locks for hours.
    idle_in_transaction_session_timeout: String(statementTimeoutMs + answerMarginMs),
    // Every statement begins at a company's part of an index, whatever the values: to plan it once is enough, and the schema
    // says for how large a company. Citus has to see the values of each, though, because they say on which node it runs.
    plan_cache_mode: isDistributed(url) ? 'auto' : 'force_generic_plan',
    // What is asked for often is in memory, where no page is farther than another.
    random_page_cost: '1',
    // A plan is kept for about a minute after the table has outgrown it, so it must not read the whole because that is small.
    enable_seqscan: 'off',
    // A plan for a large company serves small ones, too: they would wait for more processes, or a compiler, to read a few rows.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
  }
  return {
    url: address.href,
    connectionTimeout: connectTimeoutS,
    prepare: !isBounced,
    connection: { TimeZone: 'UTC', application_name: applicationName, ...(isBounced ? {} : own) },
  }
}
