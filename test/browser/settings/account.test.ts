import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openInbox } from '../../settings/inbox.ts'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { password, type Visitor } from './visitor.ts'

let inbox: Awaited<ReturnType<typeof openInbox>>
let site: Site
let ada: Visitor

beforeAll(async () => {
  inbox = await openInbox()
  site = await Site.open({ SMTP_URL: inbox.url })
  ada = await site.owner()
}, 300_000)

afterAll(async () => {
  await site?.close()
  inbox?.close()
})

test('a person changes their name, and sees it at once', async () => {
  await ada.go('/account', 'Account')
  await ada.sees('Passkeys need https')
  await soon(async () => expect(await ada.button('Add a passkey').count()).toBe(0))
  await expectNoViolations(ada, 'the account')
  await ada.fits(390)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
  await ada.fill({ 'Your name': 'Augusta Ada King' })
  await ada.press('Save name')
  await ada.sees('Your name is changed.')
  await ada
    .button(/^Augusta Ada King|AK.*Augusta Ada King/)
    .first()
    .waitFor()
}, 300_000)

test('a person changes their address by a link in a mail, and the old one is told', async () => {
  await ada.press('Change e-mail')
  await ada.dialog('Change your e-mail address')
  await expectNoViolations(ada, 'a new address')
  await ada.page.keyboard.type('augusta@example.com')
  await ada.page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('not my password')
  await ada.press('Send link')
  await ada.sees('The current password is wrong')
  await ada.page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password)
  await ada.press('Send link')
  await ada.noDialog()
  await ada.sees('on its way to augusta@example.com')
  const [path = ''] = /\/confirm-email\?token=[\w-]+/.exec(await inbox.letterTo('augusta@example.com')) ?? []
  await ada.go(path, 'Confirm your e-mail address')
  await ada.sees('signs in as augusta@example.com.')
  await expectNoViolations(ada, 'the confirmation')
  await ada.press('Confirm')
  await ada.sees('You sign in as augusta@example.com from now on.')
  await inbox.letterTo('ada@example.com', 'was changed')
  await ada.go('/account', 'Account')
  await ada.sees('You sign in as augusta@example.com.')
  await ada.go(path, 'Confirm your e-mail address')
  await ada.sees('This link does not work any more')
  await soon(async () => expect(await ada.button('Confirm').count()).toBe(0))
}, 300_000)

test('a person sees their sign-ins and failed attempts, and signs out everywhere else', async () => {
  const elsewhere = await site.visit()
  await elsewhere.go('/sign-in', 'Sign in')
  await elsewhere.signIn('augusta@example.com', 'a wrong guess')
  await elsewhere.sees('Could not sign in')
  await elsewhere.follow('Forgot your password?', 'Forgot your password?')
  await soon(async () => expect(await elsewhere.field('E-mail').inputValue()).toBe('augusta@example.com'))
  await elsewhere.follow('Back to sign in', 'Sign in')
  await elsewhere.signIn('augusta@example.com')
  await elsewhere.reaches('Overview')
  await ada.go('/account', 'Account')
  await ada.page.getByRole('table', { name: 'Sign-ins' }).getByText('Wrong password').waitFor()
  await ada.press('Sign out everywhere else')
  await ada.told('You are signed out everywhere else.')
  await ada.button('Sign out everywhere else').waitFor({ state: 'detached' })
  expect((await elsewhere.ask('GET', '/api/session')).status).toBe(401)
  expect((await ada.ask('GET', '/api/session')).status).toBe(200)
}, 300_000)

test('the only owner reads why the account stays, and a member deletes theirs', async () => {
  await ada.sees('You are the only owner of Acme.')
  const grace = await site.member(ada, 'Grace', 'developer').catch(() => null)
  // With mail, the link of an invitation is in the mail alone.
  expect(grace).toBeNull()
  const [path = ''] = /\/invitation\/[\w-]+/.exec(await inbox.letterTo('grace@example.com')) ?? []
  const member = await site.visit()
  await member.go(path, 'Join Acme')
  await member.fill({ 'Your name': 'Grace', Password: password })
  await member.press('Create account and join')
  await member.reaches('Overview')
  await member.go('/account', 'Account')
  await member.press('Delete my account')
  const dialog = await member.dialog('Delete your account?')
  await expectNoViolations(member, 'deleting an account')
  await member.page.keyboard.type('grace@example.org')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await soon(async () => expect(await member.button('Delete account').isDisabled()).toBe(true))
  await dialog.getByLabel(/to go on/).fill('Grace@example.com')
  await member.press('Delete account')
  await member.reaches('Sign in')
  await member.sees('Your account is deleted.')
  await expectNoViolations(member, 'a deleted account')
  await member.signIn('grace@example.com')
  await member.sees('Could not sign in')
}, 300_000)

test('no page has done what it should not', () => {
  expect(site.noise).toEqual([])
})
