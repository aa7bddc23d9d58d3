import { expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { namedSite, prepare, signInByPasskey } from './passkey-support.ts'
import { outcome, password, signedIn, visit } from './support.ts'

onEachEngine(
  'what is not a valid passkey',
  (world) => {
    test('does not sign in where it was asked for something else', async () => {
      const { email, here, there, device } = await prepare(world)
      const attempt = async (twist: object) => {
        const options = (await there.post('/auth/passkey/start', {})).json
        return outcome(await there.post('/auth/passkey/sign-in', { credential: device.get(options, twist) }))
      }
      for (const twist of [
        { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
        { origin: 'http://localhost:8081' },
        { rpId: 'example.com' },
        { isVerified: false },
      ])
        expect([twist, ...(await attempt(twist))]).toEqual([twist, 403, 'invalid_passkey'])
      expect((await there.get('/session')).status).toBe(401)
      expect((await there.signIn(email)).status).toBe(200)
      const failures = async () =>
        (await here.get('/sign-ins')).json.filter(({ outcome: how }: { outcome: string }) => how !== 'ok')
      // They are recorded after the answer.
      await until(async () => (await failures()).length === 4)
      expect((await failures())[0]).toMatchObject({ method: 'passkey', address: there.address })
    })

    test('does not sign in with a counter that does not grow: there may be a copy', async () => {
      const { there, device } = await prepare(world)
      expect((await signInByPasskey(there, device)).status).toBe(204)
      const options = (await there.post('/auth/passkey/start', {})).json
      const credential = device.get(options, { counter: 1 })
      expect(outcome(await there.post('/auth/passkey/sign-in', { credential }))).toEqual([403, 'invalid_passkey'])
    })

    test('answers each challenge once, in the browser that asked, within five minutes', async () => {
      const { here, there, device } = await prepare(world)
      const options = (await there.post('/auth/passkey/start', {})).json
      const credential = device.get(options)
      const thief = visit(world)
      expect(outcome(await thief.post('/auth/passkey/sign-in', { credential }))).toEqual([403, 'passkey_stale'])
      expect((await there.post('/auth/passkey/sign-in', { credential })).status).toBe(204)
      expect(outcome(await there.post('/auth/passkey/sign-in', { credential }))).toEqual([403, 'passkey_stale'])

      const late = (await there.post('/auth/passkey/start', {})).json
      await world.db.transact([sql`update verification set expires_at = '2026-01-01T00:00:00+00:00'`])
      const lateCredential = device.get(late)
      expect(outcome(await there.post('/auth/passkey/sign-in', { credential: lateCredential }))).toEqual([
        403,
        'passkey_stale',
      ])
      // A challenge to add one is none to sign in, and the other way round.
      const adding = (await here.post('/passkeys/start', { password })).json
      const mixed = { credential: device.get({ challenge: adding.challenge, rpId: 'localhost' }) }
      expect(outcome(await here.post('/auth/passkey/sign-in', mixed))).toEqual([403, 'passkey_stale'])
      const asked = (await here.post('/auth/passkey/start', {})).json
      const made = device.create({ ...asked, rp: { id: 'localhost' }, user: { id: 'AAAA' } })
      expect(outcome(await here.post('/passkeys', { name: 'Phone', credential: made }))).toEqual([403, 'passkey_stale'])
    })

    test('signs in once where two ask with the same answer at the same moment', async () => {
      const { there, device } = await prepare(world)
      const options = (await there.post('/auth/passkey/start', {})).json
      const credential = device.get(options)
      const both = [1, 2].map(() => there.post('/auth/passkey/sign-in', { credential }))
      expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([204, 403])
    })

    test('is for its own person only', async () => {
      const { here, id, device } = await prepare(world)
      const rival = await signedIn(world, world.rival.id, 'owner')
      expect(outcome(await rival.patch(`/passkeys/${id}`, { name: 'Mine' }))).toEqual([404, 'not_found'])
      expect(outcome(await rival.delete(`/passkeys/${id}`))).toEqual([404, 'not_found'])
      expect((await rival.get('/passkeys')).json).toEqual([])
      // What one has asked for, another cannot answer, nor register what another has.
      const options = (await rival.post('/passkeys/start', { password })).json
      const credential = device.create(options)
      expect(outcome(await here.post('/passkeys', { name: 'Stolen', credential }))).toEqual([403, 'passkey_stale'])
      expect((await rival.post('/passkeys', { name: 'Own', credential })).status).toBe(201)
      const again = (await here.post('/passkeys/start', { password })).json
      const copied = device.create(again, { id: credential.id })
      expect(outcome(await here.post('/passkeys', { name: 'Copied', credential: copied }))).toEqual([
        403,
        'invalid_passkey',
      ])
      expect((await here.get('/passkeys')).json.map(({ name }: { name: string }) => name)).toEqual(['Phone'])
      expect(outcome(await visit(world).post('/passkeys/start', { password }))).toEqual([401, 'not_signed_in'])
    })

    test('is added whatever its maker says of it: nobody looks at that', async () => {
      const { here, device } = await prepare(world)
      for (const attestation of [
        'apple',
        'android-key',
        'android-safetynet',
        'tpm',
        'packed',
        'fido-u2f',
        'unheard-of',
      ]) {
        const options = (await here.post('/passkeys/start', { password })).json
        const credential = device.create(options, { attestation })
        expect([attestation, (await here.post('/passkeys', { name: attestation, credential })).status]).toEqual([
          attestation,
          201,
        ])
      }
      const options = (await here.post('/passkeys/start', { password })).json
      const made = device.create(options)
      const credential = { ...made, response: { ...made.response, attestationObject: 'AAAA' } }
      expect(outcome(await here.post('/passkeys', { name: 'None', credential }))).toEqual([403, 'invalid_passkey'])
    })

    test('is tried ten times a minute from one address', async () => {
      const { there, device } = await prepare(world)
      const credential = device.get({ challenge: 'AAAA', rpId: 'localhost' })
      for (const [path, body, usual] of [
        ['/auth/passkey/sign-in', { credential }, 403],
        ['/auth/passkey/start', {}, 200],
      ] as const) {
        const replies: number[] = []
        for (let tries = 0; tries < 12; tries += 1) replies.push((await there.post(path, body)).status)
        expect([path, replies[0], replies.at(-1)]).toEqual([path, usual, 429])
      }
    })

    test('is read from nothing but what a browser makes', async () => {
      for (const credential of [null, [], 'x', {}, { id: 1 }, { id: 'x', rawId: 'x', type: 'x', response: null }])
        expect(outcome(await visit(world).post('/auth/passkey/sign-in', { credential }))).toEqual([
          400,
          'invalid_settings_body',
        ])
    })
  },
  namedSite,
)
