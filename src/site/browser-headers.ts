/** Adds what a browser must know of everything that it can open or load here. Clients of /rest/v1 are no browsers. */
export function withBrowserHeaders(response: Response, isHttps: boolean): Response {
  const { headers } = response
  for (const [name, value] of isHttps ? [...always, strictTransport] : always) {
    if (!headers.has(name)) headers.set(name, value)
  }
  return response
}

const always: readonly (readonly [string, string])[] = [
  // The pages, which need more, bring their own.
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]

const strictTransport = ['Strict-Transport-Security', 'max-age=31536000'] as const
