import { addressProblem, workersProblem } from '../store/database-url.ts'
import { parsePolicy, type RatePolicy } from '../traffic/rate-policy.ts'
import { parseOtlpHeaders } from './otlp-headers.ts'

/** Everything that an operator can set, read once at the start. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  readonly connectionsMax: number
  /** Processes that serve on the one port. */
  readonly workers: number
  readonly statementTimeoutMs: number
  readonly queueMax: number
  readonly rowsMax: number | null
  /** That are not revoked, in one company. */
  readonly credentialsMax: number
  readonly bodyBytesMax: number
  /** Of bodies and answers that are on their way. */
  readonly bytesInFlightMax: number
  readonly rateLimit: RatePolicy | null
  readonly rateLimitTotal: RatePolicy | null
  readonly authFailureLimit: RatePolicy | null
  readonly idleTimeoutS: number
  readonly stopTimeoutS: number
  readonly adminHost: string
  /** Where metrics are; null: nowhere. */
  readonly adminPort: number | null
  /** Where traces go; null: nowhere. */
  readonly traces: TracesSettings | null
  readonly demo: boolean
  readonly log: 'json' | 'text' | 'off'
  /** Where people reach the service; null: where it listens. */
  readonly baseUrl: string | null
  readonly signup: 'invite' | 'open'
  /** How many proxies in front of us append to X-Forwarded-For; 0: none that is trusted. */
  readonly trustedProxies: number
  /** Paths of PEM files; null: unencrypted. */
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null
  readonly authSecret: string | null
  readonly smtpUrl: string | null
  readonly mailFrom: string
}

export interface TracesSettings {
  /** Of the collector, without `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
}

/** Whether people reach the service over an encrypted connection, ours or a proxy's. */
export const isHttps = ({ tls, baseUrl }: Config): boolean =>
  baseUrl === null ? tls !== null : baseUrl.startsWith('https:')

interface Setting {
  readonly fallback: string
  readonly meaning: string
}

/** The variables of the environment, each with its default. The README shows the same table; a test holds the two equal. */
export const settings = {
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on. `0.0.0.0` opens the service to the network.' },
  PORT: { fallback: '8080', meaning: 'Port to listen on.' },
  DATABASE_URL: {
    fallback: 'data/project-api.db',
    meaning:
      'A file for SQLite, or `postgres://user:password@host:5432/name`, with `?pgbouncer=true` behind PgBouncer in transaction mode, or `?citus=true` for a Citus cluster.',
  },
  DATABASE_CONNECTIONS: {
    fallback: '10',
    meaning: 'Connections to PostgreSQL, at most, and three more for statements of unusual length. Workers share them.',
  },
  WORKERS: {
    fallback: '1',
    meaning: 'Processes that serve on the one port, with PostgreSQL on Linux: as many as there are cores to spare.',
  },
  STATEMENT_TIMEOUT_MS: { fallback: '30000', meaning: 'How long the database may work on one statement.' },
  QUEUE_MAX: {
    fallback: '2000',
    meaning: 'Requests that may wait for the database, at most; half of it for one company. More are refused with 503.',
  },
  MAX_ROWS: { fallback: 'none', meaning: 'Rows in one answer, at most, or `none`.' },
  MAX_CREDENTIALS: {
    fallback: '500',
    meaning: 'Credentials of one company that are not revoked, at most.',
  },
  RATE_LIMIT: {
    fallback: 'none',
    meaning:
      'Requests that one credential may send: `100/s`, `6000/m`, or `none`. Its company can allow it less, not more. Each process counts for itself.',
  },
  RATE_LIMIT_TOTAL: {
    fallback: 'none',
    meaning: 'Requests that all of them together may send to one process; more are refused with 503.',
  },
  AUTH_FAILURE_LIMIT: {
    fallback: '600/m',
    meaning:
      'Requests without a valid key from one address, or one /64 of IPv6, that are told so; more get 429. A valid key is never refused for them. `none` for no limit.',
  },
  MAX_BODY_BYTES: { fallback: '10485760', meaning: 'Size of a request body, at most.' },
  MAX_BYTES_IN_FLIGHT: {
    fallback: '134217728',
    meaning:
      'Memory for bodies that are being received and answers that are not read yet, in one process; a quarter of it for one company. More are refused with 503.',
  },
  IDLE_TIMEOUT_S: {
    fallback: '60',
    meaning: 'Seconds without a byte after which a connection is closed, 255 at most.',
  },
  STOP_TIMEOUT_S: {
    fallback: '10',
    meaning: 'Seconds that requests under way have to end after a signal to stop; then their connections are cut.',
  },
  ADMIN_PORT: {
    fallback: 'none',
    meaning: 'Port for `/metrics` and health, beside the one for everybody, or `none`.',
  },
  ADMIN_HOST: {
    fallback: '127.0.0.1',
    meaning: 'Address of `ADMIN_PORT`. Whoever can reach it can read the metrics.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: 'none',
    meaning: 'An OpenTelemetry collector for traces, such as `http://127.0.0.1:4318`, or `none`.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    fallback: 'none',
    meaning: 'What the collector wants to be sent along: `name=value,name=value`, values as in a URL.',
  },
  OTEL_SERVICE_NAME: { fallback: 'project-api', meaning: 'What traces call this service.' },
  DEMO: { fallback: 'on', meaning: 'Whether a new embedded database gets demo data: `on` or `off`.' },
  LOG: { fallback: 'auto', meaning: '`json`, `text`, `off`, or `auto`: text on a terminal and JSON elsewhere.' },
  BASE_URL: {
    fallback: 'http://HOST:PORT',
    meaning:
      'Where people reach the settings page, such as `https://api.example.com`. Needed for every name but `localhost`. Under https, cookies are Secure.',
  },
  SIGNUP: { fallback: 'invite', meaning: 'Who may sign up after the first person: `invite` or `open`, everybody.' },
  TRUST_PROXY: {
    fallback: 'off',
    meaning:
      'Whether a proxy in front tells the client’s address in `X-Forwarded-For`: `on`, `off`, or how many proxies stand in a row.',
  },
  TLS_CERT: {
    fallback: 'none',
    meaning: 'A PEM file with the certificate and its chain, for https without a proxy, or `none`. Needs `TLS_KEY`.',
  },
  TLS_KEY: { fallback: 'none', meaning: 'A PEM file with the private key of `TLS_CERT`, or `none`.' },
  AUTH_SECRET: {
    fallback: 'auto',
    meaning:
      'What signs the cookies of signed-in people, 32 characters or more. `auto`: made once and kept in the database.',
  },
  SMTP_URL: { fallback: 'none', meaning: 'A server for mail, `smtp://user:password@host:587`, or `none`.' },
  MAIL_FROM: {
    fallback: 'project-api@localhost',
    meaning: 'The sender of invitations and of links to reset a password.',
  },
} as const satisfies Record<string, Setting>

type Name = keyof typeof settings

/** A setting that cannot be used. Its message names the variable and what it takes. */
export class ConfigError extends Error {}

export function readConfig(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Config {
  const text = (name: Name): string => env[name]?.trim() || settings[name].fallback
  const integer = (name: Name, min: number, max: number): number => {
    const value = Number(text(name))
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, but is "${text(name)}".`)
    }
    return value
  }
  const choice = <Choice extends string>(name: Name, choices: readonly Choice[]): Choice => {
    const found = choices.find((one) => one === text(name))
    if (found === undefined)
      throw new ConfigError(`${name} must be one of ${choices.join(', ')}, but is "${text(name)}".`)
    return found
  }
  const log = choice('LOG', ['auto', 'json', 'text', 'off'])
  return Object.freeze({
    host: text('HOST'),
    port: integer('PORT', 0, 65_535),
    databaseUrl: parseDatabaseUrl('DATABASE_URL', text('DATABASE_URL')),
    connectionsMax: integer('DATABASE_CONNECTIONS', 1, 1000),
    workers: workers(integer('WORKERS', 1, 128), text('DATABASE_URL')),
    statementTimeoutMs: integer('STATEMENT_TIMEOUT_MS', 1, 3_600_000),
    queueMax: integer('QUEUE_MAX', 1, 1_000_000),
    rowsMax: text('MAX_ROWS') === 'none' ? null : integer('MAX_ROWS', 1, 1_000_000_000),
    credentialsMax: integer('MAX_CREDENTIALS', 1, 100_000),
    bodyBytesMax: integer('MAX_BODY_BYTES', 1, 1_073_741_824),
    bytesInFlightMax: integer('MAX_BYTES_IN_FLIGHT', integer('MAX_BODY_BYTES', 1, 1_073_741_824), 1_099_511_627_776),
    rateLimit: rateLimit('RATE_LIMIT', text('RATE_LIMIT')),
    rateLimitTotal: rateLimit('RATE_LIMIT_TOTAL', text('RATE_LIMIT_TOTAL')),
    authFailureLimit: rateLimit('AUTH_FAILURE_LIMIT', text('AUTH_FAILURE_LIMIT')),
    idleTimeoutS: integer('IDLE_TIMEOUT_S', 1, 255),
    stopTimeoutS: integer('STOP_TIMEOUT_S', 1, 3600),
    adminHost: text('ADMIN_HOST'),
    adminPort: text('ADMIN_PORT') === 'none' ? null : integer('ADMIN_PORT', 0, 65_535),
    traces: tracesSettings(text),
    demo: choice('DEMO', ['on', 'off']) === 'on',
    log: log !== 'auto' ? log : isTerminal ? 'text' : 'json',
    baseUrl: baseUrl(text('BASE_URL')),
    signup: choice('SIGNUP', ['invite', 'open']),
    trustedProxies: trustedProxies(text('TRUST_PROXY')),
    tls: tlsPaths(text('TLS_CERT'), text('TLS_KEY')),
    authSecret: authSecret(text('AUTH_SECRET')),
    smtpUrl: smtpUrl(text('SMTP_URL')),
    mailFrom: text('MAIL_FROM'),
  })
}

function workers(count: number, databaseUrl: string): number {
  const problem = count > 1 ? workersProblem(databaseUrl) : null
  if (problem !== null) throw new ConfigError(`WORKERS must be 1 ${problem}`)
  return count
}

function baseUrl(text: string): string | null {
  if (text === settings.BASE_URL.fallback) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new ConfigError(
      `BASE_URL must be an address without a path, such as https://api.example.com, but is "${text}".`,
    )
  return url.origin
}

function trustedProxies(text: string): number {
  if (text === 'off' || text === 'on') return text === 'on' ? 1 : 0
  if (!/^[1-9]$/.test(text)) throw new ConfigError(`TRUST_PROXY must be on, off or a number up to 9, but is "${text}".`)
  return Number(text)
}

function tlsPaths(certPath: string, keyPath: string): Config['tls'] {
  const { fallback } = settings.TLS_CERT
  if (certPath === fallback && keyPath === fallback) return null
  if (keyPath === fallback) throw new ConfigError('TLS_CERT needs TLS_KEY beside it: the file with the private key.')
  if (certPath === fallback) throw new ConfigError('TLS_KEY needs TLS_CERT beside it: the file with the certificate.')
  return { certPath, keyPath }
}

function tracesSettings(text: (name: Name) => string): TracesSettings | null {
  const endpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === 'none') return null
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318, or none, but is "${endpoint}".`,
    )
  const headers = parseOtlpHeaders(text('OTEL_EXPORTER_OTLP_HEADERS'))
  // What is wrong is not shown: it may be a secret.
  if (!headers)
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be like name=value,name=value, with values as in a URL.')
  return { endpoint: endpoint.replace(/\/+$/, ''), headers, serviceName: text('OTEL_SERVICE_NAME') }
}

function authSecret(text: string): string | null {
  if (text === settings.AUTH_SECRET.fallback) return null
  if (text.length < 32) throw new ConfigError('AUTH_SECRET must have 32 characters or more, or be "auto".')
  return text
}

function smtpUrl(text: string): string | null {
  if (text === settings.SMTP_URL.fallback) return null
  if (!URL.canParse(text) || !/^smtps?:$/.test(new URL(text).protocol))
    throw new ConfigError('SMTP_URL must begin with "smtp://" or "smtps://" and name a host, or be "none".')
  return text
}

function rateLimit(name: Name, text: string): RatePolicy | null {
  if (text === 'none') return null
  const policy = parsePolicy(text)
  if (!policy) throw new ConfigError(`${name} must be like 100/s or 6000/m, or none, but is "${text}".`)
  return policy
}

/** The path of a file or the address of a server, under the name that it was given. */
export function parseDatabaseUrl(name: string, url: string): string {
  const problem = addressProblem(url)
  if (problem !== null) throw new ConfigError(`${name} ${problem}`)
  return url
}
