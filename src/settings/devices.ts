import { endDevice, endOtherDevices, listDevices } from '../people/sessions.ts'
import { listSignIns } from '../people/sign-ins.ts'
import type { Answer } from '../response/answer.ts'
import { done, ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/people.ts'

export const devicesRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/sessions', role: 'person', handle: list },
  { method: 'GET', path: '/api/sign-ins', role: 'person', handle: listAttempts },
  { method: 'DELETE', path: '/api/sessions/:id', role: 'person', handle: end },
  // Named like better-auth's endpoints, but our own: theirs needs the tokens of the other sessions.
  { method: 'POST', path: '/api/auth/revoke-other-sessions', role: 'person', handle: endOthers },
]

async function list({ db, person, sessionId }: SettingsContext): Promise<Answer> {
  const devices = await listDevices(db, person.id)
  return ok<readonly documents.SignedInDevice[]>(
    devices.map(({ id, createdAt, updatedAt, address, userAgent }) => ({
      id,
      created_at: createdAt,
      updated_at: updatedAt,
      address,
      user_agent: userAgent,
      is_current: id === sessionId,
    })),
  )
}

async function end({ db, person, params }: SettingsContext): Promise<Answer> {
  await endDevice(db, person.id, params.id ?? '')
  return done
}

async function endOthers({ db, person, sessionId }: SettingsContext): Promise<Answer> {
  await endOtherDevices(db, person.id, sessionId)
  return ok({ status: true })
}

async function listAttempts({ db, person }: SettingsContext): Promise<Answer> {
  const signIns = await listSignIns(db, person.id)
  return ok<readonly documents.SignIn[]>(
    signIns.map(({ id, createdAt, outcome, method, address, userAgent }) => ({
      id,
      created_at: createdAt,
      outcome,
      method,
      address,
      user_agent: userAgent,
    })),
  )
}
