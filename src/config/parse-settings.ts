import { addressProblem, workersProblem } from '../store/database-url.ts'
import { parsePolicy, type RatePolicy } from '../traffic/rate-policy.ts'
import { durationMs } from '../types/duration.ts'
import { parsePairs } from './parse-pairs.ts'
import { type SettingName, settings } from './settings.ts'

/** An invalid setting. The message names the variable and what it accepts. */
export class ConfigError extends Error {}

/** A provider of sign-ins, by OpenID Connect. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

export interface TracesSettings {
  /** The URL of the collector, without `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** `service.name` and others, which describe where the traces come from. */
  readonly resource: Readonly<Record<string, string>>
}

/** Paths of PEM files. */
export interface TlsPaths {
  readonly certPath: string
  readonly keyPath: string
}

export function parseWorkers(count: number, databaseUrl: string): number {
  const problem = count > 1 ? workersProblem(databaseUrl) : null
  if (problem !== null) throw new ConfigError(`WORKERS must be 1 ${problem}`)
  return count
}

export function parseBaseUrl(text: string): string | null {
  if (text === settings.BASE_URL.fallback) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new ConfigError(
      `BASE_URL must be an address without a path, such as https://api.example.com, but is "${text}".`,
    )
  return url.origin
}

export function parseTrustedProxies(text: string): number {
  if (text === 'off' || text === 'on') return text === 'on' ? 1 : 0
  if (!/^[1-9]$/.test(text)) throw new ConfigError(`TRUST_PROXY must be on, off or a number up to 9, but is "${text}".`)
  return Number(text)
}

export function parseTls(certPath: string, keyPath: string): TlsPaths | null {
  const { fallback } = settings.TLS_CERT
  if (certPath === fallback && keyPath === fallback) return null
  if (keyPath === fallback) throw new ConfigError('TLS_CERT needs TLS_KEY beside it: the file with the private key.')
  if (certPath === fallback) throw new ConfigError('TLS_KEY needs TLS_CERT beside it: the file with the certificate.')
  return { certPath, keyPath }
}

export function parseTraces(text: (name: SettingName) => string): TracesSettings | null {
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

function pairs(name: SettingName, text: string): Readonly<Record<string, string>> {
  const found = parsePairs(text)
  // The value is not shown, because it may be a secret.
  if (!found) throw new ConfigError(`${name} must be like name=value,name=value, with values as in a URL.`)
  return found
}

export function parseAuthSecret(text: string): string | null {
  if (text === settings.AUTH_SECRET.fallback) return null
  if (text.length < 32) throw new ConfigError('AUTH_SECRET must have 32 characters or more, or be "auto".')
  return text
}

export function parseOidc(text: (name: SettingName) => string): OidcSettings | null {
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

export function parseSmtpUrl(text: string): string | null {
  if (text === settings.SMTP_URL.fallback) return null
  if (!URL.canParse(text) || !/^smtps?:$/.test(new URL(text).protocol))
    throw new ConfigError('SMTP_URL must begin with "smtp://" or "smtps://" and name a host, or be "none".')
  return text
}

export function parseRateLimit(name: SettingName, text: string): RatePolicy | null {
  if (text === 'none') return null
  const policy = parsePolicy(text)
  if (!policy) throw new ConfigError(`${name} must be like 100/s or 6000/m, or none, but is "${text}".`)
  return policy
}

/** `30d` or `12h`, in milliseconds. */
export function parseDuration(name: SettingName, text: string): number {
  const ms = durationMs(text)
  if (!ms) throw new ConfigError(`${name} must be days (30d) or hours (12h), but is "${text}".`)
  return ms
}

/** Checks the path of a file or the URL of a server. `name` is the setting or flag, for error messages. */
export function parseDatabaseUrl(name: string, url: string): string {
  const problem = addressProblem(url)
  if (problem !== null) throw new ConfigError(`${name} ${problem}`)
  return url
}
