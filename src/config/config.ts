import { keyFileOf } from '../store/database-url.ts'
import type { RatePolicy } from '../traffic/rate-policy.ts'
import {
  ConfigError,
  type OidcSettings,
  parseAuthSecret,
  parseBaseUrl,
  parseDatabaseUrl,
  parseDuration,
  parseOidc,
  parseRateLimit,
  parseSmtpUrl,
  parseTls,
  parseTraces,
  parseTrustedProxies,
  parseWorkers,
  type TlsPaths,
  type TracesSettings,
} from './parse-settings.ts'
import { type SettingName, settings } from './settings.ts'

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
  /** null: unencrypted. */
  readonly tls: TlsPaths | null
  readonly authSecret: string | null
  readonly smtpUrl: string | null
  readonly oidc: OidcSettings | null
  readonly mailFrom: string
  /** Whether webhooks may be sent to this machine, also by http. */
  readonly webhookLoopback: boolean
  /** The key for the secrets of webhooks, where there is no `authSecret`. */
  readonly webhookKeyFile: string
}

/** Whether clients use https, served by us or by a proxy. */
export const isHttps = ({ tls, baseUrl }: Config): boolean =>
  baseUrl === null ? tls !== null : baseUrl.startsWith('https:')

export function readConfig(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Config {
  const text = (name: SettingName): string => env[name]?.trim() || settings[name].fallback
  const integer = (name: SettingName, min: number, max: number): number => {
    const value = Number(text(name))
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, but is "${text(name)}".`)
    }
    return value
  }
  const choice = <Choice extends string>(name: SettingName, choices: readonly Choice[]): Choice => {
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
    workers: parseWorkers(integer('WORKERS', 1, 128), text('DATABASE_URL')),
    statementTimeoutMs: integer('STATEMENT_TIMEOUT_MS', 1, 3_600_000),
    queueMax: integer('QUEUE_MAX', 1, 1_000_000),
    rowsMax: text('MAX_ROWS') === 'none' ? null : integer('MAX_ROWS', 1, 1_000_000_000),
    credentialsMax: integer('MAX_CREDENTIALS', 1, 100_000),
    bodyBytesMax: integer('MAX_BODY_BYTES', 1, 1_073_741_824),
    bytesInFlightMax: integer('MAX_BYTES_IN_FLIGHT', integer('MAX_BODY_BYTES', 1, 1_073_741_824), 1_099_511_627_776),
    liveStreamsMax: integer('MAX_LIVE_STREAMS', 1, 1_000_000),
    eventsKeptMs: parseDuration('EVENTS_KEPT', text('EVENTS_KEPT')),
    compress: choice('COMPRESS', ['on', 'off']) === 'on',
    rateLimit: parseRateLimit('RATE_LIMIT', text('RATE_LIMIT')),
    rateLimitTotal: parseRateLimit('RATE_LIMIT_TOTAL', text('RATE_LIMIT_TOTAL')),
    authFailureLimit: parseRateLimit('AUTH_FAILURE_LIMIT', text('AUTH_FAILURE_LIMIT')),
    idleTimeoutS: integer('IDLE_TIMEOUT_S', 1, 255),
    stopTimeoutS: integer('STOP_TIMEOUT_S', 1, 3600),
    adminHost: text('ADMIN_HOST'),
    adminPort: text('ADMIN_PORT') === 'none' ? null : integer('ADMIN_PORT', 0, 65_535),
    traces: parseTraces(text),
    requestLog: choice('REQUEST_LOG', ['on', 'off']) === 'on',
    demo: choice('DEMO', ['on', 'off']) === 'on',
    log: log !== 'auto' ? log : isTerminal ? 'text' : 'json',
    logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug']),
    baseUrl: parseBaseUrl(text('BASE_URL')),
    signup: choice('SIGNUP', ['invite', 'open']),
    trustedProxies: parseTrustedProxies(text('TRUST_PROXY')),
    tls: parseTls(text('TLS_CERT'), text('TLS_KEY')),
    authSecret: parseAuthSecret(text('AUTH_SECRET')),
    smtpUrl: parseSmtpUrl(text('SMTP_URL')),
    oidc: parseOidc(text),
    mailFrom: text('MAIL_FROM'),
    webhookLoopback: choice('WEBHOOK_LOOPBACK', ['on', 'off']) === 'on',
    webhookKeyFile: text('WEBHOOK_KEY_FILE') === 'auto' ? keyFileOf(text('DATABASE_URL')) : text('WEBHOOK_KEY_FILE'),
  })
}
