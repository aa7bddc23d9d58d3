import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import type { Auth, AuthRequest } from './auth.ts'
import { loadAuth } from './load-auth.ts'
import { cookiePrefix, type PeopleSettings } from './people-settings.ts'
import { findSecret } from './secret.ts'
import { type Asked, type CookieKey, createTouch, endReplaced, findSession, type Session } from './sessions.ts'
import { startsSession } from './sign-ins.ts'
import type { Seal } from './two-factor.ts'

/** The people of an installation: who is signed in, and better-auth's own endpoints. */
export interface People extends Seal {
  findSession(asked: Asked): Promise<Session | null>
  /** Serves a request under /api/auth, or throws what is to be told. */
  answer(request: AuthRequest): Promise<Response>
  /** A token that lets its bearer set a new password, once and within an hour. */
  createResetToken(personId: string): Promise<string>
  /** Whether a link to set a new password still works. */
  hasResetToken(token: string): Promise<boolean>
}

export function createPeople(db: Database, settings: PeopleSettings): People {
  const secret = once(() => findSecret(db, settings.authSecret))
  const key = once(async (): Promise<CookieKey> => {
    const prefix = settings.baseUrl().startsWith('https:') ? '__Secure-' : ''
    return { name: `${prefix}${cookiePrefix}.session_token`, secret: await secret() }
  })
  const auth = once(async (): Promise<Auth> => {
    const { createAuth } = await loadAuth()
    return createAuth(db, { ...settings, secret: await secret(), baseUrl: settings.baseUrl() })
  })
  const touch = createTouch(db)
  return {
    findSession: async (asked) => (asked.cookies === null ? null : findSession({ db, key: await key(), touch }, asked)),
    answer: async (request) => {
      try {
        const response = await (await auth()).answer(request)
        if (request.signsInBy !== null && startsSession(response))
          await endReplaced(db, await key(), request.http.headers.get('cookie'))
        return response
      } catch (error) {
        // better-auth asks a provider once, when it starts.
        if (error instanceof ApiError && error.code === 'oidc_away') auth.forget()
        throw error
      }
    },
    createResetToken: async (personId) => (await auth()).createResetToken(personId),
    hasResetToken: async (token) => (await auth()).hasResetToken(token),
    seal: async (text) => (await auth()).seal(text),
    unseal: async (text) => (await auth()).unseal(text),
  }
}

/** Does something the first time that it is asked for; after a failure, again. */
function once<Result>(make: () => Promise<Result>): (() => Promise<Result>) & { forget(): void } {
  let made: Promise<Result> | null = null
  const get = () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
  const forget = () => {
    made = null
  }
  return Object.assign(get, { forget })
}
