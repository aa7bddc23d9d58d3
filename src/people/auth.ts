import { randomBytes } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import type { Sql } from '../store/sql.ts'
import { parseOrigin } from '../traffic/parse-origin.ts'
import { findPerson } from './accounts.ts'
import { cutUserAgent } from './audit.ts'
import { failureOf } from './auth-failures.ts'
import { addressHeader, requestIdHeader } from './auth-headers.ts'
import { type AuthSettings, optionsOf, resetMs } from './auth-options.ts'
import { cookiePrefix } from './people-settings.ts'
import type { Need } from './right.ts'
import { recordSignIn, type SignInMethod, startsSession } from './sign-ins.ts'
import { type Attempt, surfaceDatabaseErrors } from './surface-database-errors.ts'
import type { Seal } from './two-factor.ts'

/** One request for an endpoint of better-auth, with its origin. */
export interface AuthRequest {
  readonly http: Request
  readonly method: 'GET' | 'POST'
  /** Under /api/auth, with its query. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly address: string
  readonly requestId: string
  /** The right to confirm when it takes effect; null if nobody has to be signed in. */
  readonly need: Need | null
  /** How it signs somebody in, where it does. */
  readonly signsInBy: SignInMethod | null
  /** Written in the transaction of its change, such as the audit log. */
  readonly alongside: readonly Sql[]
}

export interface Auth extends Seal {
  answer(request: AuthRequest): Promise<Response>
  createResetToken(personId: string): Promise<string>
  /** Whether a link to set a new password still works. */
  hasResetToken(token: string): Promise<boolean>
}

/** better-auth does sign-in, passwords and cookies, on our store and in our tables. */
export function createAuth(db: Database, settings: AuthSettings): Auth {
  const surfaced = surfaceDatabaseErrors(db)
  const auth = betterAuth(optionsOf(surfaced, settings))
  return {
    answer: async (request) => {
      const attempt = { personId: null }
      const { need, alongside } = request
      try {
        const work = () => auth.handler(requestOf(request, settings.baseUrl))
        const response = await surfaced.run(work, { need, attempt, alongside })
        if (response.status >= 400) throw await failureOf(response)
        await recordSuccess(db, request, { response, attempt })
        return response
      } catch (error) {
        // Not awaited: the time that it takes would reveal whether the person exists.
        if (isWrong(error)) recordFailure(db, request, attempt).catch((cause) => settings.failed(cause, 'sign_in'))
        throw error
      }
    },
    createResetToken: async (personId) => {
      const token = randomBytes(24).toString('base64url')
      const { internalAdapter } = await auth.$context
      const expiresAt = new Date(Date.now() + resetMs)
      await internalAdapter.createVerificationValue({
        identifier: `reset-password:${token}`,
        value: personId,
        expiresAt,
      })
      return token
    },
    hasResetToken: async (token) => {
      const { internalAdapter } = await auth.$context
      const found = await internalAdapter.findVerificationValue(`reset-password:${token}`)
      return found !== null && found.expiresAt > new Date()
    },
    seal: async (data) => symmetricEncrypt({ key: (await auth.$context).secretConfig, data }),
    unseal: async (data) => symmetricDecrypt({ key: (await auth.$context).secretConfig, data }),
  }
}

interface Success {
  readonly response: Response
  readonly attempt: Attempt
}

async function recordSuccess(
  db: Database,
  { signsInBy, ...request }: AuthRequest,
  { response, attempt: { personId } }: Success,
): Promise<void> {
  if (signsInBy !== null && personId !== null && startsSession(response))
    await recordSignIn(db, personId, { outcome: 'ok', method: signsInBy, ...originOf(request) })
}

const wrong: readonly string[] = ['invalid_email_or_password', 'invalid_code', 'code_used', 'invalid_passkey']

const isWrong = (error: unknown): boolean => error instanceof ApiError && wrong.includes(error.code)

async function recordFailure(db: Database, { signsInBy, ...request }: AuthRequest, attempt: Attempt): Promise<void> {
  if (signsInBy === null) return
  const email = String(request.body.email ?? '').toLowerCase()
  const personId = attempt.personId ?? (await findPerson(db, email))?.id
  if (personId) await recordSignIn(db, personId, { outcome: 'failed', method: signsInBy, ...originOf(request) })
}

const originOf = ({ address, http }: Pick<AuthRequest, 'address' | 'http'>) => ({
  address: address || null,
  userAgent: cutUserAgent(http.headers.get('user-agent') ?? '') || null,
})

function requestOf({ http, method, path, body, address, requestId, signsInBy }: AuthRequest, baseUrl: string): Request {
  const headers = new Headers({ 'content-type': 'application/json', [requestIdHeader]: requestId })
  if (address !== '') headers.set(addressHeader, address)
  for (const name of ['cookie', 'origin', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']) {
    const value = http.headers.get(name)
    if (value !== null) headers.set(name, shortened[name]?.(value) ?? value)
  }
  // Whoever is signed in already does not count in the second step, nor where a passkey says who it is.
  if (signsInBy !== null && replacesSession.includes(signsInBy))
    headers.set('cookie', withoutSession(headers.get('cookie') ?? ''))
  return new Request(`${requestedOrigin(http.url) ?? new URL(baseUrl).origin}/api/auth/${path}`, {
    method,
    headers,
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
}

/** What of a header somebody may have made long. */
const shortened: Readonly<Record<string, (value: string) => string>> = {
  'user-agent': cutUserAgent,
  cookie: ownCookies,
}

/** Far more than there are. */
const cookiesMax = 50

/** Each that better-auth sees takes it time, and other sites of the same domain may have set hundreds. */
function ownCookies(cookies: string): string {
  const own = cookies.split(';').filter((one) => one.includes(`${cookiePrefix}.`))
  return own.slice(0, cookiesMax).join(';')
}

/** `http://host/path` → `http://host`; null where the Host header is no name of a host. */
function requestedOrigin(url: string): string | null {
  const end = url.indexOf('/', url.indexOf('//') + 2)
  return parseOrigin(url.slice(0, end))?.origin ?? null
}

const replacesSession: readonly SignInMethod[] = ['code', 'recovery code', 'passkey']

const withoutSession = (cookies: string): string =>
  cookies
    .split(';')
    .filter((one) => !one.includes(`${cookiePrefix}.session_token=`))
    .join(';')
