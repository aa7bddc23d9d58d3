import { failure } from '../errors/index.ts'
import { findEmailChange } from '../people/change-account.ts'
import { parseText } from '../people/parse.ts'
import type { Answer } from '../response/answer.ts'
import { done, ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/people.ts'

/** What links in mails are good for, before anybody uses them. The token is in the body, so that no log has it. */
export const linksRoutes: readonly SettingsRoute[] = [
  { method: 'POST', path: '/api/links/reset-password', role: 'public', handle: checkReset },
  { method: 'POST', path: '/api/links/confirm-email', role: 'public', handle: showEmail },
]

async function checkReset({ people, json }: SettingsContext): Promise<Answer> {
  if (!(await people.hasResetToken(parseText(await json(), 'token')))) throw failure.resetLinkInvalid()
  return done
}

async function showEmail({ db, json }: SettingsContext): Promise<Answer> {
  const { to } = await findEmailChange(db, parseText(await json(), 'token'))
  return ok<documents.NewEmail>({ email: to })
}
