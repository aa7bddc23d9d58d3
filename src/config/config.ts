import { addressProblem, keyFileOf, workersProblem } from '../store/database-url.ts'
import { parsePolicy, type RatePolicy } from '../traffic/rate-policy.ts'
import { parsePairs } from './parse-pairs.ts'

/** All settings, read once at the start. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  readonly connectionsMax: number
  /** Processes that share the port. */
  readonly workers: number
  readonly statementTimeoutMs: number
  readonly queueMax: number
  readonly rowsMax: number | null
  /** For one company; revoked ones do not count. */
  readonly credentialsMax: number
  readonly bodyBytesMax: number
  /** Whether long responses are compressed for clients that accept it. */
  readonly compress: boolean
  /** Of request bodies and responses. */
  readonly bytesInFlightMax: number
  /** Of one process. */
  readonly liveStreamsMax: number
  /** How long events can be read. */
  readonly eventsKeptMs: number
  readonly rateLimit: RatePolicy | null
  readonly rateLimitTotal: RatePolicy | null
  readonly authFailureLimit: RatePolicy | null
  readonly idleTimeoutS: number
  readonly stopTimeoutS: number
  readonly adminHost: string
  /** For metrics; null: no metrics. */
  readonly adminPort: number | null
  /** null: no traces. */
  readonly traces: TracesSettings | null
  readonly demo: boolean
  /** Whether the last requests of each company are kept for its people. */
  readonly requestLog: boolean
  readonly log: 'json' | 'text' | 'off'
  /** The least important events that are logged. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** The public URL; null: the address it listens on. */
  readonly baseUrl: string | null
  readonly signup: 'invite' | 'open'
  /** How many trusted proxies append to X-Forwarded-For. */
  readonly trustedProxies: number
  /** Paths of PEM files; null: unencrypted. */
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null
  readonly authSecret: string | null
  readonly smtpUrl: string | null
  readonly oidc: OidcSettings | null
  readonly mailFrom: string
  /** Whether webhooks may be sent to this machine, also by http. */
  readonly webhookLoopback: boolean
  /** The key for the secrets of webhooks, where there is no `authSecret`. */
  readonly webhookKeyFile: string
}

export interface TracesSettings {
  /** The URL of the collector, without `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** `service.name` and others, which describe where the traces come from. */
  readonly resource: Readonly<Record<string, string>>
}

/** Whether clients use https, served by us or by a proxy. */
export const isHttps = ({ tls, baseUrl }: Config): boolean =>
  baseUrl === null ? tls !== null : baseUrl.startsWith('https:')

interface Setting {
  readonly fallback: string
  readonly meaning: string
}

/** The environment variables with their defaults. docs/configuration.md has the same table; a test compares the two. */
export const settings = {
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on. `0.0.0.0` opens the service to the network.' },
  PORT: { fallback: '8080', meaning: 'Port to listen on.' },
  DATABASE_URL: {
    fallback: 'data/project-api.db',
    meaning:
      'A file for SQLite, or `postgres://user:password@host:5432/name`. It may have parameters: `sslmode` and others of libpq, `schema=name`, `pgbouncer=true` behind PgBouncer in transaction mode, `citus=true` for a Citus cluster.',
  },
  DATABASE_CONNECTIONS: {
    fallback: '10',
    meaning:
      'Maximum connections to PostgreSQL, or to each node of a Citus cluster, plus three for statements of unusual length. Workers share them.',
  },
  WORKERS: {
    fallback: '1',
    meaning: 'Processes that share the port (PostgreSQL on Linux only). Use one for each available core.',
  },
  STATEMENT_TIMEOUT_MS: { fallback: '30000', meaning: 'Time limit of one database statement, in milliseconds.' },
  QUEUE_MAX: {
    fallback: '2000',
    meaning: 'Maximum requests that wait for the database. One company may use half of it. Further requests get 503.',
  },
  MAX_ROWS: { fallback: 'none', meaning: 'Maximum rows in one response, or `none`.' },
  MAX_CREDENTIALS: {
    fallback: '500',
    meaning: 'Maximum credentials of one company. Revoked ones do not count.',
  },
  RATE_LIMIT: {
    fallback: 'none',
    meaning:
      'Maximum requests of one credential: `100/s`, `6000/m`, or `none`. Its company can set a lower limit, not a higher one. Each process counts separately.',
  },
  RATE_LIMIT_TOTAL: {
    fallback: 'none',
    meaning: 'Maximum requests of all clients together to one process. Further requests get 503.',
  },
  AUTH_FAILURE_LIMIT: {
    fallback: '600/m',
    meaning:
      'Maximum requests without a valid key from one IPv4 address or one IPv6 /64 network, or `none`. Further ones get 429. It never affects requests with a valid key.',
  },
  MAX_BODY_BYTES: { fallback: '10485760', meaning: 'Maximum size of a request body, after decompression.' },
  MAX_BYTES_IN_FLIGHT: {
    fallback: '134217728',
    meaning:
      'Maximum memory of one process for request bodies and responses in flight. One company may use a quarter of it. Further requests get 503.',
  },
  MAX_LIVE_STREAMS: {
    fallback: '2000',
    meaning: 'Maximum live streams of one process. One company may have a tenth of them. Further ones get 503 or 429.',
  },
  EVENTS_KEPT: {
    fallback: '30d',
    meaning:
      'How long events are kept, in days (`30d`) or hours (`12h`). Live streams and readers go on from an event that is kept.',
  },
  COMPRESS: {
    fallback: 'on',
    meaning:
      'Whether responses over 16 KiB are compressed with zstd or gzip for clients that accept it: `on` or `off`, where a proxy in front does it.',
  },
  IDLE_TIMEOUT_S: {
    fallback: '60',
    meaning: 'Seconds after which an idle connection is closed, at most 255.',
  },
  STOP_TIMEOUT_S: {
    fallback: '10',
    meaning: 'Seconds that running requests have to finish after a stop signal. Then their connections are closed.',
  },
  ADMIN_PORT: {
    fallback: 'none',
    meaning: 'Separate port for `/metrics` and health, or `none`.',
  },
  ADMIN_HOST: {
    fallback: '127.0.0.1',
    meaning: 'Address that `ADMIN_PORT` listens on. Everyone who can reach it can read the metrics.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: 'none',
    meaning: 'An OpenTelemetry collector for traces, such as `http://127.0.0.1:4318`, or `none`.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    fallback: 'none',
    meaning: 'Headers for the collector: `name=value,name=value`, with URL-encoded values, or `none`.',
  },
  OTEL_SERVICE_NAME: { fallback: 'project-api', meaning: 'Name of this service in traces.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    fallback: 'none',
    meaning:
      'Further attributes of this service in traces: `deployment.environment.name=production,name=value`, with URL-encoded values, or `none`.',
  },
  REQUEST_LOG: {
    fallback: 'on',
    meaning:
      'Whether the last requests of each company are kept for its people, without secrets and bodies: `on` or `off`. At most 7 days and 100,000 of each company.',
  },
  DEMO: { fallback: 'on', meaning: 'Whether a new embedded database gets demo data: `on` or `off`.' },
  LOG: { fallback: 'auto', meaning: '`json`, `text`, `off`, or `auto`: text on a terminal and JSON elsewhere.' },
  LOG_LEVEL: {
    fallback: 'info',
    meaning:
      'The least important events in the log: `error`, `warn`, `info`, or `debug`, which adds requests for `/health/`.',
  },
  BASE_URL: {
    fallback: 'http://HOST:PORT',
    meaning:
      'Public URL of the service, such as `https://api.example.com`. Required for every host name except `localhost`. With https, cookies are Secure.',
  },
  SIGNUP: {
    fallback: 'invite',
    meaning: 'Who may sign up after the first person: only invited people (`invite`) or everyone (`open`).',
  },
  TRUST_PROXY: {
    fallback: 'off',
    meaning:
      'Whether to take the client’s address from `X-Forwarded-For`: `on`, `off`, or the number of proxies in front.',
  },
  TLS_CERT: {
    fallback: 'none',
    meaning: 'A PEM file with the certificate and its chain, for https without a proxy, or `none`. Needs `TLS_KEY`.',
  },
  TLS_KEY: { fallback: 'none', meaning: 'A PEM file with the private key of `TLS_CERT`, or `none`.' },
  AUTH_SECRET: {
    fallback: 'auto',
    meaning:
      'Secret that signs session cookies and encrypts the keys of two-factor sign-in and the secrets of webhooks, at least 32 characters. `auto`: created once and stored in the database; the secrets of webhooks are then encrypted by `WEBHOOK_KEY_FILE`.',
  },
  OIDC_ISSUER: {
    fallback: 'none',
    meaning:
      'A provider of sign-ins by OpenID Connect, `https://id.example.com`, or `none`. Needs the two settings below.',
  },
  OIDC_CLIENT_ID: { fallback: 'none', meaning: 'The id of this service at `OIDC_ISSUER`.' },
  OIDC_CLIENT_SECRET: { fallback: 'none', meaning: 'The secret of this service at `OIDC_ISSUER`.' },
  OIDC_NAME: { fallback: 'OpenID Connect', meaning: 'What the button for it says: *Continue with* this name.' },
  SMTP_URL: { fallback: 'none', meaning: 'Mail server, `smtp://user:password@host:587`, or `none`.' },
  MAIL_FROM: { fallback: 'project-api@localhost', meaning: 'Sender of invitations and password reset links.' },
  WEBHOOK_LOOPBACK: {
    fallback: 'off',
    meaning:
      'Whether webhooks may be sent to this machine, by `http` or `https`: `on` or `off`. For development and tests only.',
  },
  WEBHOOK_KEY_FILE: {
    fallback: 'auto',
    meaning:
      'File with the key that encrypts the secrets of webhooks, unless `AUTH_SECRET` is set. It is created if it is missing. `auto`: beside the SQLite file with the ending `.key`, or `data/webhook.key`.',
  },
} as const satisfies Record<string, Setting>

type Name = keyof typeof settings

/** An invalid setting. The message names the variable and what it accepts. */
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
    liveStreamsMax: integer('MAX_LIVE_STREAMS', 1, 1_000_000),
    eventsKeptMs: duration('EVENTS_KEPT', text('EVENTS_KEPT')),
    compress: choice('COMPRESS', ['on', 'off']) === 'on',
    rateLimit: rateLimit('RATE_LIMIT', text('RATE_LIMIT')),
    rateLimitTotal: rateLimit('RATE_LIMIT_TOTAL', text('RATE_LIMIT_TOTAL')),
    authFailureLimit: rateLimit('AUTH_FAILURE_LIMIT', text('AUTH_FAILURE_LIMIT')),
    idleTimeoutS: integer('IDLE_TIMEOUT_S', 1, 255),
    stopTimeoutS: integer('STOP_TIMEOUT_S', 1, 3600),
    adminHost: text('ADMIN_HOST'),
    adminPort: text('ADMIN_PORT') === 'none' ? null : integer('ADMIN_PORT', 0, 65_535),
    traces: tracesSettings(text),
    requestLog: choice('REQUEST_LOG', ['on', 'off']) === 'on',
    demo: choice('DEMO', ['on', 'off']) === 'on',
    log: log !== 'auto' ? log : isTerminal ? 'text' : 'json',
    logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug']),
    baseUrl: baseUrl(text('BASE_URL')),
    signup: choice('SIGNUP', ['invite', 'open']),
    trustedProxies: trustedProxies(text('TRUST_PROXY')),
    tls: tlsPaths(text('TLS_CERT'), text('TLS_KEY')),
    authSecret: authSecret(text('AUTH_SECRET')),
    smtpUrl: smtpUrl(text('SMTP_URL')),
    oidc: oidcSettings(text),
    mailFrom: text('MAIL_FROM'),
    webhookLoopback: choice('WEBHOOK_LOOPBACK', ['on', 'off']) === 'on',
    webhookKeyFile: text('WEBHOOK_KEY_FILE') === 'auto' ? keyFileOf(text('DATABASE_URL')) : text('WEBHOOK_KEY_FILE'),
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
  const name = text('OTEL_SERVICE_NAME')
  const attributes = pairs('OTEL_RESOURCE_ATTRIBUTES', text('OTEL_RESOURCE_ATTRIBUTES'))
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    headers: pairs('OTEL_EXPORTER_OTLP_HEADERS', text('OTEL_EXPORTER_OTLP_HEADERS')),
    // By the specification of OpenTelemetry, a name of its own setting comes first.
    resource:
      name === settings.OTEL_SERVICE_NAME.fallback
        ? { 'service.name': name, ...attributes }
        : { ...attributes, 'service.name': name },
  }
}

function pairs(name: Name, text: string): Readonly<Record<string, string>> {
  const found = parsePairs(text)
  // The value is not shown, because it may be a secret.
  if (!found) throw new ConfigError(`${name} must be like name=value,name=value, with values as in a URL.`)
  return found
}

function authSecret(text: string): string | null {
  if (text === settings.AUTH_SECRET.fallback) return null
  if (text.length < 32) throw new ConfigError('AUTH_SECRET must have 32 characters or more, or be "auto".')
  return text
}

/** A provider of sign-ins, by OpenID Connect. */
interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

function oidcSettings(text: (name: Name) => string): OidcSettings | null {
  const issuer = text('OIDC_ISSUER')
  if (issuer === 'none') return null
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    throw new ConfigError(`OIDC_ISSUER must begin with "https://", or be "none", but is "${issuer}".`)
  const missing = (['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const).find((name) => text(name) === 'none')
  if (missing) throw new ConfigError(`OIDC_ISSUER needs ${missing} beside it: the provider gives you one.`)
  return { issuer, clientId: text('OIDC_CLIENT_ID'), clientSecret: text('OIDC_CLIENT_SECRET'), name: text('OIDC_NAME') }
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

/** `30d` or `12h`, in milliseconds. */
function duration(name: Name, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? []
  if (count === undefined) throw new ConfigError(`${name} must be days (30d) or hours (12h), but is "${text}".`)
  return Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000)
}

/** Checks the path of a file or the URL of a server. `name` is the setting or flag, for error messages. */
export function parseDatabaseUrl(name: string, url: string): string {
  const problem = addressProblem(url)
  if (problem !== null) throw new ConfigError(`${name} ${problem}`)
  return url
}
