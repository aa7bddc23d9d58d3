import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Site } from './support.ts'
import { password, textOf, type Visitor } from './visitor.ts'

const email = 'ada@example.com'
const newPassword = 'a rather long sentence'
const lastPassword = 'yet another sentence'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'

let site: Site
let ada: Visitor

beforeAll(async () => {
  site = await Site.open()
  await (await site.owner()).context.close()
  ada = await site.visit()
}, 120_000)

afterAll(() => site?.close())

test('a wrong password is refused in words that do not tell which part was wrong', async () => {
  await ada.go('/', 'Sign in')
  await ada.signIn(email, 'not the password')
  const alert = ada.page.getByRole('alert').filter({ hasText: 'Could not sign in' })
  await alert.waitFor()
  const forKnown = await textOf(alert.locator('p').first())
  await ada.signIn('nobody@example.com', 'not the password')
  await ada.page.waitForResponse(/sign-in/)
  await alert.waitFor()
  expect(await textOf(alert.locator('p').first())).toBe(forKnown)
  expect(forKnown).toMatch(/e-mail.*password/i)
}, 120_000)

test('the right password opens the overview', async () => {
  await ada.signIn(email)
  await ada.reaches('Overview')
  expect(ada.place).toBe('/')
}, 120_000)

test('after signing out nothing opens any more, and the old cookie is worth nothing', async () => {
  const cookies = await ada.context.cookies()
  expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toContainEqual([true, 'Lax'])
  await ada.press(/account and theme/)
  await ada.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await ada.reaches('Sign in')
  await ada.page.goBack()
  await ada.go('/credentials', 'Sign in')
  await ada.context.addCookies(cookies)
  expect((await ada.ask('GET', '/api/session')).status).toBe(401)
  await ada.context.clearCookies()
}, 120_000)

test('a deep link leads to the sign-in and then to where it points', async () => {
  await ada.go('/bids?q=bridge&order=bid_name.asc', 'Sign in')
  await ada.signIn(email)
  await ada.reaches('Bids')
  expect(ada.place).toBe('/bids?q=bridge&order=bid_name.asc')
  expect(await ada.page.getByRole('searchbox').inputValue()).toBe('bridge')
}, 120_000)

test('a link that leads elsewhere after the sign-in is not followed', async () => {
  await ada.go('/sign-in?next=//evil.example/')
  await ada.reaches('Overview')
  expect(ada.place).toBe('/')
}, 120_000)

test('the account page lists the other session and signs it out', async () => {
  const elsewhere = await site.visit({ userAgent: firefox })
  await elsewhere.go('/', 'Sign in')
  await elsewhere.signIn(email)
  await elsewhere.reaches('Overview')
  // The overview would find out by itself.
  await elsewhere.follow('Company', 'Company')
  await ada.go('/account', 'Account')
  await ada.row('This one').waitFor()
  await ada.row('Firefox on Windows').getByRole('button').click()
  await ada.row('Firefox on Windows').waitFor({ state: 'detached' })
  expect(await ada.row('This one').count()).toBe(1)
  await elsewhere.page.getByRole('link', { name: 'Members', exact: true }).click()
  await elsewhere.reaches('Sign in')
  await elsewhere.context.close()
}, 120_000)

test('the password changes only with the current one, and then signs out everywhere else', async () => {
  const elsewhere = await site.visit()
  await elsewhere.must('POST', '/api/auth/sign-in/email', { email, password })
  await ada.go('/account', 'Account')
  await ada.fill({ 'Current password': 'not the password', 'New password': newPassword })
  await ada.press('Change password')
  await ada.page.getByRole('alert').filter({ hasText: 'Could not change the password' }).waitFor()
  await ada.fill({ 'Current password': password })
  await ada.press('Change password')
  await ada.sees('Your password is changed.')
  expect((await elsewhere.ask('GET', '/api/session')).status).toBe(401)
  expect((await ada.ask('GET', '/api/session')).status).toBe(200)
}, 120_000)

test('an operator prints a link by which a forgotten password is set anew, once', async () => {
  const { link = '' } = await site.command('user', 'reset-password', email)
  const visitor = await site.visit()
  await visitor.go('/forgot', 'Forgot your password?')
  await visitor.sees('user reset-password')
  await visitor.page.goto(link)
  await visitor.fill({ 'New password': lastPassword })
  await visitor.press('Set password')
  await visitor.sees('Your password is changed. Sign in with the new one.')
  await visitor.signIn(email, newPassword)
  await visitor.page.getByRole('alert').filter({ hasText: 'Could not sign in' }).waitFor()
  await visitor.signIn(email, lastPassword)
  await visitor.reaches('Overview')
  // Who was signed in with the old password is so no more.
  expect((await ada.ask('GET', '/api/session')).status).toBe(401)

  await visitor.page.goto(link)
  await visitor.fill({ 'New password': 'the link a second time' })
  await visitor.press('Set password')
  await visitor.page.getByRole('alert').filter({ hasText: 'Could not set the password' }).waitFor()
}, 120_000)

test('nobody signs up without an invitation once there is a first person', async () => {
  const stranger = await site.visit()
  await stranger.go('/sign-up', 'Create an account')
  await stranger.sees('Accounts are by invitation here.')
  const body = { name: 'Eve', email: 'eve@example.com', password }
  expect((await stranger.ask('POST', '/api/auth/sign-up/email', body)).status).toBe(403)
}, 120_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
