import { connect } from 'node:net'
import type { Config } from '../config/config.ts'
import { readTls } from '../config/tls.ts'
import { type Check, type Finding, isLoopback, ok, problem, warning } from '../store/check.ts'
import { fewFiles, openFilesMax, raiseFiles } from './open-files.ts'

interface SettingsFacts {
  readonly config: Config
  /** Why the mail server cannot be reached; null if it can, or if there is none. */
  readonly mailFailure: string | null
  /** null: unknown. */
  readonly openFilesMax: number | null
}

/** Checks that need no database. */
export const settingsChecks: readonly Check<SettingsFacts>[] = [
  {
    name: 'clock',
    judge: () => {
      const now = new Date()
      return now.getUTCFullYear() < 2026
        ? problem(`says ${now.toISOString()}`, 'Set it by NTP: ids, times and expiry dates depend on it')
        : ok(now.toISOString())
    },
  },
  {
    name: 'open files',
    judge: ({ openFilesMax: max }) => {
      const few = fewFiles(max)
      return few === null ? ok(max === null ? 'unknown on this system' : `${max} at most`) : warning(few, raiseFiles)
    },
  },
  { name: 'TLS to clients', judge: judgeTls },
  {
    name: 'addresses of clients',
    judge: ({ config: { baseUrl, tls, trustedProxies } }) =>
      baseUrl?.startsWith('https:') && !tls && trustedProxies === 0
        ? warning('behind a proxy, all clients seem to have its address', 'Set TRUST_PROXY=on if there is a proxy')
        : ok(trustedProxies > 0 ? "from the proxy's X-Forwarded-For" : 'from the connection'),
  },
  {
    name: 'AUTH_SECRET',
    judge: ({ config: { authSecret } }) =>
      authSecret !== null && new Set(authSecret).size < 10
        ? problem('can be guessed: it has few different characters', 'Set it to the output of: openssl rand -base64 32')
        : ok(authSecret === null ? 'created once, stored in the database' : `${authSecret.length} characters`),
  },
  {
    name: 'OpenID Connect',
    judge: ({ config: { oidc, baseUrl } }) => {
      if (oidc === null) return ok('none: people sign in with passwords')
      return baseUrl === null
        ? warning('the provider leads people back to HOST:PORT', 'Set BASE_URL to the address that people use')
        : ok(`${oidc.issuer} leads back to ${baseUrl}/api/auth/callback/oidc`)
    },
  },
  {
    name: 'mail',
    judge: ({ config: { smtpUrl }, mailFailure }) => {
      if (smtpUrl === null) return ok('none: links are shown instead of sent')
      return mailFailure === null
        ? ok('its server can be reached')
        : warning(`its server cannot be reached: ${mailFailure}`, 'Check SMTP_URL, and that the server runs')
    },
  },
]

export async function inspectSettings(config: Config): Promise<SettingsFacts> {
  const mailFailure = config.smtpUrl === null ? null : await failureToReach(new URL(config.smtpUrl))
  return { config, mailFailure, openFilesMax: openFilesMax() }
}

function judgeTls({ config }: SettingsFacts): Finding {
  const { host, baseUrl } = config
  if (config.tls) return judgeCertificate(config)
  if (baseUrl?.startsWith('https:')) return ok(`by the proxy of ${baseUrl}`)
  return isLoopback(host)
    ? ok('not needed: only this machine can connect')
    : warning(
        `none, and HOST=${host} is open to the network: secrets can be read in transit`,
        'Set TLS_CERT and TLS_KEY, or put a proxy with TLS in front, and set HOST=127.0.0.1 and BASE_URL=https://…',
      )
}

const renewalMs = 14 * 86_400_000

function judgeCertificate(config: Config): Finding {
  try {
    const { endsAt } = readTls(config) ?? { endsAt: new Date(0) }
    const found = `by TLS_CERT, which expires on ${endsAt.toISOString().slice(0, 10)}`
    if (endsAt.getTime() < Date.now()) return problem(found, 'Renew it, and restart the service')
    return endsAt.getTime() < Date.now() + renewalMs ? warning(found, 'Renew it, and restart the service') : ok(found)
  } catch (error) {
    return problem(
      error instanceof Error ? error.message.replace(/\.$/, '') : String(error),
      'The service will not start',
    )
  }
}

const reachMsMax = 3000

function failureToReach({ protocol, hostname, port }: URL): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(Number(port) || (protocol === 'smtps:' ? 465 : 587), hostname)
    const end = (failure: string | null) => {
      socket.destroy()
      resolve(failure)
    }
    socket.setTimeout(reachMsMax, () => end(`no answer within ${reachMsMax / 1000} s`))
    socket.once('error', (error) => end(error.message))
    socket.once('connect', () => end(null))
  })
}
