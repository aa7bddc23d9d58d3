import { describe, expect, spyOn, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { auditOf, behindProxy, newEmail, outcome, password, signedIn, visit } from './support.ts'

onEachEngine(
  'the first person',
  (world) => {
    test('of several who sign up at once, is one; the others need an invitation', async () => {
      expect((await visit(world).get('/setup')).json).toMatchObject({ first_run: true, signup: 'invite' })
      const browsers = Array.from({ length: 5 }, () => visit(world))
      const replies = await Promise.all(browsers.map((browser) => browser.signUp(newEmail())))
      expect(replies.map(outcome).sort()).toEqual([[200, undefined], ...Array(4).fill([403, 'signup_closed'])])
      const [[people] = []] = await world.db.read(sql`select count(*) from person`)
      const [[accounts] = []] = await world.db.read(sql`select count(*) from account`)
      expect([Number(people), Number(accounts)]).toEqual([1, 1])
      expect((await visit(world).get('/setup')).json).toMatchObject({ first_run: false, base_url: world.base })
      const [first] = browsers.filter(({ cookie }) => cookie !== '')
      expect((await first?.get('/session'))?.json).toMatchObject({ company: null, companies: [] })
      const made = await first?.post('/company', { name: ' Bridges ' })
      expect([made?.status, made?.json.name]).toEqual([201, 'Bridges'])
      expect((await first?.get('/session'))?.json.company).toEqual({
        id: made?.json.id,
        name: 'Bridges',
        role: 'owner',
        two_factor_required: false,
        delete_after: null,
      })
      expect(await auditOf(world, made?.json.id, 'company.created')).toMatchObject([
        { target: 'Bridges', userAgent: 'test' },
      ])
      const another = await first?.post('/company', { name: 'Another' })
      expect([another?.status, another?.json.code]).toEqual([403, 'forbidden'])
    })
  },
  behindProxy,
)

onEachEngine(
  'sign-up that is open',
  (world) => {
    test('takes everybody, once per address, and lets them make companies', async () => {
      await signedIn(world, world.acme.id, 'owner')
      const email = newEmail()
      const browser = visit(world)
      expect((await browser.signUp(email.toUpperCase())).status).toBe(200)
      expect((await browser.get('/session')).json.person.email).toBe(email)
      expect(outcome(await visit(world).signUp(email))).toEqual([409, 'email_taken'])
      expect((await browser.post('/company', { name: 'One' })).status).toBe(201)
      expect((await browser.post('/company', { name: 'Two' })).status).toBe(201)
      const { json } = await browser.get('/session')
      expect([json.company.name, json.companies.length]).toEqual(['Two', 2])
      const back = await browser.post('/session/company', { company_id: json.companies[0].id })
      expect([back.json.company.name, (await browser.get('/session')).json.company.name]).toEqual(['One', 'One'])
    })

    test('refuses what is no name, address or password', async () => {
      const email = newEmail()
      const bad: readonly [Record<string, unknown>, string][] = [
        [{ password: 'too short' }, 'password_unfit'],
        [{ password: 'x'.repeat(129) }, 'password_unfit'],
        [{ password: 12345678901 }, 'invalid_settings_body'],
        [{ email: 'nobody' }, 'invalid_settings_body'],
        [{ email: 'a\0b@example.com' }, 'invalid_settings_body'],
        [{ name: ' ' }, 'invalid_settings_body'],
        [{ name: 'a\0b' }, 'invalid_settings_body'],
      ]
      for (const [body, code] of bad) expect(outcome(await visit(world).signUp(email, body))).toEqual([400, code])
      expect(outcome(await visit(world).signIn(email))).toEqual([401, 'invalid_email_or_password'])
    })
  },
  { ...behindProxy, SIGNUP: 'open' },
)

onEachEngine(
  'signing in',
  (world) => {
    test('works with the right password only, and tells nothing of who exists', async () => {
      const email = newEmail()
      await signedIn(world, world.acme.id, 'viewer', email)
      const browser = visit(world)
      const wrong = await browser.signIn(email, 'not the password')
      const nobody = await browser.signIn(newEmail(), 'not the password')
      expect(outcome(wrong)).toEqual([401, 'invalid_email_or_password'])
      expect(wrong.json).toEqual(nobody.json)
      expect(browser.cookie).toBe('')
      expect(outcome(await browser.get('/session'))).toEqual([401, 'not_signed_in'])
      const right = await browser.signIn(email)
      expect(right.status).toBe(200)
      // The token is for the cookie alone, where no script can read it.
      expect(right.text).not.toContain('token')
      expect((await browser.get('/session')).json.company).toMatchObject({ id: world.acme.id, role: 'viewer' })
    })

    test('sets a cookie that no script reads and no other site sends', async () => {
      const email = newEmail()
      await signedIn(world, null, 'viewer', email)
      const { headers } = await visit(world).signIn(email)
      const [cookie = '', ...others] = headers.getSetCookie()
      expect(others).toEqual([])
      expect(cookie).toMatch(/^project-api\.session_token=/)
      for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000']) expect(cookie).toContain(part)
      expect(cookie).not.toContain('Secure')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    })

    test('is slowed down after ten attempts from one address, and from no other', async () => {
      const email = newEmail()
      await signedIn(world, null, 'viewer', email)
      const browser = visit(world)
      const wrong = await Promise.all(Array.from({ length: 10 }, () => browser.signIn(email, 'not the password')))
      expect(wrong.map(({ status }) => status)).toEqual(Array(10).fill(401))
      const refused = await browser.signIn(email)
      expect(outcome(refused)).toEqual([429, 'rate_limited'])
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
      // What a client writes before the last hop, or as a header of ours, changes nothing.
      const forged = { 'X-Forwarded-For': `9.9.9.9, ${browser.address}`, 'X-Client-Address': '9.9.9.9' }
      expect((await browser.post('/auth/sign-in/email', { email, password }, forged)).status).toBe(429)
      expect((await visit(world).signIn(email)).status).toBe(200)
    }, 300_000)

    test('ends with signing out, also for who kept the cookie', async () => {
      const browser = await signedIn(world, world.acme.id, 'owner')
      const { cookie } = browser
      expect((await browser.signOut()).status).toBe(200)
      expect(browser.cookie).toBe('')
      expect(outcome(await browser.get('/session', { Cookie: cookie }))).toEqual([401, 'not_signed_in'])
    })

    test('is not faked by a cookie that we did not sign, nor by one that has expired', async () => {
      const browser = await signedIn(world, world.acme.id, 'owner')
      const [name, value = ''] = browser.cookie.split('=')
      const token = decodeURIComponent(value).split('.')[0]
      const forged = [`${token}`, `${token}.`, `${token}.AAAA`, `${value}x`, '%', `${token}.${btoa('x'.repeat(32))}`]
      for (const one of forged) expect((await browser.get('/session', { Cookie: `${name}=${one}` })).status).toBe(401)
      const [{ id }] = (await browser.get('/sessions')).json
      await world.db.transact([sql`update session set expires_at = '2026-01-01T00:00:00+00:00' where id = ${id}`])
      expect(outcome(await browser.patch('/company', { name: 'Stale' }))).toEqual([401, 'not_signed_in'])
      expect(
        outcome(
          await browser.post('/auth/change-password', { currentPassword: password, newPassword: 'another password' }),
        ),
      ).toEqual([401, 'not_signed_in'])
    })

    test('is not opened by what the database keeps of a session, even with the key that signs cookies', async () => {
      const browser = await signedIn(world, world.acme.id, 'owner')
      const [name, value = ''] = browser.cookie.split('=')
      const [token] = decodeURIComponent(value).split('.')
      const [{ id }] = (await browser.get('/sessions')).json
      const [[kept] = []] = await world.db.read(sql`select token from session where id = ${id}`)
      expect(String(kept)).not.toContain(String(token))
      const [[secret] = []] = await world.db.read(sql`select value from setting where name = 'auth_secret'`)
      const signature = createHmac('sha256', String(secret)).update(String(kept)).digest('base64')
      const Cookie = `${name}=${encodeURIComponent(`${kept}.${signature}`)}`
      expect((await browser.get('/session', { Cookie })).status).toBe(401)
      expect((await browser.post('/auth/revoke-other-sessions', {}, { Cookie })).status).toBe(401)
      expect((await browser.get('/session')).status).toBe(200)
    })

    test('tells when a session was last seen, to the minute, and writes that once a minute', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const there = visit(world)
      await there.signIn(email)
      const ofOther = async () =>
        (await here.get('/sessions')).json.find((one: { is_current: boolean }) => !one.is_current)
      const { id, updated_at: first } = await ofOther()
      await there.get('/session')
      expect((await ofOther()).updated_at).toBe(first)
      const ago = timestampText(new Date(Date.now() - 90_000))
      await world.db.transact([sql`update session set updated_at = ${ago} where id = ${id}`])
      await Promise.all([1, 2, 3].map(() => there.get('/session')))
      await until(async () => Date.parse((await ofOther()).updated_at) > Date.now() - 60_000)
    })

    test('shows where one is signed in, and ends each of those', async () => {
      const email = newEmail()
      const [here, there, other] = [
        await signedIn(world, world.acme.id, 'viewer', email),
        visit(world),
        await signedIn(world, world.acme.id, 'owner'),
      ]
      await there.signIn(email)
      const { json } = await here.get('/sessions')
      expect(json.map(({ address }: { address: string }) => address)).toEqual([there.address, here.address])
      expect(json.map((one: { is_current: boolean }) => one.is_current)).toEqual([false, true])
      expect(json[0].user_agent).toBe('test')
      expect(outcome(await other.delete(`/sessions/${json[0].id}`))).toEqual([404, 'not_found'])
      expect((await there.get('/session')).status).toBe(200)
      expect((await here.delete(`/sessions/${json[0].id}`)).status).toBe(204)
      expect((await there.get('/session')).status).toBe(401)
      await there.signIn(email)
      expect((await here.post('/auth/revoke-other-sessions', {})).status).toBe(200)
      expect([(await there.get('/session')).status, (await here.get('/session')).status]).toEqual([401, 200])
    })
  },
  behindProxy,
)

onEachEngine(
  'a password',
  (world) => {
    test('is changed by who knows it, and the other sessions end', async () => {
      const email = newEmail()
      const [here, there] = [await signedIn(world, world.acme.id, 'viewer', email), visit(world)]
      await there.signIn(email)
      const body = { newPassword: 'a new password', revokeOtherSessions: true }
      expect(outcome(await here.post('/auth/change-password', { ...body, currentPassword: 'wrong one' }))).toEqual([
        403,
        'invalid_password',
      ])
      expect(
        outcome(await here.post('/auth/change-password', { ...body, newPassword: 'short', currentPassword: password })),
      ).toEqual([400, 'password_unfit'])
      expect((await there.get('/session')).status).toBe(200)
      expect((await here.post('/auth/change-password', { ...body, currentPassword: password })).status).toBe(200)
      expect([(await here.get('/session')).status, (await there.get('/session')).status]).toEqual([200, 401])
      expect(outcome(await there.signIn(email))).toEqual([401, 'invalid_email_or_password'])
      expect((await there.signIn(email, 'a new password')).status).toBe(200)
    })

    test('opens no session any more where it is changed while somebody signs in with it', async () => {
      const email = newEmail()
      const [here, there] = [await signedIn(world, world.acme.id, 'viewer', email), visit(world)]
      const { verify } = Bun.password
      const change = { currentPassword: password, newPassword: 'a new password', revokeOtherSessions: true }
      const changedMeanwhile = spyOn(Bun.password, 'verify').mockImplementationOnce(async (...given) => {
        const fits = await verify(...given)
        expect((await here.post('/auth/change-password', change)).status).toBe(200)
        return fits
      })
      expect(outcome(await there.signIn(email))).toEqual([401, 'invalid_email_or_password'])
      expect(changedMeanwhile).toHaveBeenCalledTimes(2)
      changedMeanwhile.mockRestore()
      expect((await there.get('/session')).status).toBe(401)
      const [[sessions] = []] = await world.db.read(sql`
        select count(*) from session s join person p on p.id = s.person_id where p.email = ${email}`)
      expect(Number(sessions)).toBe(1)
    })

    test('cannot be reset by mail where there is none, and the answer tells nothing', async () => {
      const email = newEmail()
      await signedIn(world, null, 'viewer', email)
      const known = await visit(world).post('/auth/request-password-reset', { email })
      const unknown = await visit(world).post('/auth/request-password-reset', { email: newEmail() })
      expect([known.status, known.json]).toEqual([unknown.status, unknown.json])
      expect(known.status).toBe(200)
      expect((await visit(world).get('/setup')).json.email_enabled).toBe(false)
    })

    test('is kept as a hash, and appears in no log', async () => {
      const hashes = await world.db.read(sql`select password from account`)
      for (const [hash] of hashes) expect(String(hash)).toMatch(/^\$argon2id\$/)
      const tokens = await world.db.read(sql`select token from session`)
      const log = world.logged.join('')
      expect(log).toContain('/api/auth/sign-in/email')
      for (const secret of [password, 'a new password', ...tokens.map(([token]) => String(token))])
        expect(log).not.toContain(secret)
    })
  },
  behindProxy,
)

describe('under https', () => {
  const https = { ...behindProxy, BASE_URL: 'https://api.example.com' }
  onEachEngine(
    'cookies',
    (world) => {
      test('are Secure, and are known again', async () => {
        const browser = visit(world)
        const email = newEmail()
        const origin = { Origin: 'https://api.example.com' }
        const reply = await browser.post('/auth/sign-up/email', { name: 'Ada', email, password }, origin)
        const [cookie = ''] = reply.headers.getSetCookie()
        expect(cookie).toMatch(/^__Secure-project-api\.session_token=.*; Secure/)
        expect((await browser.get('/session')).status).toBe(200)
        // The same name without encryption is anybody's page.
        expect(outcome(await browser.post('/company', { name: 'No' }))).toEqual([403, 'invalid_origin'])
        expect((await browser.post('/company', { name: 'Yes' }, origin)).status).toBe(201)
      })
    },
    https,
  )
})
