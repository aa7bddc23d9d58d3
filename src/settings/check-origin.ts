import { failure } from '../errors.ts'

/** Refuses a change that another site's page asks for: a browser would send the person's cookie along. */
export function checkOrigin(http: Request, baseUrl: string): void {
  if (http.method === 'GET' || http.method === 'HEAD') return
  const origin = http.headers.get('origin')
  const site = http.headers.get('sec-fetch-site') ?? 'none'
  if (origin === null || !(site === 'same-origin' || site === 'none')) throw failure.originInvalid()
  if (!isOwn(origin, baseUrl, http.headers.get('host'))) throw failure.originInvalid()
}

/** The page as configured, or as the browser addressed it: 127.0.0.1 has more than one name. */
function isOwn(origin: string, baseUrl: string, host: string | null): boolean {
  const base = new URL(baseUrl)
  if (origin === base.origin) return true
  // A page that was loaded without encryption may be anybody's.
  const isSafe = origin.startsWith('https:') || base.protocol === 'http:'
  return isSafe && URL.canParse(origin) && new URL(origin).host === host
}
