import { type Config, isHttps } from '../config/config.ts'
import { isLoopback } from '../store/check.ts'

/** A warning if the service is open to the network without encryption, or null. */
export function exposureOf(config: Config): string | null {
  const { host, trustedProxies } = config
  if (isLoopback(host) || isHttps(config) || config.tls !== null || trustedProxies > 0) return null
  return `HOST=${host} is open to the network without encryption: everyone on the way can read API secrets and passwords. Set TLS_CERT and TLS_KEY, or put a proxy with https in front and set BASE_URL and TRUST_PROXY.`
}
