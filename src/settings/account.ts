import { failure } from '../errors/index.ts'
import { confirmEmail, createEmailToken, renamePerson } from '../people/change-account.ts'
import { deletePerson, listOwnedAlone } from '../people/delete-person.ts'
import { parseEmail, parseName, parseText } from '../people/parse.ts'
import { requirePassword } from '../people/password.ts'
import type { Answer } from '../response/answer.ts'
import { attemptsMax, done, ok, type SettingsContext, type SettingsRoute, whose } from './context.ts'
import type * as documents from './documents/people.ts'

/** Each is a mail to a stranger. */
const mailsMax = { requests: 5, seconds: 3600 }

export const accountRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/account', role: 'person', handle: show },
  { method: 'PATCH', path: '/api/account', role: 'person', handle: rename },
  { method: 'POST', path: '/api/account/email', role: 'person', attempts: mailsMax, handle: askForEmail },
  { method: 'POST', path: '/api/account/email/confirm', role: 'public', handle: takeEmail },
  { method: 'POST', path: '/api/account/delete', role: 'person', attempts: attemptsMax, handle: remove },
]

async function show({ db, person: { id, name, email } }: SettingsContext): Promise<Answer> {
  const { staying, ending } = await listOwnedAlone(db, id)
  return ok<documents.Account>({ name, email, only_owner_of: staying, only_owner_of_deleted: ending })
}

async function rename(context: SettingsContext): Promise<Answer> {
  const name = parseName(await context.json(), 'name')
  await renamePerson(context.db, context.person.id, name)
  return ok({ name })
}

/** Mails a link to the new address. Whether an account has it already is told to who reads that mail only. */
async function askForEmail(context: SettingsContext): Promise<Answer> {
  const { db, person, site } = context
  const body = await context.json()
  const email = parseEmail(body, 'email')
  if (email === person.email)
    throw failure.settingsBodyInvalid('"email" is the address that you have already', 'Type another one.')
  await requirePassword(db, person.id, parseText(body, 'password'))
  if (!site.mail) throw failure.mailOff()
  const token = await createEmailToken(db, person.id, email)
  try {
    await site.mail.send(confirmMessage(site.baseUrl, email, token))
  } catch (error) {
    throw failure.messageNotSent(error)
  }
  return ok({ email }, 202)
}

const confirmMessage = (baseUrl: string, to: string, token: string) => ({
  to,
  subject: 'Confirm your new e-mail address',
  text: `Somebody, hopefully you, wants to sign in at ${baseUrl} with this address from now on.\n\nConfirm it within an hour:\n${baseUrl}/confirm-email?token=${token}\n\nIf it was not you, do nothing.\n`,
})

async function takeEmail(context: SettingsContext): Promise<Answer> {
  const { db, site } = context
  const { from, to } = await confirmEmail(db, context.from, parseText(await context.json(), 'token'))
  site.notify({
    to: from,
    subject: 'Your e-mail address was changed',
    text: `You now sign in at ${site.baseUrl} as ${to}, and no longer as ${from}.\n\nIf it was not you, tell the operator of the installation at once.\n`,
  })
  return ok({ email: to })
}

async function remove(context: SettingsContext): Promise<Answer> {
  const { db, person, site } = context
  const body = await context.json()
  if (parseEmail(body, 'email') !== person.email)
    throw failure.settingsBodyInvalid('"email" is not the address of your account', 'Type it as you sign in with it.')
  await requirePassword(db, person.id, parseText(body, 'password'))
  await deletePerson(db, whose(context))
  site.notify({
    to: person.email,
    subject: 'Your account was deleted',
    text: `Your account at ${site.baseUrl} was deleted.\n\nIf it was not you, tell the operator of the installation at once.\n`,
  })
  return done
}
