import { afterAll, beforeAll, expect, test } from 'bun:test'
import { colours, expectNoViolations, violations } from '../settings/axe.ts'
import { soon } from '../settings/soon.ts'
import { likeBrowser, Site } from '../settings/support.ts'
import { password, type Visitor } from '../settings/visitor.ts'

let site: Site
let ada: Visitor
let stranger: Visitor
let viewer: Visitor
let credential = ''
let invitation = ''

beforeAll(async () => {
  site = await Site.open()
  stranger = await site.visit()
  await stranger.go('/sign-up', 'Create the first account')
  await expectNoViolations(stranger, 'the first sign-up')
  ada = await site.owner()
  await ada.go('/credentials', 'Credentials')
  await expectNoViolations(ada, 'no credentials yet')
  await fill()
  viewer = await site.member(ada, 'Vera', 'viewer')
}, 300_000)

afterAll(() => site?.close())

/** Something of everything: two secrets, traffic of all outcomes, warnings, several pages of rows, an open invitation. */
async function fill(): Promise<void> {
  const issue = (name: string, more: object = {}) =>
    ada.must('POST', '/api/credentials', { name, access: 'read-write', expires_at: null, ...more })
  const expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const [keys, ended] = [await issue('Nightly report', { expires_at }), await issue('Old one', { access: 'read' })]
  credential = keys.id
  await ada.must('POST', `/api/credentials/${ended.id}/revoke`, {})
  const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })
  const body = Array.from({ length: 25 }, (_, at) => ({ bid_id, project_name: `Lot ${at}` }))
  await site.call(keys, 'POST', '/project', { body })
  await site.call({ api_key: keys.api_key })
  await site.call(keys, 'GET', '/project', likeBrowser)
  await ada.must('POST', `/api/credentials/${keys.id}/rotate`, { grace_seconds: 3600 })
  const { link } = await ada.must('POST', '/api/invitations', { email: 'grace@example.com', role: 'viewer' })
  invitation = link.slice(site.base.length)
  await ada.go('/fields', 'Fields')
  await expectNoViolations(ada, 'no fields yet')
  const field = (body: object) => ada.must('POST', '/api/fields', { resource: 'project', ...body })
  const states = { choices: ['lead', 'won'], initial: 'lead', transitions: { lead: ['won'] } }
  await field({ name: 'status', type: 'choice', ...states })
  await field({ name: 'due_on', type: 'date', indexed: true, description: 'When it must be done.' })
  const old = await field({ name: 'old', type: 'text' })
  await ada.must('POST', `/api/fields/${old.id}/archive`)
}

test('the checker finds what is wrong, also in the dark', async () => {
  await stranger.go('/sign-in', 'Sign in')
  await stranger.page.emulateMedia({ colorScheme: 'dark' })
  await soon(async () =>
    expect(await stranger.page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark'),
  )
  await stranger.page.evaluate(`document.querySelector('h1').insertAdjacentHTML('afterend', '<img><p>Faint</p>')`)
  await stranger.page.evaluate(`document.querySelector('h1 + img + p').style.color = '#333'`)
  expect((await violations(stranger, 'all', {})).join()).toContain('image-alt')
  expect((await violations(stranger, 'colours', colours)).join()).toContain('color-contrast')
  await stranger.page.reload()
}, 300_000)

const openPages = [
  { path: () => '/sign-in', heading: 'Sign in' },
  { path: () => '/sign-up', heading: 'Create an account' },
  { path: () => '/forgot', heading: 'Forgot your password?' },
  { path: () => '/reset-password?token=x', heading: 'Set a new password' },
  { path: () => invitation, heading: 'Join Acme' },
  { path: () => '/invitation/none', heading: 'This invitation is not open' },
]

const pages = [
  { path: () => '/', heading: 'Overview' },
  { path: () => '/credentials', heading: 'Credentials' },
  { path: () => `/credentials/${credential}`, heading: 'Nightly report' },
  { path: () => `/credentials/${credential}?tab=settings`, heading: 'Nightly report' },
  { path: () => '/projects', heading: 'Projects' },
  { path: () => '/bids', heading: 'Bids' },
  { path: () => '/requests', heading: 'Requests' },
  { path: () => '/fields', heading: 'Fields' },
  { path: () => '/members', heading: 'Members' },
  { path: () => '/activity', heading: 'Activity' },
  { path: () => '/company', heading: 'Company' },
  { path: () => '/account', heading: 'Account' },
  { path: () => '/new-company', heading: 'New company' },
  { path: () => '/c/01890a5d-ac96-774b-bcce-b302099a8057', heading: 'Not your company' },
]

for (const [who, list] of [
  ['nobody in particular', openPages],
  ['a member', pages],
] as const) {
  for (const { path, heading } of list) {
    test(`“${heading}”, for ${who}, has its title, fits 320 px and has no violations`, async () => {
      const visitor = who === 'a member' ? ada : stranger
      await visitor.move(path(), heading)
      await visitor.loads()
      await soon(async () => expect(await visitor.page.title()).toBe(`${heading} · Project API`))
      await expectNoViolations(visitor, heading)
      await visitor.fits(320)
    }, 300_000)
  }
}

test('no table hides a column on a small laptop', async () => {
  await ada.page.setViewportSize({ width: 1024, height: 768 })
  const hiding: string[] = []
  for (const path of ['/credentials', '/requests', '/projects', '/bids', '/members', '/activity', '/account']) {
    await ada.move(path)
    await ada.page.getByRole('table').first().waitFor()
    if (await ada.page.evaluate(hasHiddenColumn)) hiding.push(path)
  }
  expect(hiding).toEqual([])
}, 300_000)

const hasHiddenColumn = "[...document.querySelectorAll('.data-table')].some((one) => one.scrollWidth > one.clientWidth)"

test('what a viewer sees has no violations', async () => {
  await viewer.go('/members', 'Members')
  await viewer.loads()
  await expectNoViolations(viewer, 'Members for a viewer')
}, 300_000)

const dialogs: readonly {
  readonly name: string
  readonly at: () => string
  readonly open: readonly (string | RegExp | { readonly of: string; readonly action: string })[]
}[] = [
  { name: 'New credential', at: () => '/credentials', open: ['New credential'] },
  { name: 'Rename Nightly report', at: () => `/credentials/${credential}`, open: ['Rename'] },
  { name: 'Revoke Nightly report?', at: () => `/credentials/${credential}?tab=settings`, open: ['Revoke'] },
  {
    name: 'Access of Nightly report',
    at: () => `/credentials/${credential}?tab=settings`,
    open: ['Change: Access'],
  },
  {
    name: 'Expiry of Nightly report',
    at: () => `/credentials/${credential}?tab=settings`,
    open: ['Change: Expiry'],
  },
  { name: 'Go to', at: () => '/company', open: ['Go to a page, credential or row'] },
  { name: 'Stop the old secret now?', at: () => `/credentials/${credential}`, open: ['Finish now'] },
  { name: 'Discard the new secret?', at: () => `/credentials/${credential}`, open: ['Discard the new secret'] },
  { name: 'Request', at: () => '/requests?outcome=not_scoped', open: [/GET.*project/] },
  { name: 'New project', at: () => '/projects?q=Lot 24', open: ['New project'] },
  { name: 'Import projects', at: () => '/projects?q=Lot 24', open: ['Import'] },
  { name: 'Edit Lot 24', at: () => '/projects?q=Lot 24', open: ['Show as API call', { of: 'Lot 24', action: 'Edit' }] },
  { name: 'Delete Lot 24?', at: () => '/projects?q=Lot 24', open: [{ of: 'Lot 24', action: 'Delete' }] },
  { name: 'Lot 24', at: () => '/projects?q=Lot 24', open: ['Lot 24'] },
  { name: 'Filter', at: () => '/projects', open: ['Filter'] },
  { name: 'Columns', at: () => '/credentials', open: ['Columns'] },
  { name: 'Invite someone', at: () => '/members', open: ['Invite someone'] },
  { name: 'Remove Vera?', at: () => '/members', open: [{ of: 'Vera', action: 'Remove' }] },
  { name: 'Withdraw the invitation of grace@example.com?', at: () => '/members', open: [/^Withdraw/] },
]

for (const { name, at, open } of dialogs) {
  test(`the dialog “${name}” keeps the focus and has no violations`, async () => {
    await ada.move(at())
    for (const button of open) {
      if (typeof button === 'object' && 'of' in button) await ada.act(button.of, button.action)
      else await ada.press(button)
    }
    await ada.dialog(name)
    await ada.until('document.activeElement.closest("[role=dialog]") !== null')
    await expectNoViolations(ada, name)
    await ada.fits(320)
    await ada.page.keyboard.press('Escape')
    await ada.noDialog()
    await ada.page.setViewportSize({ width: 1280, height: 900 })
  }, 300_000)
}

test('the steps of an import have no violations', async () => {
  await ada.move('/projects', 'Projects')
  await ada.press('Import')
  await ada.dialog('Import projects')
  const buffer = Buffer.from('Name,Bid,Notes\nLot 100,Harbour bridge,مشروع\nLot 101,nowhere,橋\n')
  await ada.page.locator('input[type=file]').setInputFiles({ name: 'lots.csv', mimeType: 'text/csv', buffer })
  await ada.press('Continue')
  await ada.button('Check 2 rows').waitFor()
  await expectNoViolations(ada, 'the columns of a file')
  await ada.press('Check 2 rows')
  await ada.sees('1 of 2 rows are bad')
  await expectNoViolations(ada, 'the bad rows of a file')
  await ada.fits(390)
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await ada.page.setViewportSize({ width: 1280, height: 900 })
}, 300_000)

test('the dialogs that show a secret or a link, the menus and a refusal have no violations', async () => {
  await ada.move('/credentials', 'Credentials')
  await ada.press('New credential')
  await ada.issue('Shown')
  await expectNoViolations(ada, 'the secret')
  await ada.press('Done')
  await expectNoViolations(ada, 'closing without copying')
  await ada.press('Close without copying')
  await ada.follow('Shown', 'Shown')
  await ada.press('Rotate secret')
  await ada.dialog('Rotate the secret of Shown')
  await expectNoViolations(ada, 'rotating')
  await ada.page.keyboard.press('Escape')
  await ada.move('/members', 'Members')
  await ada.press('Invite someone')
  await ada.fill({ 'E-mail': 'new@example.com' })
  await ada.press('Create invitation')
  await ada.dialog('Invitation created')
  await expectNoViolations(ada, 'the invitation’s link')
  await ada.press('Done')
  await ada.noDialog()
  await ada.press(/account and theme/)
  await ada.page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await expectNoViolations(ada, 'the menu of the person')
  await ada.page.keyboard.press('Escape')
  await ada.context.clearCookies()
  // The page may have found out by itself, and then nothing behind the dialog can be pressed.
  await ada.page.getByRole('link', { name: 'Activity', exact: true }).dispatchEvent('click')
  await ada.dialog('Sign in again')
  await expectNoViolations(ada, 'the sign-in over the page')
  await stranger.go('/sign-in', 'Sign in')
  await stranger.signIn('ada@example.com', `not ${password}`)
  await stranger.page.getByRole('alert').waitFor()
  await expectNoViolations(stranger, 'a wrong password')
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
