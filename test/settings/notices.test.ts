import { afterAll, expect, test } from 'bun:test'
import { createCompany } from '../../src/people/companies.ts'
import { onEachEngine } from '../support/engines.ts'
import { openInbox } from './inbox.ts'
import { behindProxy, newEmail, password, setUpTwoFactor, signedIn, visit } from './support.ts'

const inbox = await openInbox()
afterAll(inbox.close)

const lettersTo = (email: string): string[] => inbox.letters.filter((letter) => letter.includes(`To: ${email}`))

onEachEngine(
  'an e-mail tells',
  (world) => {
    test('a person that their password was changed or reset, and never which it is', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const wrong = { currentPassword: 'x', newPassword: 'another long one' }
      expect((await here.post('/auth/change-password', wrong)).status).toBe(403)
      const change = { currentPassword: password, newPassword: 'another long one' }
      expect((await here.post('/auth/change-password', change)).status).toBe(200)
      expect(await inbox.letterTo(email, 'Your password was changed')).toContain(world.base)
      expect(lettersTo(email)).toHaveLength(1)

      await visit(world).post('/auth/request-password-reset', { email })
      const [, token] = /reset-password\?token=([\w-]+)/.exec(await inbox.letterTo(email, 'Reset your password')) ?? []
      inbox.letters.length = 0
      const reset = { token, newPassword: 'a third long one' }
      expect((await visit(world).post('/auth/reset-password', reset)).status).toBe(200)
      const letter = await inbox.letterTo(email, 'Your password was changed')
      expect(letter).not.toContain('long one')
      expect(world.logged.join('')).not.toContain('long one')
    })

    test('a person that two-factor sign-in was turned on and off', async () => {
      const email = newEmail()
      const here = await signedIn(world, world.acme.id, 'viewer', email)
      const { key, recoveryCodes } = await setUpTwoFactor(here)
      const letter = await inbox.letterTo(email, 'Two-factor sign-in was turned on')
      for (const secret of [key, ...recoveryCodes]) expect(letter).not.toContain(secret)
      expect((await here.post('/two-factor/turn-off', { password: 'x' })).status).toBe(403)
      expect((await here.post('/two-factor/turn-off', { password })).status).toBe(204)
      await inbox.letterTo(email, 'Two-factor sign-in was turned off')
      expect(lettersTo(email)).toHaveLength(2)
    })

    test('all owners that the deletion of their company has started, and that it was undone', async () => {
      const company = await createCompany(world.db, 'Brief')
      const [first, second, viewer] = [newEmail(), newEmail(), newEmail()]
      const owner = await signedIn(world, company.id, 'owner', first)
      await signedIn(world, company.id, 'owner', second)
      await signedIn(world, company.id, 'viewer', viewer)
      const { delete_after } = (await owner.post('/company/delete', { name: 'Brief', password })).json
      for (const email of [first, second]) {
        const letter = await inbox.letterTo(email, 'Brief is about to be deleted')
        for (const part of [first, delete_after.slice(0, 10), `${world.base}/c/${company.id}/company`])
          expect(letter).toContain(part)
      }
      expect((await owner.post('/company/restore', {})).status).toBe(204)
      for (const email of [first, second])
        expect(await inbox.letterTo(email, 'Brief is not deleted')).toContain(`${first} has undone`)
      expect(lettersTo(viewer)).toEqual([])
    })

    test('both that a company was transferred', async () => {
      const company = await createCompany(world.db, 'Given')
      const [giver, heir] = [newEmail(), newEmail()]
      const owner = await signedIn(world, company.id, 'owner', giver)
      const next = await signedIn(world, company.id, 'viewer', heir)
      const { id } = (await next.get('/session')).json.person
      expect((await owner.post('/company/transfer', { person_id: id, password })).status).toBe(204)
      expect(await inbox.letterTo(giver, 'Given was transferred')).toContain(heir)
      expect(await inbox.letterTo(heir, 'You are an owner of Given')).toContain(giver)
    })
  },
  { ...behindProxy, SMTP_URL: inbox.url },
)
