import { isLoopback } from '../check.ts'
import type { Address } from '../cluster/node-map.ts'
import { quoteName } from '../sql.ts'

export interface PostgresSettings {
  readonly url: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
  /** Whether the URL leads to a node of a cluster, for companies whose rows are there. */
  readonly isNode?: boolean
  /** Only for reads on a node of a cluster that have their company as a constant. */
  readonly keepsPlans?: boolean
}

/** Unique for this process, so that the liveness probe finds our own connections only. */
export const applicationName = `project-api ${Bun.randomUUIDv7().slice(-12)}`
/** Time for a result to arrive, in addition to the server's statement timeout. */
export const answerMarginMs = 2000
const connectTimeoutS = 5

/** Whether the URL has `?citus=true`: the tables are distributed. */
export const isDistributed = (url: string): boolean => new URL(url).searchParams.get('citus') === 'true'

/** The schema that the URL names by `?schema=`; null: the first one of the role's search_path. */
export const schemaOf = (url: string): string | null => new URL(url).searchParams.get('schema')

/** Whether the server is reached by the loopback interface or a Unix socket. */
export function isOnThisMachine({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname
  return isLoopback(host) || host.startsWith('/')
}

/** Whether the server's certificate is verified. The driver does it for each `sslrootcert`, with the host name unless `verify-ca` is set. */
export function isServerVerified(url: string): boolean {
  const { searchParams } = new URL(url)
  return searchParams.has('sslrootcert') || /^verify/i.test(searchParams.get('sslmode') ?? Bun.env.PGSSLMODE ?? '')
}

/** The URL without our own parameters: the driver would send them to the server as settings, and PostgreSQL's tools refuse them. */
export function withoutOwnParameters(url: string): URL {
  const address = new URL(url)
  for (const name of ['pgbouncer', 'citus', 'schema']) address.searchParams.delete(name)
  return address
}

/** The address of a node with all else that leads to the coordinator. PgBouncer, where there is one, is before the coordinator only. */
export function urlOfNode(url: string, { host, port }: Address): string {
  const address = new URL(url)
  if (hasPgBouncer(address)) return url
  // They would count more than what follows.
  for (const name of ['host', 'port']) address.searchParams.delete(name)
  address.hostname = host.includes(':') ? `[${host}]` : host
  address.port = String(port)
  return address.href
}

/** It keeps no prepared statements, and so no plans. */
export const hasPgBouncer = ({ searchParams }: URL): boolean => searchParams.get('pgbouncer') === 'true'

/**
 * The options of a connection. `?pgbouncer=true` means PgBouncer in transaction mode: it keeps no prepared statements
 * and refuses PostgreSQL's own settings, which then have to be set for the role.
 */
export function postgresConnection({
  url,
  statementTimeoutMs,
  keepsPlans = false,
}: Omit<PostgresSettings, 'connectionsMax'>) {
  const isBounced = hasPgBouncer(new URL(url))
  const address = withoutOwnParameters(url)
  preferTls(address)
  const schema = schemaOf(url)
  const database = address.searchParams.get('dbname') ?? decodeURIComponent(address.pathname.slice(1))
  const own = {
    statement_timeout: String(statementTimeoutMs),
    // Otherwise the server keeps the locks of an unreachable client for hours.
    idle_in_transaction_session_timeout: String(statementTimeoutMs + answerMarginMs),
    plan_cache_mode: planCacheMode(isDistributed(url), keepsPlans),
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
    // Otherwise PGDATABASE in the environment would replace the name in the URL.
    ...(database && { database }),
    connectionTimeout: connectTimeoutS,
    prepare: !isBounced,
    connection: {
      TimeZone: 'UTC',
      application_name: applicationName,
      ...(schema !== null && { search_path: quoteName(schema) }),
      ...(isBounced ? {} : own),
    },
  }
}

/**
 * Every statement starts with a company's range of an index, whatever the values, so one plan is enough. Citus needs the
 * values, because they decide on which node a statement runs; and of a generic plan, it keeps one more copy for each
 * execution on the node itself (13.2), until the connection ends. Neither is true of a read whose company is a constant.
 */
function planCacheMode(isCluster: boolean, keepsPlans: boolean): string {
  if (!isCluster) return 'force_generic_plan'
  // Some reads cannot have a generic plan on Citus. It then chooses the other kind by itself.
  return keepsPlans ? 'auto' : 'force_custom_plan'
}

/** libpq's default: TLS if the server offers it. The driver's own default is none. On this machine, it would only cost time. */
function preferTls(address: URL): void {
  const names = [...address.searchParams.keys()]
  const isChosen = Bun.env.PGSSLMODE !== undefined || names.some((name) => /^(ssl|tls)/i.test(name))
  if (!isChosen && !isOnThisMachine(address)) address.searchParams.set('sslmode', 'prefer')
}
