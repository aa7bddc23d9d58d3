import { afterAll, beforeAll, expect, test } from 'bun:test'
import { soon } from './soon.ts'
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
}, 300_000)

afterAll(() => site?.close())

test('a wrong password is refused in words that do not tell which part was wrong', async () => {
  await ada.go('/', 'Sign in')
  await ada.signIn(email, 'not the password')
  const alert = ada.page.getByRole('alert').filter({ hasText: 'Could not sign in' })
  await alert.waitFor()
  const forKnown = await textOf(alert.locator('p').first())
  const answered = ada.page.waitForResponse(/sign-in/)
  await ada.signIn('nobody@example.com', 'not the password')
  await answered
  await alert.waitFor()
  await soon(async () => expect(await textOf(alert.locator('p').first())).toBe(forKnown))
  expect(forKnown).toMatch(/e-mail.*password/i)
}, 300_000)

test('the right password opens the overview', async () => {
  await ada.signIn(email)
  await ada.reaches('Overview')
  await soon(() => expect(ada.place).toBe('/'))
}, 300_000)

test('a sign-out that fails says why', async () => {
  const refusal = { code: 'x', message: 'It is too busy', details: null, hint: null }
  await ada.page.route('**/sign-out', (route) => route.fulfill({ status: 500, json: refusal }))
  await ada.press(/account and theme/)
  await ada.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await ada.told('Could not sign out', 'It is too busy')
  await ada.page.unroute('**/sign-out')
  expect(ada.noise.splice(0).join()).toMatch(/500.*sign-out/)
}, 300_000)

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
}, 300_000)

test('a deep link leads to the sign-in and then to where it points', async () => {
  await ada.go('/bids?q=bridge&order=bid_name.asc', 'Sign in')
  await ada.signIn(email)
  await ada.reaches('Bids')
  await soon(() => expect(ada.place).toBe('/bids?q=bridge&order=bid_name.asc'))
  await soon(async () => expect(await ada.page.getByRole('searchbox').inputValue()).toBe('bridge'))
}, 300_000)

test('a link that leads elsewhere after the sign-in is not followed', async () => {
  await ada.go('/sign-in?next=//evil.example/')
  await ada.reaches('Overview')
  await soon(() => expect(ada.place).toBe('/'))
}, 300_000)

test('a session that ends in the middle of a form is renewed over it, and the form goes on', async () => {
  await ada.go('/bids', 'Bids')
  await ada.press('New bid')
  await ada.fill({ Name: 'Kept over the sign-in' })
  await ada.changeSignedOut(() => ada.press('Create bid'))
  const dialog = await ada.dialog('Sign in again')
  await ada.page.keyboard.press('Escape')
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByText('Could not sign in').waitFor()
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('Kept over the sign-in'))
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ada.noDialog()
  await ada.row('Kept over the sign-in').waitFor()
}, 300_000)

test('without a connection there is one banner, and the page goes on by itself afterwards', async () => {
  const banner = ada.page.getByText('The server cannot be reached.')
  await ada.context.setOffline(true)
  await ada.follow('Members', 'Members')
  await banner.waitFor()
  await ada.follow('Company', 'Company')
  await ada.fill({ 'Company name': 'Typed without a connection' })
  await ada.press('Save')
  await ada.page.getByRole('alert').filter({ hasText: 'Could not rename the company' }).waitFor()
  await soon(async () => expect(await banner.count()).toBe(1))
  await ada.context.setOffline(false)
  await banner.waitFor({ state: 'detached' })
  await soon(async () => expect(await ada.page.getByText('The server could not be reached.').count()).toBe(0))
  await soon(async () => expect(await ada.field('Company name').inputValue()).toBe('Typed without a connection'))
  await ada.follow('Members', 'Members')
  await ada.row(email).waitFor()
}, 300_000)

test('an address that does not exist, or is no text, is a page that leads on', async () => {
  const stranger = await site.visit()
  for (const path of ['/nowhere', '/credentials/%E0%A4%A', '/invitation/%E0%A4%A']) {
    await ada.go(path, 'Page not found')
    await stranger.go(path, 'Page not found')
  }
  await stranger.follow('Sign in', 'Sign in')
  await ada.go('/c/01890a5d-ac96-774b-bcce-b302099a8057/members', 'Not your company')
  await ada.follow('Acme', 'Overview')
  await ada.go(`${new URL(ada.page.url()).pathname}/nowhere`, 'Page not found')
  await ada.follow('Go to the overview', 'Overview')
  const noise = [...ada.noise.splice(0), ...stranger.noise.splice(0)]
  expect(noise.filter((line) => !/404.*(?:nowhere|%E0%A4%A)$/.test(line))).toEqual([])
}, 300_000)

test('a page that breaks says so, and the others work', async () => {
  await ada.page.route('**/members', (route) => route.fulfill({ json: { not: 'a list' } }))
  await ada.page.getByRole('link', { name: 'Members', exact: true }).click()
  await ada.page.getByRole('alert').filter({ hasText: 'This page does not work' }).waitFor()
  await ada.page.unroute('**/members')
  await ada.follow('Bids', 'Bids')
  await ada.row('Kept over the sign-in').waitFor()
  await ada.go('/members', 'Members')
  await ada.row(email).waitFor()
  expect(ada.noise.splice(0).join()).toContain('filter')
}, 300_000)

test('the account page lists the other session and signs it out', async () => {
  const elsewhere = await site.visit({ userAgent: firefox })
  await elsewhere.go('/', 'Sign in')
  await elsewhere.signIn(email)
  await elsewhere.reaches('Overview')
  // Until this one is there, the links below it still move.
  await elsewhere.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bids' }).waitFor()
  // The overview would find out by itself.
  await elsewhere.follow('Company', 'Company')
  await ada.go('/account', 'Account')
  await ada.row('This device').filter({ hasText: 'Now' }).waitFor()
  // Below are the sign-ins, which stay.
  const session = ada.row('Firefox on Windows').filter({ has: ada.page.getByRole('button') })
  await session.getByRole('button').click()
  await session.waitFor({ state: 'detached' })
  await soon(async () => expect(await ada.row('This device').count()).toBe(1))
  await elsewhere.page.getByRole('link', { name: 'Members', exact: true }).click()
  await elsewhere.dialog('Sign in again')
  await elsewhere.press('Sign in as somebody else')
  await elsewhere.reaches('Sign in')
  await elsewhere.context.close()
}, 300_000)

test('the password changes only with the current one, and then signs out everywhere else', async () => {
  const elsewhere = await site.visit()
  await elsewhere.must('POST', '/api/auth/sign-in/email', { email, password })
  await ada.go('/account', 'Account')
  await ada.fill({ 'Current password': 'not the password', 'New password': newPassword })
  await ada.press('Change password')
  await ada.sees('The current password is wrong.')
  await ada.fill({ 'Current password': password })
  await ada.press('Change password')
  await ada.sees('Your password is changed.')
  expect((await elsewhere.ask('GET', '/api/session')).status).toBe(401)
  expect((await ada.ask('GET', '/api/session')).status).toBe(200)
}, 300_000)

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

  // A link that is used up says so before a password is typed.
  await visitor.page.goto(link)
  await visitor.sees('This link does not work any more')
  await soon(async () => expect(await visitor.field('New password').count()).toBe(0))
  await visitor.follow('Ask for a new one', 'Forgot your password?')
}, 300_000)

test('nobody signs up without an invitation once there is a first person', async () => {
  const stranger = await site.visit()
  await stranger.go('/sign-up', 'Create an account')
  await stranger.sees('Accounts are by invitation here.')
  const body = { name: 'Eve', email: 'eve@example.com', password }
  expect((await stranger.ask('POST', '/api/auth/sign-up/email', body)).status).toBe(403)
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
