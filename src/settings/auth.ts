import { parseText } from '../people/parse.ts'
import type { SignInMethod } from '../people/sign-ins.ts'
import { parseRecoveryCode } from '../people/two-factor.ts'
import type { Answer } from '../response/answer.ts'
import type { SettingsContext, SettingsRoute } from './context.ts'

type Body = Readonly<Record<string, unknown>>

interface Endpoint {
  readonly path: string
  readonly role: 'public' | 'person'
  readonly signsInBy?: SignInMethod
  /** The second step of a sign-in takes one field, so that nothing else reaches the plugin, such as devices to trust. */
  readonly parseCode?: (code: string) => string
}

/** The endpoints of better-auth that the pages use. All others are closed. */
const endpoints: readonly Endpoint[] = [
  { path: 'sign-up/email', role: 'public', signsInBy: 'password' },
  { path: 'sign-in/email', role: 'public', signsInBy: 'password' },
  { path: 'two-factor/verify-totp', role: 'public', signsInBy: 'code', parseCode: (code) => code.replace(/\s/g, '') },
  { path: 'two-factor/verify-backup-code', role: 'public', signsInBy: 'recovery code', parseCode: parseRecoveryCode },
  { path: 'sign-out', role: 'public' },
  { path: 'request-password-reset', role: 'public' },
  { path: 'reset-password', role: 'public' },
  { path: 'change-password', role: 'person' },
]

export const authRoutes: readonly SettingsRoute[] = endpoints.map((endpoint) => ({
  method: 'POST',
  path: `/api/auth/${endpoint.path}`,
  role: endpoint.role,
  handle: (context) => answer(context, endpoint),
}))

async function answer(context: SettingsContext, { signsInBy, parseCode }: Endpoint): Promise<Answer> {
  const { http, people, from, json, need } = context
  const hasBody = http.body !== null && http.headers.get('content-length') !== '0'
  const sent: Body = hasBody ? await json() : {}
  const body = parseCode ? { code: parseCode(parseText(sent, 'code')) } : sent
  const { address, requestId } = from
  const response = await people.answer({ http, body, address, requestId, need, signsInBy: signsInBy ?? null })
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
