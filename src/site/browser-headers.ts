/** Adds the security headers for browsers. Responses of /rest/v1 do not need them. */
export function withBrowserHeaders(response: Response, isHttps: boolean): Response {
  const { headers } = response
  for (const [name, value] of isHttps ? [...always, strictTransport] : always) {
    if (!headers.has(name)) headers.set(name, value)
  }
  return response
}

const always: readonly (readonly [string, string])[] = [
  // Pages set their own policy.
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]

const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'] as const
