import { afterAll, beforeAll, expect, test } from 'bun:test'
import { freePort } from '../../support/postgres.ts'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { password, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let device: Device

beforeAll(async () => {
  const PORT = String(await freePort())
  site = await Site.open({ PORT, BASE_URL: `http://localhost:${PORT}` })
  ada = await site.owner()
  device = await plugIn(ada)
}, 300_000)

afterAll(() => site?.close())

interface Device {
  /** Whether it recognizes the person, or they cancel. */
  recognizes(isRight: boolean): Promise<void>
}

/** Chromium's own device for tests, in the place of a fingerprint sensor. */
async function plugIn({ context, page }: Visitor): Promise<Device> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  return {
    recognizes: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.press(/account and theme/)
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await visitor.reaches('Sign in')
}

/** Starts something that the person then cancels: the button is free again, and nothing is said. */
async function cancelled(path: string, start: () => Promise<void>): Promise<void> {
  const answered = ada.page.waitForResponse((response) => response.url().endsWith(path))
  await start()
  await answered
  await ada.until('document.querySelector("[data-loading]") === null')
  // A message of the step before may still be on the screen.
  const complaints = ada.page.getByRole('alert').filter({ hasNotText: 'The passkey is added.' })
  await soon(async () => expect(await complaints.allTextContents()).toEqual([]))
}

test('a person adds a passkey with the keyboard alone', async () => {
  await ada.go('/account', 'Account')
  await ada.sees('You have none yet.')
  await expectNoViolations(ada, 'no passkeys')
  await ada.button('Add a passkey').focus()
  await ada.page.keyboard.press('Enter')
  await ada.dialog('Add a passkey')
  await expectNoViolations(ada, 'a new passkey')
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('Chrome on Linux'))
  await ada.field('Name').fill('Laptop')
  await ada.field('Password').fill('not my password')
  await ada.page.keyboard.press('Enter')
  await ada.sees('The current password is wrong')
  // Whoever cancels can go on from where they were.
  await device.recognizes(false)
  await ada.field('Password').fill(password)
  await cancelled('/api/passkeys/start', () => ada.page.keyboard.press('Enter'))
  await device.recognizes(true)
  await ada.page.keyboard.press('Enter')
  await ada.noDialog()
  await ada.row('Laptop').getByText('never').waitFor()
  await expectNoViolations(ada, 'a passkey')
  await ada.fits(390)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
}, 300_000)

test('a device takes one passkey for an account, and says so', async () => {
  await ada.press('Add a passkey')
  await ada.dialog('Add a passkey')
  await ada.fill({ Password: password })
  await ada.press('Continue')
  await ada.sees('This device already has a passkey for your account.')
  await ada.press('Cancel')
  await ada.noDialog()
}, 300_000)

test('the passkey signs in without an address, and a cancelled prompt is no error', async () => {
  await signOut(ada)
  await expectNoViolations(ada, 'a sign-in with a passkey')
  await ada.fits(390)
  await device.recognizes(false)
  await cancelled('/api/auth/passkey/start', () => ada.press('Sign in with a passkey'))
  await device.recognizes(true)
  await ada.press('Sign in with a passkey')
  await ada.reaches('Overview')
  await ada.go('/account', 'Account')
  await ada.row('Laptop').getByText('just now').last().waitFor()
  await ada.row('Laptop').getByText('never').waitFor({ state: 'detached' })
  const [latest] = await ada.must('GET', '/api/sign-ins')
  expect(latest).toMatchObject({ outcome: 'ok', method: 'passkey' })
}, 300_000)

test('a session that has ended is renewed with the passkey', async () => {
  await ada.go('/company', 'Company')
  await ada.fill({ 'Company name': 'Acme Works' })
  await ada.changeSignedOut(() => ada.press('Save'))
  await ada.dialog('Sign in again')
  await expectNoViolations(ada, 'signing in again')
  await ada.press('Sign in with a passkey')
  await ada.told('The company has its new name.')
}, 300_000)

test('who signed in with a passkey can require two factors, and is led to it after the password alone', async () => {
  await ada.go('/company', 'Company')
  await ada.sees('1 of 1 member has codes or a passkey.')
  await ada.press('Require it of all members')
  await ada.press('Require it')
  await ada.noDialog()
  await signOut(ada)
  await ada.signIn('ada@example.com')
  await ada.reaches('Sign in with your passkey')
  await expectNoViolations(ada, 'a passkey is needed')
  await ada.press('Sign in with a passkey')
  await ada.reaches('Overview')
  await ada.must('PUT', '/api/company/two-factor', { required: false })
}, 300_000)

test('a member without two factors can add a passkey in place of codes', async () => {
  const grace = await site.member(ada, 'Grace', 'developer')
  await plugIn(grace)
  await ada.must('PUT', '/api/company/two-factor', { required: true })
  await grace.go('/', 'Set up two-factor sign-in')
  await grace.press('Add a passkey instead')
  const dialog = await grace.dialog('Add a passkey')
  await grace.fill({ Name: 'Phone' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await grace.noDialog()
  await grace.reaches('Sign in with your passkey')
  await grace.press('Sign in with a passkey')
  await grace.reaches('Overview')
  await ada.must('PUT', '/api/company/two-factor', { required: false })
}, 300_000)

test('the page says where passkeys do not work', async () => {
  const old = await site.member(ada, 'Mary', 'viewer')
  await old.page.addInitScript('delete window.PublicKeyCredential')
  await old.go('/account', 'Account')
  await old.sees('This browser does not support passkeys.')
  await soon(async () => expect(await old.button('Add a passkey').count()).toBe(0))
  // The same service by another address, where the browser would refuse.
  const known = old.page.waitForResponse((response) => response.url().endsWith('/api/setup'))
  await old.page.goto(`${site.service.base}/sign-in`)
  await (await known).finished()
  await old.reaches('Sign in')
  await old.sees('No account? Ask an owner')
  await soon(async () => expect(await old.button('Sign in with a passkey').count()).toBe(0))
}, 300_000)

test('a passkey is renamed and deleted, and then does not sign in', async () => {
  await ada.go('/account', 'Account')
  await ada.act('Laptop', 'Rename')
  await ada.dialog('Rename Laptop')
  await expectNoViolations(ada, 'renaming a passkey')
  await ada.fill({ Name: 'Old laptop' })
  await ada.press('Rename')
  await ada.noDialog()
  await ada.act('Old laptop', 'Delete')
  await ada.dialog('Delete Old laptop?')
  await expectNoViolations(ada, 'deleting a passkey')
  await ada.press('Delete passkey')
  await ada.noDialog()
  await ada.sees('You have none yet.')
  await signOut(ada)
  await ada.press('Sign in with a passkey')
  await ada.sees('The passkey could not be verified')
  await expectNoViolations(ada, 'a passkey that was deleted')
}, 300_000)

test('no page has done what it should not', () => {
  expect(site.noise.filter((line) => !line.includes(site.service.base))).toEqual([])
})
