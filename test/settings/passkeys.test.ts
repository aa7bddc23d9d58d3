import { afterAll, expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { openInbox } from './inbox.ts'
import { PasskeyDevice } from './passkey-device.ts'
import { addPasskey, namedSite, prepare, signInByPasskey } from './passkey-support.ts'
import { auditOf, behindProxy, newEmail, outcome, password, setUpTwoFactor, signedIn, visit } from './support.ts'

const inbox = await openInbox()
afterAll(inbox.close)

const { BASE_URL } = namedSite

onEachEngine(
  'a passkey',
  (world) => {
    test('is added with the password, and signs in without an address', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'developer', email)
      expect((await here.get('/passkeys')).json).toEqual([])
      expect(outcome(await here.post('/passkeys/start', { password: 'x' }))).toEqual([403, 'invalid_password'])
      const device = new PasskeyDevice(BASE_URL)
      const options = (await here.post('/passkeys/start', { password })).json
      expect(options).toMatchObject({
        rp: { id: 'localhost', name: 'Project API' },
        user: { name: email },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const credential = device.create(options)
      expect(outcome(await here.post('/passkeys', { name: ' ', credential }))).toEqual([400, 'invalid_settings_body'])
      const made = await here.post('/passkeys', { name: ' Phone ', credential })
      expect([made.status, made.json]).toEqual([201, { name: 'Phone' }])
      const [passkey] = (await here.get('/passkeys')).json
      expect(passkey).toMatchObject({ name: 'Phone', last_used_at: null })

      const there = visit(world)
      const asked = (await there.post('/auth/passkey/start', {})).json
      expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
      expect(asked.allowCredentials ?? []).toEqual([])
      const reply = await there.post('/auth/passkey/sign-in', { credential: device.get(asked) })
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect((await there.get('/session')).json.person).toMatchObject({ email, signed_in_by_passkey: true })
      expect((await here.get('/session')).json.person).toMatchObject({ has_passkey: true, signed_in_by_passkey: false })
      expect((await here.get('/passkeys')).json[0].last_used_at).not.toBeNull()
      expect((await here.get('/sign-ins')).json[0]).toMatchObject({ outcome: 'ok', method: 'passkey' })
      expect(await auditOf(world, world.acme.id, 'member.passkey_added')).toContainEqual(
        expect.objectContaining({ actor: email, target: email, details: { name: 'Phone' }, address: here.address }),
      )
      expect(await inbox.letterTo(email, 'passkey was added')).toContain('Phone')
    })

    test('replaces the session that the browser had, and no other', async () => {
      const { email, here, device, there } = await prepare(world)
      await there.signIn(email)
      const { cookie } = here
      expect((await here.get('/sessions')).json).toHaveLength(2)
      expect((await signInByPasskey(here, device)).status).toBe(204)
      expect((await here.get('/session')).json.person.signed_in_by_passkey).toBe(true)
      expect((await here.get('/sessions')).json).toHaveLength(2)
      expect((await visit(world).get('/session', { Cookie: cookie })).status).toBe(401)
      expect((await there.get('/session')).status).toBe(200)
      // A password does so, too.
      const second = here.cookie
      expect((await here.signIn(email)).status).toBe(200)
      expect((await visit(world).get('/session', { Cookie: second })).status).toBe(401)
      // Who fails to sign in keeps the session.
      expect((await here.signIn(email, 'a wrong guess')).status).toBe(401)
      expect((await here.get('/session')).status).toBe(200)
    })

    test('is offered to the browser to leave out, and one device holds several', async () => {
      const { here, device, id, there } = await prepare(world)
      const options = (await here.post('/passkeys/start', { password })).json
      expect(options.excludeCredentials).toHaveLength(1)
      await addPasskey(here, device, 'Key')
      expect((await here.get('/passkeys')).json.map(({ name }: { name: string }) => name)).toEqual(['Phone', 'Key'])
      expect((await signInByPasskey(there, device, 0)).status).toBe(204)
      expect((await signInByPasskey(visit(world), device, 1)).status).toBe(204)
      expect((await here.delete(`/passkeys/${id}`)).status).toBe(204)
      expect(outcome(await signInByPasskey(visit(world), device, 0))).toEqual([403, 'invalid_passkey'])
      expect((await signInByPasskey(visit(world), device, 1)).status).toBe(204)
    })

    test('is not taken where it was made for something else', async () => {
      const here = await signedIn(world, world.acme.id, 'viewer')
      const device = new PasskeyDevice(BASE_URL)
      const add = async (twist: object) => {
        const options = (await here.post('/passkeys/start', { password })).json
        return outcome(await here.post('/passkeys', { name: 'Phone', credential: device.create(options, twist) }))
      }
      for (const twist of [
        { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
        { origin: 'http://localhost:8081' },
        { rpId: 'example.com' },
        { isVerified: false },
      ])
        expect([twist, ...(await add(twist))]).toEqual([twist, 403, 'invalid_passkey'])
      expect((await here.get('/passkeys')).json).toEqual([])
      expect(await add({})).toEqual([201, undefined])
    })

    test('is renamed and deleted', async () => {
      const { email, here, id, there, device } = await prepare(world)
      expect((await here.patch(`/passkeys/${id}`, { name: ' Old phone ' })).json).toEqual({ name: 'Old phone' })
      expect(outcome(await here.patch(`/passkeys/${id}`, { name: '' }))).toEqual([400, 'invalid_settings_body'])
      expect((await here.delete(`/passkeys/${id}`)).status).toBe(204)
      expect(outcome(await here.delete(`/passkeys/${id}`))).toEqual([404, 'not_found'])
      expect(outcome(await signInByPasskey(there, device))).toEqual([403, 'invalid_passkey'])
      expect(await auditOf(world, world.acme.id, 'member.passkey_removed')).toContainEqual(
        expect.objectContaining({ actor: email, target: email, details: { name: 'Old phone' } }),
      )
      expect(await inbox.letterTo(email, 'passkey was deleted')).toContain('Old phone')
    })

    test('asks for no code, and survives a new password and a sign-out elsewhere', async () => {
      const { here, there, device } = await prepare(world)
      await setUpTwoFactor(here)
      const change = { currentPassword: password, newPassword: 'a new password', revokeOtherSessions: true }
      expect((await here.post('/auth/change-password', change)).status).toBe(200)
      expect((await here.post('/auth/revoke-other-sessions', {})).status).toBe(200)
      expect((await signInByPasskey(there, device)).status).toBe(204)
      expect((await there.get('/session')).status).toBe(200)
    })

    test('goes with the account', async () => {
      const { email, here, there, device } = await prepare(world)
      expect((await here.post('/account/delete', { email, password })).status).toBe(204)
      expect(outcome(await signInByPasskey(there, device))).toEqual([403, 'invalid_passkey'])
      const left = await world.db.read(
        sql`select 1 from passkey k where not exists (select 1 from person p where p.id = k.person_id)`,
      )
      expect(left).toEqual([])
    })

    test('can be one of twenty', async () => {
      const { here } = await prepare(world)
      await world.db.transact(
        Array.from({ length: 19 }, () => {
          const id = Bun.randomUUIDv7()
          return sql`insert into passkey (id, person_id, name, credential_id, public_key, counter, device_type, backed_up, created_at)
            select ${id}, person_id, name, ${id}, public_key, counter, device_type, backed_up, created_at from passkey order by id desc limit 1`
        }),
      )
      expect(outcome(await here.post('/passkeys/start', { password }))).toEqual([409, 'too_many_passkeys'])
    })
  },
  { ...namedSite, SMTP_URL: inbox.url },
)

onEachEngine(
  'an installation without https',
  (world) => {
    test('says that passkeys need it', async () => {
      expect((await visit(world).get('/setup')).json.passkeys).toBe(false)
      const here = await signedIn(world, world.acme.id, 'viewer')
      expect(outcome(await here.post('/passkeys/start', { password }))).toEqual([409, 'passkeys_off'])
      expect(outcome(await visit(world).post('/auth/passkey/start', {}))).toEqual([409, 'passkeys_off'])
    })
  },
  behindProxy,
)
