import { randomInt } from 'node:crypto'
import type { Recorder } from './recorder.ts'

const json = { 'Content-Type': 'application/json' }

/** Everything that makes, takes or changes a secret, by the command line, the settings page and the API; each once. */
export async function makeTraffic(recorder: Recorder, base: string): Promise<void> {
  const mark = Bun.randomUUIDv7().slice(-12)
  const company = `Company ${mark}`
  await recorder.run('company', 'create', company)
  const made = await recorder.run('credential', 'create', '--company', company, '--name', 'Made by command')
  const first = recorder.issue('API secret', made.api_secret)
  const rotated = await recorder.run('credential', 'rotate', made.id ?? '', '--grace', '1h')
  recorder.issue('API secret', rotated.api_secret)
  const email = `owner-${mark}@example.com`
  const user = await recorder.run('user', 'create', '--email', email, '--name', 'Owner', '--company', company)
  const cookie = await signIn(recorder, base, email, recorder.issue('password', user.password))
  const credentials = await manageCredentials(recorder, base, cookie)
  await invite(recorder, base, cookie)
  await resetPassword(recorder, base, email)
  for (const secret of [first, ...credentials]) await misplace(recorder, base, made.api_key ?? '', secret)
}

/** The session's token, signed, as its cookie. */
async function signIn(recorder: Recorder, base: string, email: string, password: string): Promise<string> {
  await post(recorder, base, '/auth/sign-in/email', {
    email,
    password: recorder.keep('wrong password', `${password}?`),
  })
  await post(recorder, base, '/auth/sign-in/email', { email: password, password: email })
  const { headers } = await post(recorder, base, '/auth/sign-in/email', { email, password })
  const [, value] = /session_token=([^;]+)/.exec(headers.getSetCookie().join('\n')) ?? []
  const [token = ''] = decodeURIComponent(value ?? '').split('.')
  recorder.issue('session token', token)
  return `project-api.session_token=${value}`
}

async function manageCredentials(recorder: Recorder, base: string, cookie: string): Promise<string[]> {
  const { text } = await post(recorder, base, '/credentials', { name: 'Made by hand', access: 'read-write' }, cookie)
  const { id, api_secret } = JSON.parse(text)
  const first = recorder.issue('API secret', api_secret)
  const rotated = await post(recorder, base, `/credentials/${id}/rotate`, { grace_seconds: 3600 }, cookie)
  const second = recorder.issue('API secret', JSON.parse(rotated.text).api_secret)
  await post(recorder, base, `/credentials/${id}/rotate`, { grace_seconds: 0 }, cookie)
  await post(recorder, base, `/credentials/${id}/revoke`, {}, cookie)
  for (const path of [
    '/credentials',
    `/credentials/${id}`,
    '/session',
    '/sessions',
    '/overview',
    '/activity',
    '/members',
  ])
    await recorder.ask(`${base}/api${path}`, { headers: { Cookie: cookie } })
  return [first, second]
}

async function invite(recorder: Recorder, base: string, cookie: string): Promise<void> {
  const email = `guest-${Bun.randomUUIDv7().slice(-12)}@example.com`
  const { text } = await post(recorder, base, '/invitations', { email, role: 'viewer' }, cookie)
  const token = recorder.issue('invitation', JSON.parse(text).link?.split('/').at(-1))
  await recorder.ask(`${base}/api/invitation/${token}`)
  await recorder.ask(`${base}/invitation/${token}`)
  await recorder.ask(`${base}/api/invitations`, { headers: { Cookie: cookie } })
  const password = recorder.keep('password', `password of ${email}`)
  await post(recorder, base, '/auth/sign-up/email', { name: 'Guest', email, password: 'short', invitation: token })
  await post(recorder, base, '/auth/sign-up/email', { name: 'Guest', email, password, invitation: token })
  await signIn(recorder, base, email, password)
}

async function resetPassword(recorder: Recorder, base: string, email: string): Promise<void> {
  const printed = await recorder.run('user', 'reset-password', email)
  const token = recorder.issue('reset token', printed.link?.split('token=').at(-1))
  await recorder.ask(`${base}/reset-password?token=${token}`)
  const newPassword = recorder.keep('password', `a new one for ${email}`)
  await post(recorder, base, '/auth/reset-password', { token, newPassword: 'short' })
  await post(recorder, base, '/auth/reset-password', { token, newPassword })
  await post(recorder, base, '/auth/reset-password', { token, newPassword })
  const cookie = await signIn(recorder, base, email, newPassword)
  const changed = recorder.keep('password', `yet another for ${email}`)
  await post(recorder, base, '/auth/change-password', { currentPassword: newPassword, newPassword: changed }, cookie)
}

const post = (recorder: Recorder, base: string, path: string, body: object, cookie = '') =>
  recorder.ask(`${base}/api${path}`, {
    method: 'POST',
    headers: { ...json, Cookie: cookie, Origin: base, 'X-Forwarded-For': `10.0.${randomInt(256)}.${randomInt(256)}` },
    body: JSON.stringify(body),
  })

/** Where a client that was written in haste may put it. */
async function misplace(recorder: Recorder, base: string, apikey: string, secret: string): Promise<void> {
  const right = { apikey, 'X-API-Secret': secret }
  const joined = `${apikey}.${secret}`
  const rows = `${base}/rest/v1/project`
  const paths = [
    `${secret}`,
    `rest/v1/${secret}`,
    `rest/v1/project/${secret}`,
    `api/${secret}`,
    `api/credentials/${secret}`,
    `docs/${secret}`,
  ]
  const queries = ['apikey', 'select', 'order', 'limit', 'id', 'on_conflict', secret]
  const fields = [
    'apikey',
    'Authorization',
    'Prefer',
    'Accept',
    'Content-Type',
    'Range',
    'If-Match',
    'Idempotency-Key',
    'X-Request-Id',
    'Cookie',
    'Origin',
  ]
  const bodies = [
    `{"${secret}":1}`,
    `{"bid_id":"${secret}","project_name":"x"}`,
    `["${secret}"]`,
    secret,
    `{"project_name":${secret}`,
  ]
  await recorder.ask(rows, { headers: { apikey: joined } })
  for (const path of paths) await recorder.ask(`${base}/${path}`, { headers: right })
  for (const name of queries) await recorder.ask(`${rows}?${name}=eq.${secret}`, { headers: right })
  for (const name of fields) {
    for (const value of [secret, `Bearer ${secret}`, `${secret}x`, joined, `Bearer ${joined}`])
      await recorder.ask(rows, { headers: { ...right, [name]: value } })
  }
  for (const body of bodies) await recorder.ask(rows, { method: 'POST', headers: { ...right, ...json }, body })
  // Of all requests, the last is remembered, and with it who sent it.
  await recorder.ask(rows, { headers: { ...right, 'User-Agent': `client ${secret}` } })
}
