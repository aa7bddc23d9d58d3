import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runHere } from '../support/command.ts'
import { engines, onEachEngine } from '../support/engines.ts'
import { World } from '../support/world.ts'
import { Gate } from './held.ts'
import { addPasskey, namedSite, prepare, signInByPasskey } from './passkey-support.ts'
import { auditOf, newEmail, outcome, password, setUpTwoFactor, signedIn, visit } from './support.ts'

onEachEngine(
  'a company that requires two factors, and passkeys',
  (world) => {
    test('takes a sign-in with a passkey for both, and one with the password for none', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const device = await addPasskey(owner)
      expect(outcome(await owner.send('PUT', '/company/two-factor', { required: true }))).toEqual([
        409,
        'two_factor_off',
      ])
      const strong = visit(world)
      await signInByPasskey(strong, device)
      expect((await strong.send('PUT', '/company/two-factor', { required: true })).status).toBe(200)
      // Both what is read and what is changed.
      expect((await strong.get('/members')).json).toContainEqual(
        expect.objectContaining({ is_you: true, two_factor: true }),
      )
      expect((await strong.post('/credentials', { name: 'Nightly', access: 'read' })).status).toBe(201)
      expect(outcome(await owner.get('/members'))).toEqual([403, 'two_factor_required'])
      expect(outcome(await owner.post('/credentials', { name: 'Nightly', access: 'read' }))).toEqual([
        403,
        'two_factor_required',
      ])
    })

    test('lets the password alone change no factor of who has a passkey', async () => {
      const { email, here, id, device, there } = await prepare(world)
      const needed: [number, string] = [403, 'passkey_needed']
      expect(outcome(await here.post('/two-factor/start', { password }))).toEqual(needed)
      expect(outcome(await here.post('/passkeys/start', { password }))).toEqual(needed)
      expect(outcome(await here.delete(`/passkeys/${id}`))).toEqual(needed)
      await signInByPasskey(there, device)
      await addPasskey(there, device, 'Second')
      expect((await there.delete(`/passkeys/${id}`)).status).toBe(204)
      // Who has lost all of them asks the operator.
      const run = () => runHere(['user', 'two-factor-off', email], { DATABASE_URL: world.databaseUrl })
      expect((await run()).stdout).toContain('Passkeys deleted: 1')
      expect(outcome(await signInByPasskey(visit(world), device))).toEqual([403, 'invalid_passkey'])
      expect(await auditOf(world, world.acme.id, 'member.passkey_removed')).toContainEqual(
        expect.objectContaining({ actor: 'command line', target: email, details: { name: 'Second' } }),
      )
      await setUpTwoFactor(here)
      expect((await here.get('/members')).status).toBe(200)
    })

    test('lets who has a code change both', async () => {
      const here = await signedIn(world, world.acme.id, 'developer', newEmail())
      await setUpTwoFactor(here)
      await addPasskey(here)
      await addPasskey(here)
      const [{ id }] = (await here.get('/passkeys')).json
      expect((await here.delete(`/passkeys/${id}`)).status).toBe(204)
    })

    test('is none of the business of people elsewhere', async () => {
      const here = await signedIn(world, world.rival.id, 'developer')
      await addPasskey(here)
      const [{ id }] = (await here.get('/passkeys')).json
      await addPasskey(here)
      expect((await here.delete(`/passkeys/${id}`)).status).toBe(204)
      await setUpTwoFactor(here)
    })
  },
  namedSite,
)

for (const engine of engines) {
  describe(`a sign-in with a passkey (${engine.name})`, () => {
    const gate = new Gate()
    const world = new World(namedSite, (db) => gate.watch(db))
    beforeAll(() => world.open(engine), 300_000)
    afterAll(() => world.close())

    test('is refused if the passkey is deleted before its session starts', async () => {
      const { here, id, device, there } = await prepare(world)
      const options = (await there.post('/auth/passkey/start', {})).json
      const { reached, release } = gate.arm()
      const reply = there.post('/auth/passkey/sign-in', { credential: device.get(options) })
      await Promise.race([reached, reply])
      expect((await here.delete(`/passkeys/${id}`)).status).toBe(204)
      release()
      expect(outcome(await reply)).toEqual([403, 'invalid_passkey'])
      expect((await there.get('/session')).status).toBe(401)
    })
  })
}
