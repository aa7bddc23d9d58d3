import { afterAll, expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import type { World } from '../support/world.ts'
import { openInbox } from './inbox.ts'
import {
  Authenticator,
  auditOf,
  type Browser,
  behindProxy,
  newEmail,
  outcome,
  password,
  setUpTwoFactor,
  signedIn,
  visit,
} from './support.ts'

const inbox = await openInbox()
afterAll(inbox.close)

const tokenIn = (letter: string): string => /confirm-email\?token=([\w-]+)/.exec(letter)?.[1] ?? ''

const countOf = async ({ db }: World, email: string): Promise<number> =>
  (await db.read(sql`select 1 from person where email = ${email}`)).length

onEachEngine(
  'an account',
  (world) => {
    test('changes its name', async () => {
      const here = await signedIn(world, world.acme.id, 'viewer')
      expect((await here.patch('/account', { name: ' Augusta Ada ' })).json).toEqual({ name: 'Augusta Ada' })
      expect((await here.get('/session')).json.person.name).toBe('Augusta Ada')
      expect(outcome(await here.patch('/account', { name: ' ' }))).toEqual([400, 'invalid_settings_body'])
    })

    test('changes its address once somebody who reads mail to it says so', async () => {
      const [email, wanted] = [newEmail(), newEmail()]
      const here = await signedIn(world, world.acme.id, 'developer', email)
      expect(outcome(await here.post('/account/email', { email: wanted, password: 'x' }))).toEqual([
        403,
        'invalid_password',
      ])
      expect((await here.post('/account/email', { email: wanted, password })).status).toBe(202)
      const token = tokenIn(await inbox.letterTo(wanted))
      expect((await here.get('/session')).json.person.email).toBe(email)
      expect((await visit(world).post('/account/email/confirm', { token })).json).toEqual({ email: wanted })
      expect((await here.get('/session')).json.person.email).toBe(wanted)
      expect(await inbox.letterTo(email, 'was changed')).toContain(wanted)
      expect(outcome(await visit(world).post('/account/email/confirm', { token }))).toEqual([400, 'invalid_token'])
      expect(outcome(await visit(world).signIn(email))).toEqual([401, 'invalid_email_or_password'])
      expect((await visit(world).signIn(wanted)).status).toBe(200)
      expect(await auditOf(world, world.acme.id, 'member.email_changed')).toContainEqual(
        expect.objectContaining({ target: email, details: { from: email, to: wanted } }),
      )
      expect(JSON.stringify(await world.db.read(sql`select identifier from verification`))).not.toContain(token)
      expect(world.logged.join('')).not.toContain(token)
    })

    test('takes neither the address nor the password that it has already', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const same = await here.post('/account/email', { email: email.toUpperCase(), password })
      expect([...outcome(same), same.json.message]).toEqual([
        400,
        'invalid_settings_body',
        '"email" is the address that you have already',
      ])
      const change = { currentPassword: password, newPassword: password }
      const kept = await here.post('/auth/change-password', change)
      expect([...outcome(kept), kept.json.message]).toEqual([
        400,
        'password_unfit',
        'The new password is the one that you have already',
      ])
    })

    test('takes no address that another account has, and tells so to its reader only', async () => {
      const [here, taken] = [await signedIn(world, world.acme.id, 'viewer'), newEmail()]
      await signedIn(world, world.rival.id, 'viewer', taken)
      expect((await here.post('/account/email', { email: taken, password })).status).toBe(202)
      const token = tokenIn(await inbox.letterTo(taken))
      expect(outcome(await visit(world).post('/account/email/confirm', { token }))).toEqual([409, 'email_taken'])
    })

    test('takes the last address that was asked for, within an hour', async () => {
      const [here, first, second] = [await signedIn(world, world.acme.id, 'viewer'), newEmail(), newEmail()]
      await here.post('/account/email', { email: first, password })
      await here.post('/account/email', { email: second, password })
      const confirm = async (email: string) =>
        outcome(await visit(world).post('/account/email/confirm', { token: tokenIn(await inbox.letterTo(email)) }))
      expect(await confirm(first)).toEqual([400, 'invalid_token'])
      await world.db.transact([sql`update verification set expires_at = '2026-01-01T00:00:00+00:00'`])
      expect(await confirm(second)).toEqual([400, 'invalid_token'])
    })

    test('hears when the mail cannot be sent', async () => {
      const here = await signedIn(world, world.acme.id, 'viewer')
      const email = `refused-${newEmail()}`
      expect(outcome(await here.post('/account/email', { email, password }))).toEqual([502, 'mail_not_sent'])
    })

    test('is given another address by the operator', async () => {
      const [email, wanted] = [newEmail(), newEmail()]
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const env = { DATABASE_URL: world.databaseUrl }
      const { stdout } = await runHere(['user', 'change-email', email, wanted, '--json'], env)
      expect(JSON.parse(stdout)).toMatchObject({ email: wanted })
      expect((await here.get('/session')).json.person.email).toBe(wanted)
      const again = await runHere(['user', 'change-email', email, wanted], env)
      expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nobody') })
    })

    test('signs out everywhere else', async () => {
      const email = newEmail()
      const [here, there] = [await signedIn(world, world.acme.id, 'viewer', email), visit(world)]
      await there.signIn(email)
      expect((await here.post('/auth/revoke-other-sessions', {})).status).toBe(200)
      expect([(await here.get('/session')).status, (await there.get('/session')).status]).toEqual([200, 401])
    })

    test('has at most 100 sessions: a sign-in ends the oldest, with a code, too', async () => {
      const sessionsOf = async (email: string): Promise<string[]> =>
        (
          await world.db.read(
            sql`select s.id from session s join person p on p.id = s.person_id where p.email = ${email} order by s.id`,
          )
        ).map(([id]) => String(id))
      const people = [newEmail(), newEmail()] as const
      const browsers = await Promise.all(people.map((email) => signedIn(world, world.acme.id, 'viewer', email)))
      for (const email of people) await addOldSessions(world, email, 105)
      const [busy, other] = people
      expect((await visit(world).signIn(busy)).status).toBe(200)
      const left = await sessionsOf(busy)
      // The two that have just been started are the latest.
      expect([left.length, (await sessionsOf(other)).length]).toEqual([100, 106])
      expect((await browsers[0]?.get('/session'))?.status).toBe(200)
      expect((await browsers[0]?.get('/sessions'))?.json).toHaveLength(100)

      const here = browsers[0] ?? visit(world)
      const { key } = await setUpTwoFactor(here)
      await addOldSessions(world, busy, 105)
      const there = visit(world)
      const app = new Authenticator(key)
      app.next()
      await there.signIn(busy)
      expect((await there.post('/auth/two-factor/verify-totp', { code: app.next() })).status).toBe(200)
      expect(await sessionsOf(busy)).toHaveLength(100)
      expect((await there.get('/session')).status).toBe(200)
      expect((await sessionsOf(other)).length).toBe(106)
    })

    test('is deleted with its address and password, and leaves its traces in the log alone', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'developer', email)
      const wrong = { email: newEmail(), password }
      expect(outcome(await here.post('/account/delete', wrong))).toEqual([400, 'invalid_settings_body'])
      expect(outcome(await here.post('/account/delete', { email, password: 'x' }))).toEqual([403, 'invalid_password'])
      expect((await here.post('/account/delete', { email, password })).status).toBe(204)
      expect((await here.get('/session')).status).toBe(401)
      expect(outcome(await visit(world).signIn(email))).toEqual([401, 'invalid_email_or_password'])
      expect(await countOf(world, email)).toBe(0)
      expect(await auditOf(world, world.acme.id, 'member.account_deleted')).toContainEqual(
        expect.objectContaining({ actor: email, target: email }),
      )
      expect(await inbox.letterTo(email)).toContain('was deleted')
    })

    test('is not deleted while a company has no other owner', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.rival.id, 'owner', email)
      expect((await here.get('/account')).json).toEqual({
        name: email,
        email,
        only_owner_of: [{ id: world.rival.id, name: 'Rival' }],
        only_owner_of_deleted: [],
      })
      const refused = await here.post('/account/delete', { email, password })
      expect([...outcome(refused), refused.json.message]).toEqual([
        409,
        'sole_owner',
        'You are the only owner of Rival',
      ])
      expect(await countOf(world, email)).toBe(1)
      const second = newEmail()
      const other = await signedIn(world, world.rival.id, 'owner', second)
      // Of two owners who go at the same moment, one stays.
      const replies = await Promise.all([
        here.post('/account/delete', { email, password }),
        other.post('/account/delete', { email: second, password }),
      ])
      expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
    })

    const attempts = async (browser: Browser) =>
      (await browser.get('/sign-ins')).json.map(({ outcome, method }: Record<string, string>) => `${outcome} ${method}`)

    test('lists its sign-ins and the attempts that failed', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const { key, code, recoveryCodes } = await setUpTwoFactor(here)
      const thief = visit(world)
      await thief.signIn(email, 'a wrong guess')
      await until(async () => (await attempts(here)).length === 2)
      await thief.signIn(email)
      await thief.post('/auth/two-factor/verify-totp', { code: '000000' })
      await until(async () => (await attempts(here)).length === 3)
      const app = new Authenticator(key)
      await thief.post('/auth/two-factor/verify-totp', { code: [app.next(), app.next()].find((one) => one !== code) })
      const other = visit(world)
      await other.signIn(email)
      await other.post('/auth/two-factor/verify-backup-code', { code: recoveryCodes[0] })
      expect(await attempts(here)).toEqual([
        'ok recovery code',
        'ok code',
        'failed code',
        'failed password',
        'ok password',
      ])
      const [last] = (await here.get('/sign-ins')).json
      expect(last).toMatchObject({ address: other.address, user_agent: 'test' })
      // Nobody else's.
      expect(await attempts(await signedIn(world, world.acme.id, 'owner'))).toEqual(['ok password'])
    })

    test('keeps a bounded number of attempts, and none for who does not exist', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const [[id] = []] = await world.db.read(sql`select id from person where email = ${email}`)
      const { recordSignIn } = await import('../../src/people/sign-ins.ts')
      const failed = { outcome: 'failed', method: 'password', address: null, userAgent: null } as const
      for (let times = 0; times < 60; times += 1) await recordSignIn(world.db, String(id), failed)
      const [[count] = []] = await world.db.read(sql`select count(*) from sign_in where person_id = ${id ?? null}`)
      expect(Number(count)).toBe(51)
      await visit(world).signIn(newEmail())
      expect((await here.get('/sign-ins')).json).toHaveLength(50)
    })
  },
  { ...behindProxy, SMTP_URL: inbox.url },
)

onEachEngine(
  'an account where no mail is sent',
  (world) => {
    test('cannot change its address by itself, and hears who can', async () => {
      const here = await signedIn(world, world.acme.id, 'viewer')
      const reply = await here.post('/account/email', { email: newEmail(), password })
      expect([...outcome(reply), reply.json.hint]).toEqual([
        409,
        'mail_off',
        expect.stringContaining('user change-email'),
      ])
    })

    test('of the last person leaves a new installation behind', async () => {
      await world.db.transact([sql`delete from person`])
      const email = newEmail()
      const last = await signedIn(world, null, 'viewer', email)
      expect((await last.post('/account/delete', { email, password })).status).toBe(204)
      expect((await visit(world).get('/setup')).json.first_run).toBe(true)
      expect((await visit(world).signUp(newEmail())).status).toBe(200)
    })
  },
  behindProxy,
)

/** Sessions of somebody that began a while ago. */
async function addOldSessions({ db }: World, email: string, count: number): Promise<void> {
  const at = Date.now() - 3_600_000
  const [now, ends] = [timestampText(new Date(at)), timestampText(new Date(at + 7_200_000))]
  await db.transact(
    Array.from({ length: count }, () => {
      const id = Bun.randomUUIDv7('hex', at)
      return sql`insert into session (id, person_id, token, expires_at, created_at, updated_at)
        select ${id}, id, ${id}, ${ends}, ${now}, ${now} from person where email = ${email}`
    }),
  )
}
