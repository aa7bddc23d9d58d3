import { twoFactorTurned } from '../people/notices.ts'
import { parseText } from '../people/parse.ts'
import { requireOwnFactor } from '../people/passkeys.ts'
import { requirePassword } from '../people/password.ts'
import { base32, totpUri } from '../people/totp.ts'
import {
  confirmTwoFactor,
  endTwoFactor,
  findTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
} from '../people/two-factor.ts'
import type { Answer } from '../response/answer.ts'
import { attemptsMax, done, ok, type SettingsContext, type SettingsRoute, whose } from './context.ts'
import type * as documents from './documents/people.ts'

export const twoFactorRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/two-factor', role: 'person', handle: show },
  { method: 'POST', path: '/api/two-factor/start', role: 'person', attempts: attemptsMax, handle: start },
  { method: 'POST', path: '/api/two-factor/confirm', role: 'person', attempts: attemptsMax, handle: confirm },
  { method: 'POST', path: '/api/two-factor/recovery-codes', role: 'person', attempts: attemptsMax, handle: renew },
  { method: 'POST', path: '/api/two-factor/turn-off', role: 'person', attempts: attemptsMax, handle: turnOff },
]

async function show({ db, people, person }: SettingsContext): Promise<Answer> {
  const { isOn, since, recoveryCodesLeft } = await findTwoFactor(db, people, person.id)
  return ok<documents.TwoFactor>({ is_on: isOn, since, recovery_codes_left: recoveryCodesLeft })
}

async function start(context: SettingsContext): Promise<Answer> {
  const { db, people, person } = context
  await requirePassword(db, person.id, parseText(await context.json(), 'password'))
  await requireOwnFactor(db, person)
  const secret = await startTwoFactor(db, people, person.id)
  return ok<documents.TwoFactorKey>({ uri: totpUri(secret, person.email), key: base32(secret) }, 201)
}

async function confirm(context: SettingsContext): Promise<Answer> {
  const { db, people, person, sessionId } = context
  const code = parseText(await context.json(), 'code').replace(/\s/g, '')
  await requireOwnFactor(db, person)
  const codes = await confirmTwoFactor(db, people, { ...whose(context), code, sessionId })
  notify(context, 'on')
  return ok<documents.RecoveryCodes>({ recovery_codes: codes })
}

async function renew(context: SettingsContext): Promise<Answer> {
  const { db, people, person } = context
  await requirePassword(db, person.id, parseText(await context.json(), 'password'))
  return ok<documents.RecoveryCodes>({ recovery_codes: await renewRecoveryCodes(db, people, whose(context)) })
}

async function turnOff(context: SettingsContext): Promise<Answer> {
  const { db, person } = context
  await requirePassword(db, person.id, parseText(await context.json(), 'password'))
  await endTwoFactor(db, whose(context))
  notify(context, 'off')
  return done
}

const notify = ({ person, site }: SettingsContext, state: 'on' | 'off'): void =>
  site.notify(twoFactorTurned(state, { to: person.email, baseUrl: site.baseUrl }))
