import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Authenticator } from '../../settings/support.ts'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { password, textOf, type Visitor } from './visitor.ts'

const email = 'ada@example.com'

let site: Site
let ada: Visitor
let app: Authenticator
let recoveryCodes: string[] = []

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
}, 300_000)

afterAll(() => site?.close())

/** Scans the key that the page shows. */
async function scan({ page }: Visitor): Promise<Authenticator> {
  const key = await textOf(page.getByTestId('totp-key'))
  return new Authenticator(key.replaceAll(' ', ''))
}

async function codesShown({ page }: Visitor): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  return list.getByRole('listitem').allTextContents()
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.press(/account and theme/)
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await visitor.reaches('Sign in')
}

test('a person sets up two factors with the keyboard alone', async () => {
  await ada.go('/account', 'Account')
  await ada.button('Set up').focus()
  await ada.page.keyboard.press('Enter')
  const dialog = await ada.dialog('Set up two-factor sign-in')
  await expectNoViolations(ada, 'the password')
  await ada.page.keyboard.type('not my password')
  await ada.page.keyboard.press('Enter')
  await ada.sees('The current password is wrong')
  await ada.field('Password').fill(password)
  await ada.page.keyboard.press('Enter')
  await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor()
  await expectNoViolations(ada, 'the key')
  app = await scan(ada)
  await ada.page.keyboard.type('000000')
  await ada.page.keyboard.press('Enter')
  await ada.sees('The code is wrong')
  await ada.field('Code').fill(app.next())
  await ada.page.keyboard.press('Enter')
  await ada.dialog('Your recovery codes')
  await expectNoViolations(ada, 'the recovery codes')
  recoveryCodes = await codesShown(ada)
  expect(recoveryCodes).toHaveLength(10)
  // Nothing but the button closes what is shown once.
  await ada.page.keyboard.press('Escape')
  await ada.button('I have stored them').focus()
  await ada.page.keyboard.press('Enter')
  await ada.noDialog()
  await ada.sees('10 recovery codes left')
  await expectNoViolations(ada, 'the account with two factors')
  await ada.fits(390)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
}, 300_000)

test('the sign-in then asks for a code, and takes a recovery code in its place', async () => {
  await signOut(ada)
  await ada.signIn(email)
  await ada.sees('six digits')
  await expectNoViolations(ada, 'the code')
  await ada.press('Use a recovery code')
  await ada.fill({ 'Recovery code': 'wrong-wrong' })
  await ada.press('Sign in')
  await ada.sees('The recovery code is wrong')
  await ada.fill({ 'Recovery code': recoveryCodes[0] ?? '' })
  await ada.press('Sign in')
  await ada.reaches('Overview')
  await signOut(ada)
  await ada.signIn(email)
  await ada.fill({ Code: app.next() })
  await ada.press('Sign in')
  await ada.reaches('Overview')
  await ada.go('/account', 'Account')
  await ada.sees('9 recovery codes left')
}, 300_000)

test('a session that has ended is renewed with a code, and what was typed stays', async () => {
  await ada.go('/company', 'Company')
  await ada.fill({ 'Company name': 'Acme Works' })
  await ada.changeSignedOut(() => ada.press('Save'))
  const dialog = await ada.dialog('Sign in again')
  await ada.fill({ Password: password })
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ada.press('Use a recovery code')
  await ada.fill({ 'Recovery code': recoveryCodes[1] ?? '' })
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ada.told('The company has its new name.')
  await soon(async () => expect(await ada.field('Company name').inputValue()).toBe('Acme Works'))
}, 300_000)

test('an owner requires two factors, and whoever is invited is led to set them up', async () => {
  const grace = await site.member(ada, 'Grace', 'developer')
  await grace.hearNothing()
  await grace.go('/bids', 'Bids')
  await grace.press('New bid')
  await grace.dialog('New bid')
  await grace.fill({ Name: 'Typed for a long time' })
  await ada.go('/company', 'Company')
  await ada.sees('1 of 2 members have codes or a passkey.')
  await ada.follow('Show the others', 'Members')
  await ada.row('grace@example.com').waitFor()
  await soon(async () => expect(await ada.row('ada@example.com').count()).toBe(0))
  await expectNoViolations(ada, 'members without two factors')
  for (const width of [390, 1024, 1440]) await ada.fits(width)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
  await ada.press('Show all members')
  await soon(async () => expect(await textOf(ada.row('ada@example.com'))).toEndWith('On'))
  await ada.follow('Company', 'Company')
  await ada.press('Require it of all members')
  await ada.dialog('Require two-factor sign-in?')
  await ada.press('Require it')
  await ada.noDialog()
  await ada.sees('It is required of all members.')

  // Whoever is at work meets it with the next request, and keeps what was typed.
  await grace.press('Create bid')
  await grace.dialog('Acme Works requires two-factor sign-in')
  await expectNoViolations(grace, 'two factors are needed from now on')
  await grace.press('Stay on this page')
  await grace.sees('Nothing can be saved here before.')
  await soon(async () => expect(await grace.field('Name').inputValue()).toBe('Typed for a long time'))
  await grace.page.unrouteAll()
  await grace.page.reload()
  await grace.reaches('Set up two-factor sign-in')
  await grace.sees('Acme Works')
  await expectNoViolations(grace, 'two factors are needed')

  await ada.go('/members', 'Members')
  await ada.press('Invite someone')
  await ada.fill({ 'E-mail': 'mary@example.com' })
  await ada.sees('Your company requires two-factor sign-in.')
  await ada.press('Create invitation')
  const link = await textOf(ada.page.getByTestId('invitation-link'))
  const mary = await site.visit()
  await mary.go(link.slice(site.base.length), 'Join Acme Works')
  await mary.sees('have a phone with an authenticator app at hand')
  await mary.fill({ 'Your name': 'Mary', Password: password })
  await mary.press('Create account and join')
  await mary.reaches('Set up two-factor sign-in')
  expect((await mary.ask('GET', '/api/members')).json.code).toBe('two_factor_required')
  await mary.fits(390)
  await mary.fill({ Password: password })
  await mary.press('Continue')
  await mary.page.getByTestId('totp-key').waitFor()
  await mary.fits(390)
  await mary.fill({ Code: (await scan(mary)).next() })
  await mary.press('Turn on')
  await mary.reaches('Your recovery codes')
  await soon(async () => expect(await codesShown(mary)).toHaveLength(10))
  for (const name of ['Add a passkey instead', 'Leave the company'])
    await soon(async () => expect(await mary.button(name).count()).toBe(0))
  await expectNoViolations(mary, 'the recovery codes of a new member')
  await mary.press('I have stored them')
  await mary.reaches('Overview')
}, 300_000)

test('without two factors, the account can be opened and the company can be left', async () => {
  const joan = await site.member(ada, 'Joan', 'viewer')
  await joan.go('/bids', 'Set up two-factor sign-in')
  await joan.follow('Account', 'Account')
  await joan.fill({ 'Your name': 'Joan Clarke' })
  await joan.press('Save name')
  await joan.sees('Your name is changed.')
  await expectNoViolations(joan, 'the account before two factors')
  for (const width of [390, 1024, 1440]) await joan.fits(width)
  await joan.follow('Back to Acme Works', 'Set up two-factor sign-in')
  await joan.press('Leave the company')
  await joan.dialog('Leave Acme Works?')
  await joan.press('Leave')
  await joan.reaches('You are in no company')
}, 300_000)

test('set up in the account, two factors open the company', async () => {
  const rosa = await site.member(ada, 'Rosa', 'viewer')
  await rosa.go('/account', 'Account')
  await rosa.press('Set up')
  await rosa.dialog('Set up two-factor sign-in')
  await rosa.fill({ Password: password })
  await rosa.press('Continue')
  await rosa.page.getByTestId('totp-key').waitFor()
  await rosa.fill({ Code: (await scan(rosa)).next() })
  await rosa.press('Turn on')
  await soon(async () => expect(await codesShown(rosa)).toHaveLength(10))
  await rosa.press('I have stored them')
  await rosa.follow('Overview', 'Overview')
}, 300_000)

test('new recovery codes and turning it off take the password', async () => {
  await ada.go('/account', 'Account')
  await ada.press('New recovery codes')
  await ada.dialog('New recovery codes')
  await expectNoViolations(ada, 'new recovery codes')
  await ada.fill({ Password: password })
  await ada.press('Make new codes')
  await ada.dialog('Your recovery codes')
  expect((await codesShown(ada)).filter((code) => recoveryCodes.includes(code))).toEqual([])
  await ada.press('I have stored them')
  await ada.noDialog()
  await ada.press('Turn off')
  await ada.dialog('Turn off two-factor sign-in?')
  await ada.sees('You lose access to Acme Works')
  await expectNoViolations(ada, 'turning it off')
  await ada.fill({ Password: password })
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await ada.dialog('Acme Works requires two-factor sign-in')
  await ada.press('Set it up')
  await ada.reaches('Set up two-factor sign-in')
}, 300_000)

test('no page has done what it should not', () => {
  expect(site.noise).toEqual([])
})
