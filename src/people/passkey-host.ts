import { isIP } from 'node:net'

/** The host that passkeys are bound to; null where browsers allow none: without https, or at an IP address. */
export function passkeyHost(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl)
  if (/(^|\.)localhost$/.test(hostname)) return hostname
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return protocol === 'https:' && !isAddress ? hostname : null
}
