import { isIP } from 'node:net'
import { failure } from '../errors/index.ts'

/** Refuses a change that another site's page asks for: a browser would send the person's cookie along. */
export function checkOrigin(http: Request, baseUrl: string): void {
  if (http.method === 'GET' || http.method === 'HEAD') return
  const origin = http.headers.get('origin')
  const site = http.headers.get('sec-fetch-site') ?? 'none'
  if (origin === null || !(site === 'same-origin' || site === 'none')) throw failure.originInvalid()
  if (!isOwn(origin, baseUrl, http.headers.get('host'))) throw failure.originInvalid()
}

/** The page as configured, or as the browser addressed it, if by a number or as localhost: 127.0.0.1 has more than one name. */
function isOwn(origin: string, baseUrl: string, host: string | null): boolean {
  const base = new URL(baseUrl)
  if (origin === base.origin) return true
  // A page that was loaded without encryption may be anybody's.
  const isSafe = origin.startsWith('https:') || base.protocol === 'http:'
  if (!isSafe || !URL.canParse(origin)) return false
  const sent = new URL(origin)
  // Whoever owns a name can have it lead to us, and their page would then pass for ours.
  const isNumber = isIP(sent.hostname.replace(/^\[|\]$/g, '')) !== 0
  return sent.host === host && (isNumber || sent.hostname === 'localhost')
}
