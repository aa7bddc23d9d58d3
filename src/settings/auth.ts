import { oidcProvider } from '../people/oidc-settings.ts'
import { parseText } from '../people/parse.ts'
import type { SignInMethod } from '../people/sign-ins.ts'
import { parseRecoveryCode } from '../people/two-factor.ts'
import type { Answer } from '../response/answer.ts'
import type { SettingsContext, SettingsRoute } from './context.ts'

type Body = Readonly<Record<string, unknown>>

interface Endpoint {
  readonly method?: 'GET'
  readonly path: string
  readonly role: 'public' | 'person'
  readonly signsInBy?: SignInMethod
  /** What of the body reaches better-auth, where that could do more than the pages need, such as trust a device. */
  readonly parse?: (body: Body) => Body
}

/** The endpoints of better-auth that the pages use. All others are closed. */
const endpoints: readonly Endpoint[] = [
  { path: 'sign-up/email', role: 'public', signsInBy: 'password' },
  { path: 'sign-in/email', role: 'public', signsInBy: 'password' },
  { path: 'two-factor/verify-totp', role: 'public', signsInBy: 'code', parse: parseCode },
  { path: 'two-factor/verify-backup-code', role: 'public', signsInBy: 'recovery code', parse: parseRecovery },
  { path: 'sign-in/social', role: 'public', parse: parseStart },
  { method: 'GET', path: 'callback/oidc', role: 'public', signsInBy: 'OpenID Connect' },
  { path: 'sign-out', role: 'public' },
  { path: 'request-password-reset', role: 'public' },
  { path: 'reset-password', role: 'public' },
  { path: 'change-password', role: 'person' },
]

export const authRoutes: readonly SettingsRoute[] = endpoints.map((endpoint) => ({
  method: endpoint.method ?? 'POST',
  path: `/api/auth/${endpoint.path}`,
  role: endpoint.role,
  handle: (context) => answer(context, endpoint),
}))

async function answer(context: SettingsContext, { signsInBy, parse }: Endpoint): Promise<Answer> {
  const { http, people, from, json, need } = context
  const hasBody = http.body !== null && http.headers.get('content-length') !== '0'
  const sent: Body = hasBody ? await json() : {}
  const body = parse ? parse(sent) : sent
  const { address, requestId } = from
  const response = await people.answer({ http, body, address, requestId, need, signsInBy: signsInBy ?? null })
  const cookies = response.headers.getSetCookie()
  const location = response.headers.get('location')
  if (response.status === 302 && location !== null)
    return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, cookies, body: null }
  return {
    status: response.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    cookies,
    body: withoutToken(await response.text()),
  }
}

function parseCode(body: Body): Body {
  return { code: parseText(body, 'code').replace(/\s/g, '') }
}

function parseRecovery(body: Body): Body {
  return { code: parseRecoveryCode(parseText(body, 'code')) }
}

/** Where the person is led after the provider: a path of ours. */
function parseStart(body: Body): Body {
  const next = body.next === undefined ? '/' : parseText(body, 'next')
  const callbackURL = /^\/(?![/\\])/.test(next) ? next : '/'
  return { provider: oidcProvider, callbackURL, errorCallbackURL: '/sign-in' }
}

/** Removes the session token: it belongs in the cookie, where no script can read it. */
function withoutToken(text: string): string {
  const body: unknown = JSON.parse(text)
  return JSON.stringify(body, (name, value) => (name === 'token' ? undefined : value))
}
