import { afterAll, beforeAll, expect, test } from 'bun:test'
import { commandLine } from '../../src/people/audit.ts'
import { createCompany } from '../../src/people/companies.ts'
import { joinCompany } from '../../src/people/members.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { openInbox } from './inbox.ts'
import { addPasskey, namedSite, signInByPasskey } from './passkey-support.ts'
import { Authenticator, type Browser, newEmail, outcome, password, setUpTwoFactor, signedIn, visit } from './support.ts'

const inbox = await openInbox()
afterAll(inbox.close)

const newPassword = 'entirely new password'
const stale: [number, string] = [400, 'invalid_token']

onEachEngine(
  'whoever knows a password, or has known it,',
  (world) => {
    beforeAll(() => signedIn(world, world.acme.id, 'owner'), 300_000)

    const tokenIn = (letter: string) => /[?&]token=([\w-]+)/.exec(letter)?.[1] ?? ''
    const changePassword = async (browser: Browser) =>
      expect((await browser.post('/auth/change-password', { currentPassword: password, newPassword })).status).toBe(200)
    const resetPassword = async (email: string) => {
      const browser = visit(world)
      await browser.post('/auth/request-password-reset', { email })
      const token = tokenIn(await inbox.letterTo(email, 'Reset'))
      expect((await browser.post('/auth/reset-password', { token, newPassword })).status).toBe(200)
      return browser
    }
    /** An owner of a company that requires two factors, as others have signed in before or after. */
    const join = async (browser: Browser, rule: { readonly isStrict: boolean }) => {
      const { id: personId, email } = (await browser.get('/session')).json.person
      const { id } = await createCompany(world.db, `Company ${Bun.randomUUIDv7()}`)
      const { statements, check } = joinCompany(commandLine, { companyId: id, personId, email, role: 'owner' })
      await world.db.transact(statements, check)
      if (rule.isStrict) await world.db.transact([sql`update company set two_factor_required = true where id = ${id}`])
      return id
    }

    test.each(['changed', 'reset'] as const)('changes no address once it was %s', async (how) => {
      const [email, other] = [newEmail(), newEmail()]
      const thief = await signedIn(world, world.acme.id, 'owner', email)
      expect((await thief.post('/account/email', { email: other, password })).status).toBe(202)
      const token = tokenIn(await inbox.letterTo(other))
      const owner = visit(world)
      await owner.signIn(email)
      if (how === 'changed') await changePassword(owner)
      else await resetPassword(email)
      expect((await thief.get('/session')).status).toBe(401)
      expect(outcome(await visit(world).post('/account/email/confirm', { token }))).toEqual(stale)
      expect((await visit(world).signIn(email, newPassword)).status).toBe(200)
    })

    test('sets no other one by a link that was asked for before', async () => {
      const email = newEmail()
      const owner = await signedIn(world, world.acme.id, 'owner', email)
      await visit(world).post('/auth/request-password-reset', { email })
      const token = tokenIn(await inbox.letterTo(email, 'Reset'))
      await changePassword(owner)
      const late = await visit(world).post('/auth/reset-password', { token, newPassword: 'another new password' })
      expect(outcome(late)).toEqual(stale)
    })

    test('does not finish a sign-in that began with it', async () => {
      const email = newEmail()
      const owner = await signedIn(world, world.acme.id, 'owner', email)
      const { key } = await setUpTwoFactor(owner)
      const thief = visit(world)
      await thief.signIn(email)
      await changePassword(owner)
      const app = new Authenticator(key)
      app.next()
      const reply = await thief.post('/auth/two-factor/verify-totp', { code: app.next() })
      expect(outcome(reply)).toEqual([401, 'sign_in_stale'])
    })

    test('is signed out everywhere else by a new one, whatever the page asks for', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const there = visit(world)
      await there.signIn(email)
      const body = { currentPassword: password, newPassword, revokeOtherSessions: false }
      expect((await here.post('/auth/change-password', body)).status).toBe(200)
      expect((await there.get('/session')).status).toBe(401)
      expect((await here.get('/session')).status).toBe(200)
    })

    test('has no way in by a passkey that was added before the address was verified', async () => {
      const email = newEmail()
      const maker = visit(world)
      expect((await maker.signUp(email)).status).toBe(200)
      const device = await addPasskey(maker)
      const owner = await resetPassword(email)
      expect((await owner.signIn(email, newPassword)).status).toBe(200)
      expect((await signInByPasskey(visit(world), device)).status).toBe(403)
      expect((await owner.get('/passkeys')).json).toEqual([])
    })

    test('turns no codes on with a key from before where a passkey is needed', async () => {
      const email = newEmail()
      const owner = await signedIn(world, world.acme.id, 'developer', email)
      const thief = visit(world)
      await thief.signIn(email)
      const { key } = (await thief.post('/two-factor/start', { password })).json
      await addPasskey(owner)
      const companyId = await join(owner, { isStrict: true })
      const reply = await thief.post('/two-factor/confirm', { code: new Authenticator(key).next() })
      expect(outcome(reply)).toEqual([403, 'passkey_needed'])
      expect(outcome(await thief.get(`/c/${companyId}/members`))).toEqual([403, 'two_factor_required'])
    })

    test('confirms no key for codes that is older than an hour', async () => {
      const owner = await signedIn(world, world.acme.id, 'developer')
      const { key } = (await owner.post('/two-factor/start', { password })).json
      const { id } = (await owner.get('/session')).json.person
      const longAgo = '2026-01-01T00:00:00+00:00'
      await world.db.transact([sql`update two_factor set created_at = ${longAgo} where person_id = ${id}`])
      const reply = await owner.post('/two-factor/confirm', { code: new Authenticator(key).next() })
      expect(outcome(reply)).toEqual([409, 'two_factor_off'])
    })

    test('gains nothing by a session of one factor when codes are turned on', async () => {
      const email = newEmail()
      const owner = await signedIn(world, null, 'developer', email)
      const companyId = await join(owner, { isStrict: true })
      const thief = visit(world)
      await thief.signIn(email)
      expect(outcome(await thief.get(`/c/${companyId}/members`))).toEqual([403, 'two_factor_required'])
      await setUpTwoFactor(owner)
      expect((await thief.get(`/c/${companyId}/members`)).status).toBe(401)
      expect((await thief.post('/two-factor/turn-off', { password })).status).toBe(401)
      expect((await owner.get(`/c/${companyId}/members`)).status).toBe(200)
    })

    test('sees nobody of a company that requires two factors from another one', async () => {
      const owner = await signedIn(world, null, 'owner')
      const [strict, other] = [await join(owner, { isStrict: true }), await join(owner, { isStrict: false })]
      const email = newEmail()
      const member = await signedIn(world, strict, 'viewer', email)
      const { id: person_id } = (await member.get('/session')).json.person
      const known = async () => (await owner.get(`/c/${other}/members/known`)).text.includes(email)
      expect(await known()).toBe(false)
      const add = () => owner.post(`/c/${other}/members`, { person_id, role: 'viewer' })
      expect(outcome(await add())).toEqual([404, 'not_found'])
      await setUpTwoFactor(owner)
      expect(await known()).toBe(true)
      expect((await add()).status).toBe(204)
    })

    test('guesses ten codes at most, also where they are sent at once', async () => {
      const email = newEmail()
      const { key } = await setUpTwoFactor(await signedIn(world, world.acme.id, 'viewer', email))
      const app = new Authenticator(key)
      app.next()
      const thieves = Array.from({ length: 16 }, () => visit(world))
      for (const thief of thieves) await thief.signIn(email)
      const right = app.next()
      const wrong = right === '123456' ? '123457' : '123456'
      const replies = await Promise.all(
        thieves.map((thief) => thief.post('/auth/two-factor/verify-totp', { code: wrong })),
      )
      const counts = Map.groupBy(replies, ({ status }) => status)
      expect([counts.get(403)?.length, counts.get(429)?.length]).toEqual([10, 6])
      const [thief] = thieves
      expect((await thief?.post('/auth/two-factor/verify-totp', { code: right }))?.status).toBe(429)
    })

    test('sends 100 invitations an hour, of whatever company', async () => {
      const sender = visit(world)
      await sender.signUp(newEmail())
      const statuses: number[] = []
      for (const name of ['One', 'Two']) {
        const { id } = (await sender.post('/company', { name })).json
        for (let sent = 0; sent < 60; sent += 1)
          statuses.push((await sender.post(`/c/${id}/invitations`, { email: newEmail(), role: 'viewer' })).status)
      }
      expect(statuses.filter((status) => status === 201)).toHaveLength(100)
      expect(new Set(statuses)).toEqual(new Set([201, 429]))
    }, 300_000)
  },
  { ...namedSite, TRUST_PROXY: 'on', SMTP_URL: inbox.url, SIGNUP: 'open' },
)
