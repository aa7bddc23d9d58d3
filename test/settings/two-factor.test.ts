import { expect, test } from 'bun:test'
import { settingsRoutes } from '../../src/settings/route.ts'
import { sql } from '../../src/store/sql.ts'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import type { World } from '../support/world.ts'
import {
  Authenticator,
  auditOf,
  behindProxy,
  filledPath,
  newEmail,
  outcome,
  password,
  setUpTwoFactor,
  signedIn,
  visit,
} from './support.ts'

const wrong = '000000'

/** A developer of acme with two factors, and a browser in which they are not signed in. */
async function prepare(world: World) {
  const email = newEmail()
  const here = await signedIn(world, world.acme.id, 'developer', email)
  const { key, recoveryCodes } = await setUpTwoFactor(here)
  // Otherwise the code of the set-up would be one of the two that can be had without waiting.
  await world.db.transact([sql`update two_factor set last_step = null`])
  return { email, here, there: visit(world), app: new Authenticator(key), recoveryCodes }
}

onEachEngine(
  'two-factor sign-in',
  (world) => {
    test('is set up with the password and a code, and then asks for one', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'developer', email)
      expect((await here.get('/two-factor')).json).toEqual({ is_on: false, since: null, recovery_codes_left: 0 })
      expect(outcome(await here.post('/two-factor/start', { password: 'not mine' }))).toEqual([403, 'invalid_password'])
      expect(outcome(await here.post('/two-factor/confirm', { code: wrong }))).toEqual([409, 'two_factor_off'])
      const { key, code: first, recoveryCodes } = await setUpTwoFactor(here)
      expect(new Set(recoveryCodes).size).toBe(10)
      expect((await here.get('/two-factor')).json).toMatchObject({ is_on: true, recovery_codes_left: 10 })
      expect((await here.get('/session')).json.person.two_factor).toBe(true)
      expect(outcome(await here.post('/two-factor/start', { password }))).toEqual([409, 'two_factor_on'])

      const there = visit(world)
      const asked = await there.signIn(email)
      expect([asked.status, asked.json]).toEqual([200, { twoFactorRedirect: true, twoFactorMethods: ['totp'] }])
      expect([there.cookie, (await there.get('/session')).status]).toEqual(['', 401])
      expect(outcome(await there.post('/auth/two-factor/verify-totp', { code: wrong }))).toEqual([403, 'invalid_code'])
      expect(outcome(await there.post('/auth/two-factor/verify-totp', { code: first }))).toEqual([403, 'code_used'])
      const app = new Authenticator(key)
      const code = [app.next(), app.next()].find((one) => one !== first) ?? ''
      const second = await there.post('/auth/two-factor/verify-totp', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
      expect([second.status, second.text.includes('token')]).toEqual([200, false])
      expect((await there.get('/session')).json.person.email).toBe(email)
      expect(await auditOf(world, world.acme.id, 'member.two_factor_on')).toContainEqual(
        expect.objectContaining({ actor: email, target: email, address: here.address }),
      )
    })

    test('takes each code once', async () => {
      const { email, there, app } = await prepare(world)
      const code = app.next()
      await there.signIn(email)
      expect((await there.post('/auth/two-factor/verify-totp', { code })).status).toBe(200)
      const thief = visit(world)
      await thief.signIn(email)
      expect(outcome(await thief.post('/auth/two-factor/verify-totp', { code }))).toEqual([403, 'code_used'])
      // The sign-in goes on with the next one.
      expect((await thief.post('/auth/two-factor/verify-totp', { code: app.next() })).status).toBe(200)
    })

    test('takes a code once where two ask with it at the same moment', async () => {
      const { email, app } = await prepare(world)
      const [one, other] = [visit(world), visit(world)]
      await Promise.all([one.signIn(email), other.signIn(email)])
      const code = app.next()
      const replies = await Promise.all([one, other].map((who) => who.post('/auth/two-factor/verify-totp', { code })))
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
    })

    test('takes each recovery code once, however it is written', async () => {
      const { email, there, recoveryCodes, here } = await prepare(world)
      const [code = '', next = ''] = recoveryCodes
      await there.signIn(email)
      const typed = ` ${code.replace('-', ' ').toUpperCase()}`
      expect((await there.post('/auth/two-factor/verify-backup-code', { code: typed })).status).toBe(200)
      expect((await there.get('/two-factor')).json.recovery_codes_left).toBe(9)
      const again = visit(world)
      await again.signIn(email)
      expect(outcome(await again.post('/auth/two-factor/verify-backup-code', { code }))).toEqual([403, 'invalid_code'])
      expect(outcome(await here.post('/two-factor/recovery-codes', { password: '' }))).toEqual([
        403,
        'invalid_password',
      ])
      const renewed = (await here.post('/two-factor/recovery-codes', { password })).json.recovery_codes
      expect(renewed).toHaveLength(10)
      expect(outcome(await again.post('/auth/two-factor/verify-backup-code', { code: next }))).toEqual([
        403,
        'invalid_code',
      ])
      expect((await again.post('/auth/two-factor/verify-backup-code', { code: renewed[0] })).status).toBe(200)
    })

    test('ends after five wrong codes, and is locked after ten', async () => {
      const { email, app, recoveryCodes } = await prepare(world)
      for (const round of [1, 2]) {
        const guesser = visit(world)
        await guesser.signIn(email)
        // The one that ends the first round counts as well.
        for (let tries = 0; tries < 6 - round; tries += 1) {
          const reply = await guesser.post('/auth/two-factor/verify-totp', { code: wrong })
          expect([round, tries, ...outcome(reply)]).toEqual([round, tries, 403, 'invalid_code'])
        }
        const last = await guesser.post('/auth/two-factor/verify-totp', { code: wrong })
        expect(outcome(last)).toEqual(round === 1 ? [401, 'sign_in_stale'] : [429, 'rate_limited'])
      }
      const owner = visit(world)
      await owner.signIn(email)
      const right = await owner.post('/auth/two-factor/verify-totp', { code: app.next() })
      expect([...outcome(right), right.headers.get('Retry-After')]).toEqual([429, 'rate_limited', '900'])
      const code = recoveryCodes[0]
      expect((await owner.post('/auth/two-factor/verify-backup-code', { code })).status).toBe(429)
    })

    test('limits the attempts from one address', async () => {
      const { there } = await prepare(world)
      const replies = []
      for (let tries = 0; tries < 12; tries += 1)
        replies.push((await there.post('/auth/two-factor/verify-totp', { code: wrong })).status)
      expect(replies.slice(0, 3)).toEqual([401, 401, 401])
      expect(replies.at(-1)).toBe(429)
    })

    test('needs the password first: a code alone, or the session of somebody else, is nothing', async () => {
      const { app, here } = await prepare(world)
      const rival = await signedIn(world, world.rival.id, 'owner')
      for (const who of [visit(world), rival, here])
        expect(outcome(await who.post('/auth/two-factor/verify-totp', { code: app.next() }))).toEqual([
          401,
          'sign_in_stale',
        ])
    })

    test('leaves no device that needs no code', async () => {
      const { email, there, app } = await prepare(world)
      await there.signIn(email)
      const reply = await there.post('/auth/two-factor/verify-totp', { code: app.next(), trustDevice: true })
      expect(reply.status).toBe(200)
      expect(reply.headers.getSetCookie().join()).not.toContain('trust_device')
      await there.signOut()
      expect((await there.signIn(email)).json.twoFactorRedirect).toBe(true)
    })

    test('is turned off with the password', async () => {
      const { email, here, there } = await prepare(world)
      expect(outcome(await here.post('/two-factor/turn-off', { password: 'x' }))).toEqual([403, 'invalid_password'])
      expect((await here.post('/two-factor/turn-off', { password })).status).toBe(204)
      expect(outcome(await here.post('/two-factor/turn-off', { password }))).toEqual([409, 'two_factor_off'])
      await there.signIn(email)
      expect((await there.get('/session')).json.person).toMatchObject({ email, two_factor: false })
      expect(await auditOf(world, world.acme.id, 'member.two_factor_off')).toContainEqual(
        expect.objectContaining({ actor: email, target: email }),
      )
    })

    test('survives a new password', async () => {
      const { email, here, there } = await prepare(world)
      const change = { currentPassword: password, newPassword: 'a new password', revokeOtherSessions: true }
      expect((await here.post('/auth/change-password', change)).status).toBe(200)
      expect((await there.signIn(email, 'a new password')).json.twoFactorRedirect).toBe(true)
    })

    test('is turned off by the operator, for who has lost everything', async () => {
      const { email, there } = await prepare(world)
      const run = () => runHere(['user', 'two-factor-off', email], { DATABASE_URL: world.databaseUrl })
      expect((await run()).stdout).toContain('password alone')
      expect((await there.signIn(email)).json.twoFactorRedirect).toBeUndefined()
      expect((await there.get('/session')).status).toBe(200)
      expect(await auditOf(world, world.acme.id, 'member.two_factor_off')).toContainEqual(
        expect.objectContaining({ actor: 'command line', target: email }),
      )
      const again = await run()
      expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('is off already')])
      expect(again.stderr).not.toContain('Set it up')
    })

    test('is not to be read from the database or from the log', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const { key } = (await here.post('/two-factor/start', { password })).json
      const stored = JSON.stringify(await world.db.read(sql`select secret, backup_codes from two_factor`))
      const { recoveryCodes } = await prepare(world)
      for (const secret of [key, ...recoveryCodes]) {
        expect(stored).not.toContain(secret)
        expect(world.logged.join('')).not.toContain(secret)
      }
      expect(stored).toContain('$ba$')
    })
  },
  behindProxy,
)

onEachEngine(
  'a company that requires two factors',
  (world) => {
    const inCompany = settingsRoutes.filter(({ role }) => role !== 'public' && role !== 'person')

    test('lets nobody in without them, on any route', async () => {
      const email = newEmail()
      const owner = await signedIn(world, world.acme.id, 'owner')
      const member = await signedIn(world, world.acme.id, 'owner', email)
      expect(outcome(await owner.send('PUT', '/company/two-factor', { required: true }))).toEqual([
        409,
        'two_factor_off',
      ])
      await setUpTwoFactor(owner)
      expect((await owner.send('PUT', '/company/two-factor', { required: true })).status).toBe(200)
      for (const prefix of ['', `/c/${world.acme.id}`]) {
        for (const { method, path } of inCompany) {
          const filled = filledPath({ path }, world.acme.bid)
          const reply = await member.send(method, prefix + filled, /GET|HEAD/.test(method) ? undefined : {})
          expect([method, path, reply.status]).toEqual([method, path, 403])
          if (method !== 'HEAD') expect(reply.json.code).toBe('two_factor_required')
        }
      }
      expect((await member.get('/session')).json.company).toMatchObject({ two_factor_required: true })
      await setUpTwoFactor(member)
      expect((await member.get('/members')).status).toBe(200)
      expect((await owner.get('/members')).status).toBe(200)
      expect(await auditOf(world, world.acme.id, 'company.two_factor_required')).toHaveLength(1)
    })

    test('says so in an invitation, and shuts out who turns them off', async () => {
      const owner = await signedIn(world, world.rival.id, 'owner')
      await setUpTwoFactor(owner)
      await owner.send('PUT', '/company/two-factor', { required: true })
      const email = newEmail()
      const { link } = (await owner.post('/invitations', { email, role: 'viewer' })).json
      const token = link.split('/').at(-1)
      expect((await visit(world).get(`/invitation/${token}`)).json.two_factor_required).toBe(true)
      const guest = visit(world)
      await guest.signUp(email, { invitation: token })
      expect(outcome(await guest.get('/members'))).toEqual([403, 'two_factor_required'])
      await setUpTwoFactor(guest)
      expect((await guest.get('/members')).status).toBe(200)
      // Whoever does not want to set them up can leave, and nothing but their own company.
      const reluctant = await signedIn(world, world.rival.id, 'viewer')
      expect(outcome(await reluctant.delete(`/account/companies/${world.acme.id}`))[0]).toBe(404)
      expect((await reluctant.delete(`/account/companies/${world.rival.id}`)).status).toBe(204)
      expect((await reluctant.get('/session')).json.companies).toEqual([])
      await guest.post('/two-factor/turn-off', { password })
      expect(outcome(await guest.get('/members'))).toEqual([403, 'two_factor_required'])
      // The other company's own business.
      expect((await (await signedIn(world, null, 'viewer')).get('/session')).status).toBe(200)
      expect((await owner.send('PUT', '/company/two-factor', { required: false })).status).toBe(200)
      expect((await guest.get('/members')).status).toBe(200)
    })
  },
  behindProxy,
)
