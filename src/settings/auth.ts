import { failure } from '../errors/index.ts'
import { endBegun } from '../people/change-account.ts'
import type { Message } from '../people/mail.ts'
import { passwordChanged } from '../people/notices.ts'
import { oidcProvider } from '../people/oidc-settings.ts'
import { parseText } from '../people/parse.ts'
import type { SignInMethod } from '../people/sign-ins.ts'
import { parseRecoveryCode } from '../people/two-factor.ts'
import type { Answer } from '../response/answer.ts'
import type { Sql } from '../store/sql.ts'
import { askAuth } from './ask-auth.ts'
import { queryOf, type SettingsContext, type SettingsRoute } from './context.ts'

type Body = Readonly<Record<string, unknown>>

interface Endpoint {
  readonly method?: 'GET'
  readonly path: string
  readonly role: 'public' | 'person'
  readonly signsInBy?: SignInMethod
  /** What of the body reaches better-auth, where that could do more than the pages need, such as trust a device. */
  readonly parse?: (body: Body) => Body
  /** Written in the transaction of its change. */
  readonly alongside?: (personId: string) => readonly Sql[]
  /** How long it takes at least, so that its time does not tell whether it found somebody. */
  readonly leastMs?: number
  /** Tells the person that it was done. */
  readonly notice?: (receiver: { readonly to: string; readonly baseUrl: string }) => Message
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
  { path: 'request-password-reset', role: 'public', leastMs: 100 },
  { path: 'reset-password', role: 'public' },
  {
    ...{ path: 'change-password', role: 'person' },
    ...{ parse: parseNewPassword, alongside: endBegun, notice: passwordChanged },
  },
]

export const authRoutes: readonly SettingsRoute[] = endpoints.map((endpoint) => ({
  method: endpoint.method ?? 'POST',
  path: `/api/auth/${endpoint.path}`,
  role: endpoint.role,
  handle: (context) => answer(context, endpoint),
}))

async function answer(context: SettingsContext, { path, ...endpoint }: Endpoint): Promise<Answer> {
  const { http, person, site } = context
  const hasBody = http.body !== null && http.headers.get('content-length') !== '0'
  const { signsInBy = null, parse = plainValues, alongside, leastMs = 0, notice } = endpoint
  const method = endpoint.method ?? 'POST'
  const body = parse(hasBody ? await context.json() : {})
  const query = queryOf(http)
  const asked = { method, path: query === '' ? path : `${path}?${query}`, body, signsInBy } as const
  const [answer] = await Promise.all([
    askAuth(context, { ...asked, alongside: alongside?.(person.id) ?? [] }),
    leastMs > 0 && Bun.sleep(leastMs),
  ])
  if (notice) site.notify(notice({ to: person.email, baseUrl: site.baseUrl }))
  return answer
}

/** A deeply nested value can take better-auth seconds to check. */
const plainValues = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean'),
  )

function parseNewPassword(body: Body): Body {
  if (body.newPassword !== undefined && body.newPassword === body.currentPassword) throw failure.passwordUnchanged()
  return { ...plainValues(body), revokeOtherSessions: true }
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
