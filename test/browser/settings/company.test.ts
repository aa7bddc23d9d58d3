import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { type Keys, password, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let grace: Visitor
let keys: Required<Keys>

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  grace = await site.member(ada, 'Grace', 'developer')
  keys = await ada.must('POST', '/api/credentials', { name: 'App', access: 'read', expires_at: null })
}, 300_000)

afterAll(() => site?.close())

test('an owner deletes the company, sees when, and undoes it', async () => {
  await ada.go('/company', 'Company')
  await expectNoViolations(ada, 'the company')
  await ada.press('Delete company')
  const dialog = await ada.dialog('Delete Acme?')
  await expectNoViolations(ada, 'deleting a company')
  await ada.page.keyboard.type('Acm')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await soon(async () => expect(await dialog.getByRole('button', { name: 'Delete company' }).isDisabled()).toBe(true))
  await dialog.getByLabel(/to go on/).fill('Acme')
  await dialog.getByRole('button', { name: 'Delete company' }).click()
  await ada.noDialog()
  await ada.sees('This company is about to be deleted')
  await expectNoViolations(ada, 'a company that is about to be deleted')
  await ada.fits(390)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
  expect((await site.call(keys)).json.code).toBe('company_deleted')
  await grace.go('/', 'Overview')
  await grace.sees('Acme is deleted on')
  // What cannot be changed says so before a form is filled in.
  const reason = 'The company is about to be deleted, so nothing can be changed.'
  for (const button of ['Save', 'Turn events off']) {
    await soon(async () => expect(await ada.button(button).getAttribute('aria-disabled')).toBe('true'))
    await ada.button(button).hover()
    await ada.page.getByRole('tooltip', { name: reason }).waitFor()
  }
  await soon(async () => expect(await ada.field('Company name').getAttribute('readonly')).not.toBeNull())
  await grace.follow('Bids', 'Bids')
  await soon(async () => expect(await grace.button('New bid').getAttribute('aria-disabled')).toBe('true'))
  await grace.sees('Ada Lovelace can undo it.')
  await soon(async () => expect(await grace.button('Undo').count()).toBe(0))
  await ada.press('Undo the deletion')
  await ada.told('The company stays.')
  await ada.page.getByText('Acme is deleted on').waitFor({ state: 'detached' })
  expect((await site.call(keys)).status).toBe(200)
}, 300_000)

test('the banner undoes it from every page, and an invitation says that it waits for that', async () => {
  const { link } = await ada.must('POST', '/api/invitations', { email: 'eve@example.com', role: 'viewer' })
  await ada.must('POST', '/api/company/delete', { name: 'Acme', password })
  const eve = await site.visit()
  await eve.page.goto(link)
  await eve.reaches('This company is about to be deleted')
  await eve.sees('If an owner undoes the deletion within its seven days, this link works again')
  await ada.go('/bids', 'Bids')
  await ada.press('Undo')
  await ada.page.getByText('Acme is deleted on').waitFor({ state: 'detached' })
  expect((await site.call(keys)).status).toBe(200)
  await eve.page.goto(link)
  await eve.reaches('Join Acme')
}, 300_000)

test('an owner turns the events off and on again, and others read why they cannot', async () => {
  const newEvents = async (name: string): Promise<number> => {
    const { id } = await ada.must('POST', '/api/rest/bid', { bid_name: name })
    return (await ada.must('GET', `/api/rest/event?row_id=eq.${id}`)).length
  }
  await ada.go('/company', 'Company')
  await ada.sees('They are on: each change is kept as an event')
  await ada.press('Turn events off')
  await ada.dialog('Turn events off?')
  await expectNoViolations(ada, 'turning events off')
  await ada.press('Turn them off')
  await ada.noDialog()
  await ada.sees('They are off: changes make no events')
  expect(await newEvents('Quiet')).toBe(0)
  await grace.go('/company', 'Company')
  await grace.sees('They are off: changes make no events')
  await soon(async () => expect(await grace.button('Turn events on').getAttribute('aria-disabled')).toBe('true'))
  await ada.press('Turn events on')
  await ada.dialog('Turn events on?')
  await ada.press('Turn them on')
  await ada.noDialog()
  await ada.sees('They are on: each change is kept as an event')
  expect(await newEvents('Loud')).toBe(1)
}, 300_000)

test('an owner hands the company to another member', async () => {
  await ada.go('/company', 'Company')
  await ada.press('Transfer company')
  const dialog = await ada.dialog('Transfer Acme?')
  await ada.choose('New owner', 'Grace (grace@example.com)')
  await expectNoViolations(ada, 'transferring a company')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await ada.press('Transfer')
  await ada.noDialog()
  await ada.told('The company is transferred.')
  await ada.sees('Only owners can do this, and you are a developer.')
  await grace.go('/members', 'Members')
  await grace.button('Invite someone').waitFor()
  expect((await grace.must('GET', '/api/session')).company.role).toBe('owner')
}, 300_000)

test('who deletes their account reads that nobody can undo the deletion then, and so does who is left', async () => {
  await grace.must('POST', '/api/company/delete', { name: 'Acme', password })
  await grace.go('/account', 'Account')
  await grace.press('Delete my account')
  const dialog = await grace.dialog('Delete your account?')
  await dialog.getByText('You are the only owner of Acme, which is about to be deleted.').waitFor()
  await grace.must('POST', '/api/account/delete', { email: 'grace@example.com', password })
  await ada.go('/bids', 'Bids')
  await ada.sees('It has no owner any more: only the operator of this installation can undo it.')
}, 300_000)

test('no page has done what it should not', () => {
  expect(site.noise).toEqual([])
})
