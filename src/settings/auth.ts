import type { Answer } from '../response/answer.ts'
import type { SettingsContext, SettingsRoute } from './context.ts'

/** The endpoints of better-auth that the pages use. All others are closed. */
const roles = {
  'sign-up/email': 'public',
  'sign-in/email': 'public',
  'sign-out': 'public',
  'request-password-reset': 'public',
  'reset-password': 'public',
  'change-password': 'person',
} as const

export const authRoutes: readonly SettingsRoute[] = Object.entries(roles).map(([path, role]) => ({
  method: 'POST',
  path: `/api/auth/${path}`,
  role,
  handle: answer,
}))

async function answer({ http, people, from, json, need }: SettingsContext): Promise<Answer> {
  const hasBody = http.body !== null && http.headers.get('content-length') !== '0'
  const { address, requestId } = from
  const response = await people.answer({ http, body: hasBody ? await json() : {}, address, requestId, need })
  return {
    status: response.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    cookies: response.headers.getSetCookie(),
    body: withoutToken(await response.text()),
  }
}

/** Removes the session token: it belongs in the cookie, where no script can read it. */
function withoutToken(text: string): string {
  const body: unknown = JSON.parse(text)
  return JSON.stringify(body, (name, value) => (name === 'token' ? undefined : value))
}
