import type { AuthRequest } from '../people/auth.ts'
import type { Answer } from '../response/answer.ts'
import type { SettingsContext } from './context.ts'

interface Asked extends Pick<AuthRequest, 'method' | 'path' | 'signsInBy'> {
  readonly body?: AuthRequest['body']
  readonly alongside?: AuthRequest['alongside']
}

/** Asks an endpoint of better-auth in the name of the request. */
export async function askAuth(
  context: SettingsContext,
  { body = {}, alongside = [], ...asked }: Asked,
): Promise<Answer> {
  const { http, people, from, need } = context
  const { address, requestId } = from
  const response = await people.answer({ http, body, address, requestId, need, alongside, ...asked })
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

/** Removes the session token: it belongs in the cookie, where no script can read it. */
function withoutToken(text: string): string {
  const body: unknown = JSON.parse(text)
  return JSON.stringify(body, (name, value) => (name === 'token' ? undefined : value))
}
