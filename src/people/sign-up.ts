import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { failure } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import { createPerson, hasPeople } from './accounts.ts'
import { addressHeader, requestIdHeader } from './auth-headers.ts'
import { findOffer, joinBy } from './invitations.ts'
import { parseEmail, parseName, parseText } from './parse.ts'

/**
 * Replaces better-auth's sign-up. The person, the password, the membership and the use of the invitation are written in
 * one transaction.
 */
export const signUpPlugin = (db: Database, signup: 'invite' | 'open') => ({
  id: 'sign-up',
  endpoints: {
    // The name of the endpoint that this one replaces.
    signUpEmail: createAuthEndpoint(
      '/sign-up/email',
      { method: 'POST', use: [formCsrfMiddleware] },
      async (context) => {
        const person = await signUp(db, signup, Object(context.body), context.headers ?? new Headers())
        const session = await context.context.internalAdapter.createSession(person.id)
        const user = { ...person, emailVerified: false, updatedAt: person.createdAt }
        await setSessionCookie(context, { session, user })
        return context.json({ user: { id: person.id, name: person.name, email: person.email } })
      },
    ),
  },
})

async function signUp(db: Database, signup: 'invite' | 'open', body: Record<string, unknown>, headers: Headers) {
  const made = {
    name: parseName(body, 'name'),
    email: parseEmail(body, 'email'),
    password: parseText(body, 'password'),
  }
  const token = body.invitation
  const offer = typeof token === 'string' && token !== '' ? await findOffer(db, token) : null
  if (offer && offer.email !== made.email) throw failure.invitationForOther()
  // Checked before the password is hashed, which takes long. The transaction checks it again.
  if (!offer && signup === 'invite' && (await hasPeople(db))) throw failure.signUpClosed()
  return createPerson(db, made, signup === 'open' ? 'open' : 'first', (id) => {
    if (!offer) return null
    const by = {
      actorId: id,
      actor: made.email,
      address: headers.get(addressHeader),
      userAgent: headers.get('user-agent'),
      requestId: headers.get(requestIdHeader),
    }
    return joinBy(db, offer, { personId: id, by })
  })
}
