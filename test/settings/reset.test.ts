import { afterAll, expect, test } from 'bun:test'
import { runCommand } from '../../src/cli/index.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import type { World } from '../support/world.ts'
import { openInbox } from './inbox.ts'
import { auditOf, behindProxy, newEmail, outcome, password, signedIn, visit } from './support.ts'

const inbox = await openInbox()
afterAll(inbox.close)
const { letters, letterTo } = inbox

const settings = { ...behindProxy, SMTP_URL: inbox.url, MAIL_FROM: 'Bids <bids@example.com>' }

async function reset(world: World, token: string, newPassword: string) {
  return outcome(await visit(world).post('/auth/reset-password', { token, newPassword }))
}

onEachEngine(
  'a forgotten password',
  (world) => {
    test('is reset once by a link in a mail, and every session ends', async () => {
      const email = newEmail()
      const browser = await signedIn(world, world.acme.id, 'viewer', email)
      expect((await visit(world).get('/setup')).json.email_enabled).toBe(true)
      const body = { email, redirectTo: '/reset-password' }
      expect((await visit(world).post('/auth/request-password-reset', body)).status).toBe(200)
      const letter = await letterTo(email)
      expect(letter).toContain('From: Bids <bids@example.com>')
      const [, token = ''] = letter.match(new RegExp(`${world.base}/reset-password\\?token=([\\w-]+)`)) ?? []
      expect(token.length).toBeGreaterThan(20)
      const check = async () => outcome(await visit(world).post('/links/reset-password', { token }))
      expect((await check())[0]).toBe(204)
      expect(await reset(world, token, 'short')).toEqual([400, 'password_unfit'])
      expect((await browser.get('/session')).status).toBe(200)
      expect(await reset(world, token, 'quite another one')).toEqual([200, undefined])
      expect((await browser.get('/session')).status).toBe(401)
      expect(await check()).toEqual([400, 'invalid_token'])
      expect(await reset(world, token, 'yet another one')).toEqual([400, 'invalid_token'])
      expect(outcome(await browser.signIn(email))).toEqual([401, 'invalid_email_or_password'])
      expect((await browser.signIn(email, 'quite another one')).status).toBe(200)
    })

    test('is reset by a link that the operator prints, within an hour', async () => {
      const email = newEmail()
      await signedIn(world, null, 'viewer', email)
      const printed: string[] = []
      const run = async (...args: string[]) => {
        const env = { DATABASE_URL: world.databaseUrl, BASE_URL: 'https://api.example.com' }
        const print = (text: string) => printed.push(text)
        return runCommand(args, { env, isTerminal: false, startedAt: 0, print, printError: print })
      }
      const link = async (): Promise<string> => {
        expect(await run('user', 'reset-password', email, '--json')).toBe(0)
        return JSON.parse(printed.at(-1) ?? '').link
      }
      const [first, second] = [await link(), await link()]
      expect(first).toStartWith('https://api.example.com/reset-password?token=')
      const token = (url: string) => new URL(url).searchParams.get('token') ?? ''
      expect(await reset(world, token(first), 'quite another one')).toEqual([200, undefined])
      expect((await visit(world).signIn(email, 'quite another one')).status).toBe(200)
      // Whoever has an older link has nothing any more.
      expect(await reset(world, token(second), 'yet another one')).toEqual([400, 'invalid_token'])
      const third = await link()
      await world.db.transact([sql`update verification set expires_at = '2026-01-01T00:00:00+00:00'`])
      expect(await reset(world, token(third), 'yet another one')).toEqual([400, 'invalid_token'])
      expect(await reset(world, 'nonsense', 'yet another one')).toEqual([400, 'invalid_token'])
      expect(await reset(world, 'a\0b', 'yet another one')).toEqual([400, 'invalid_settings_body'])
      expect(await run('user', 'reset-password', 'nobody@example.com')).toBe(1)
      expect(printed.at(-1)).toContain('There is nobody')
    })

    test('gets one and the same answer whether there is such a person or not, and whatever becomes of the mail', async () => {
      const email = `refused-${newEmail()}`
      await signedIn(world, null, 'viewer', email)
      const asked = (address: string) => visit(world).post('/auth/request-password-reset', { email: address })
      const [known, unknown] = [await asked(email), await asked(newEmail())]
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      expect(known.status).toBe(200)
    })

    test('leaves no link in a log or a row', async () => {
      const tokens = letters.flatMap((letter) => [...letter.matchAll(/token=([\w-]+)/g)].map(([, token = '']) => token))
      expect(tokens.length).toBeGreaterThan(0)
      const kept = JSON.stringify(await world.db.read(sql`select identifier, value from verification`))
      for (const token of tokens) expect(world.logged.join('') + kept).not.toContain(token)
    })
  },
  settings,
)

onEachEngine(
  'an invitation',
  (world) => {
    // Who has the link can make the account: it must not be the one who invites, where it need not be.
    test('goes out by mail alone, so that only who reads that mail can use it', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const email = newEmail()
      const made = await owner.post('/invitations', { email, role: 'viewer' })
      expect([made.status, made.json.emailed, made.json.link]).toEqual([201, true, null])
      const [, token = ''] = /\/invitation\/([\w-]{43})/.exec(await letterTo(email)) ?? []
      expect(made.text).not.toContain(token)
      expect((await visit(world).signUp(email, { invitation: token })).status).toBe(200)
    })

    test('does not stay when its mail is refused, and its link is shown to nobody', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const email = `refused-${newEmail()}`
      const refused = await owner.post('/invitations', { email, role: 'viewer' })
      expect(outcome(refused)).toEqual([502, 'mail_not_sent'])
      expect(refused.text).not.toContain('/invitation/')
      const open: { email: string }[] = (await owner.get('/invitations')).json
      expect(open.filter((one) => one.email === email)).toEqual([])
      expect(await auditOf(world, world.acme.id, 'invitation.revoked')).toEqual([])
      expect(await auditOf(world, world.acme.id, 'invitation.not_sent')).toMatchObject([{ target: email }])
      await until(() => world.logged.join('').includes('mail_not_sent'))
    })

    test('does not stay when the server for mail is away', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const email = newEmail()
      const refused = await inbox.whileAway(() => owner.post('/invitations', { email, role: 'viewer' }))
      expect(outcome(refused)).toEqual([502, 'mail_not_sent'])
      const rows = await world.db.read(sql`select id from invitation where email = ${email}`)
      expect(rows).toEqual([])
    })

    // A message of ours goes to people who do not know us: nothing that somebody calls himself may change what it says.
    test('spells out control characters in names that are older than the rule against them', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const email = newEmail()
      await world.db.transact([
        sql`update company set name = ${'Acme\r\nBcc: x@evil.example\u202e'} where id = ${world.acme.id}`,
      ])
      expect((await owner.post('/invitations', { email, role: 'viewer' })).status).toBe(201)
      const letter = await letterTo(email)
      expect(letter).toContain('Invitation to Acme\\u000d\\u000aBcc: x@evil.example\\u202e')
      expect(letter).not.toContain('\nBcc:')
    })
  },
  settings,
)

onEachEngine(
  'the command line',
  (world) => {
    test('makes people who can sign in, with a role in a company', async () => {
      const printed: string[] = []
      const run = (...args: string[]) => {
        const print = (text: string) => printed.push(text)
        const env = { DATABASE_URL: world.databaseUrl }
        return runCommand(['user', 'create', ...args], {
          env,
          isTerminal: false,
          startedAt: 0,
          print,
          printError: print,
        })
      }
      const [one, two] = [newEmail(), newEmail()]
      expect(await run('--email', one, '--name', 'One', '--company', 'Acme', '--role', 'developer', '--json')).toBe(0)
      const made = JSON.parse(printed.at(-1) ?? '')
      expect(made).toMatchObject({ email: one, name: 'One', company_id: world.acme.id, role: 'developer' })
      const browser = visit(world)
      expect((await browser.signIn(one, made.password)).status).toBe(200)
      expect((await browser.get('/session')).json.company).toMatchObject({ id: world.acme.id, role: 'developer' })
      expect(await run('--email', two, '--name', 'Two', '--password', password)).toBe(0)
      expect(printed.at(-1)).not.toContain(password)
      expect((await visit(world).signIn(two)).status).toBe(200)
      expect(await run('--email', one, '--name', 'Again')).toBe(1)
      expect(await run('--email', newEmail(), '--name', 'Short', '--password', 'short')).toBe(1)
      expect(await run('--email', 'nobody', '--name', 'Nobody')).toBe(1)
      expect(await run('--email', newEmail(), '--name', 'King', '--role', 'king')).toBe(2)
    })
  },
  behindProxy,
)
