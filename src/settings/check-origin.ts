import { isIP } from 'node:net'
import { failure } from '../errors/index.ts'
import { isRead } from '../methods.ts'
import { parseOrigin } from '../traffic/parse-origin.ts'

/** Refuses changes requested by a page of another site, because the browser would send the person's cookie with them. */
export function checkOrigin(http: Request, baseUrl: string): void {
  if (isRead(http.method)) return
  const origin = http.headers.get('origin')
  const site = http.headers.get('sec-fetch-site') ?? 'none'
  if (origin === null || !(site === 'same-origin' || site === 'none')) throw failure.originInvalid()
  if (!isOwn(origin, baseUrl, http.headers.get('host'))) throw failure.originInvalid()
}

/** The configured origin, or the one that the browser used if it is an IP address or localhost. */
function isOwn(origin: string, baseUrl: string, host: string | null): boolean {
  const base = new URL(baseUrl)
  if (origin === base.origin) return true
  // A page loaded without encryption can be forged.
  const isSafe = origin.startsWith('https:') || base.protocol === 'http:'
  const sent = isSafe ? parseOrigin(origin) : null
  if (!sent) return false
  // The owner of any domain can point it to this server, and their page would pass as ours.
  const isNumber = isIP(sent.hostname.replace(/^\[|\]$/g, '')) !== 0
  return sent.host === host && (isNumber || sent.hostname === 'localhost')
}
