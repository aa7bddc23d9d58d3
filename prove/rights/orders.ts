import { password, type SignedIn } from '../people.ts'
import { Missed } from '../proof.ts'
import type { Scene } from './scene.ts'
import type { WritingRoute } from './writing-routes.ts'

/** A way in which a right ends. */
export interface Order {
  readonly name: string
  /** Whether it ends the right that a route takes. */
  ends(route: WritingRoute): boolean
  /** Ends it by a request. */
  end(base: string, scene: Scene): Promise<void>
}

const isOfCompany = ({ needs }: WritingRoute): boolean => ['viewer', 'developer', 'owner'].includes(needs)
const isOfSession = ({ needs }: WritingRoute): boolean => needs !== 'credential'

export const orders: readonly Order[] = [
  {
    name: 'removed',
    ends: isOfCompany,
    end: (base, { actor, owner }) => ask(`${base}/api/members/${actor.id}`, 'DELETE', owner.headers),
  },
  {
    name: 'demoted',
    // Every member may leave, but only owners may send others away, which is what is held.
    ends: isOfCompany,
    end: (base, { actor, owner }) => ask(`${base}/api/members/${actor.id}`, 'PATCH', owner.headers, { role: 'viewer' }),
  },
  {
    name: 'credential revoked',
    ends: ({ needs }) => needs === 'credential',
    end: (base, { credential, owner }) =>
      ask(`${base}/api/credentials/${credential.id}/revoke`, 'POST', owner.headers, {}),
  },
  {
    name: 'password changed',
    ends: isOfSession,
    end: (base, { elsewhere }) =>
      ask(`${base}/api/auth/change-password`, 'POST', elsewhere.headers, {
        currentPassword: password,
        newPassword: 'a password that is new',
        revokeOtherSessions: true,
      }),
  },
  {
    name: 'session ended',
    ends: isOfSession,
    end: (base, { actor, elsewhere }) => ask(`${base}/api/sessions/${actor.sessionId}`, 'DELETE', elsewhere.headers),
  },
]

async function ask(url: string, method: string, headers: SignedIn['headers'], body?: object): Promise<void> {
  const own = { ...headers, Origin: new URL(url).origin, 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method, headers: own, ...(body ? { body: JSON.stringify(body) } : {}) })
  // A request that could not be held in time may have ended the session that this one needs.
  if (!answer.ok) throw new Missed(`${method} ${url}: ${answer.status} ${await answer.text()}`)
}
