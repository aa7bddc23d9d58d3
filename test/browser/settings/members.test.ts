import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Site } from './support.ts'
import { password, textOf, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let vera: Visitor
let credential: string
let bid: string
let link = ''

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  credential = (await ada.must('POST', '/api/credentials', { name: 'Report', access: 'read', expires_at: null })).id
  bid = (await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })).id
  vera = await site.visit()
}, 120_000)

afterAll(() => site?.close())

test('an owner invites by a link', async () => {
  await ada.go('/members', 'Members')
  await ada.press('Invite someone')
  const dialog = await ada.dialog('Invite someone')
  await ada.fill({ 'E-mail': 'vera@example.com' })
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await ada.press('Create invitation')
  await ada.dialog('Invitation made')
  link = await textOf(ada.page.getByTestId('invitation-link'))
  expect(link).toStartWith(`${site.base}/invitation/`)
  await ada.press('Done')
  await ada.row('vera@example.com').waitFor()
}, 120_000)

test('who has the link makes an account and is in the company', async () => {
  await vera.page.goto(link)
  await vera.reaches('Join Acme')
  await vera.fill({ 'Your name': 'Vera Rubin', Password: password })
  await vera.press('Create account and join')
  await vera.reaches('Overview')
  await ada.go('/members', 'Members')
  expect(await textOf(ada.row('vera@example.com'))).toContain('Vera Rubin')
  await ada.sees('Nobody has an open invitation.')
}, 120_000)

test('the link works once', async () => {
  const late = await site.visit()
  await late.page.goto(link)
  await late.reaches('This invitation is not open')
}, 120_000)

const forbidden: readonly { readonly path: string; readonly heading: string; readonly buttons: readonly RegExp[] }[] = [
  { path: '/credentials', heading: 'Credentials', buttons: [/^New credential$/] },
  { path: '/bids', heading: 'Bids', buttons: [/^New bid$/, /^Edit /, /^Delete /] },
  { path: '/projects', heading: 'Projects', buttons: [/^New project$/] },
  { path: '/members', heading: 'Members', buttons: [/^Invite someone$/, /^Remove Ada/] },
  { path: '/company', heading: 'Company', buttons: [/^Save$/] },
]

for (const { path, heading, buttons } of forbidden) {
  test(`a viewer sees ${path} and can change nothing there, and reads why`, async () => {
    await vera.go(path, heading)
    await vera.sees('An owner can change your role.')
    for (const name of buttons) await expectRefusal(name)
  }, 120_000)
}

test('a viewer sees a credential and can neither rename, rotate nor revoke it', async () => {
  await vera.go(`/credentials/${credential}`, 'Report')
  for (const name of [/^Rename$/, /^Rotate secret$/, /^Revoke$/]) await expectRefusal(name)
}, 120_000)

async function expectRefusal(name: RegExp): Promise<void> {
  const button = vera.button(name).first()
  await button.waitFor()
  expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true'])
  const id = await button.getAttribute('aria-describedby')
  expect(await textOf(vera.page.locator(`[id="${id}"]`))).toMatch(/^Only (developers and )?owners can do this/)
  await button.click({ force: true })
  expect(await vera.page.getByRole('dialog').count()).toBe(0)
}

test('the server refuses a viewer the same', async () => {
  const self = (await vera.must('GET', '/api/session')).person.id
  const [secret] = (await vera.must('GET', `/api/credentials/${credential}`)).secrets
  const calls: readonly (readonly [string, string, unknown?])[] = [
    ['POST', '/api/credentials', { name: 'Mine', access: 'read', expires_at: null }],
    ['PATCH', `/api/credentials/${credential}`, { name: 'Mine' }],
    ['POST', `/api/credentials/${credential}/rotate`, { grace_seconds: 0 }],
    ['DELETE', `/api/credentials/${credential}/secrets/${secret.id}`],
    ['POST', `/api/credentials/${credential}/revoke`, {}],
    ['POST', '/api/invitations', { email: 'eve@example.com', role: 'owner' }],
    ['PATCH', `/api/members/${self}`, { role: 'owner' }],
    ['PATCH', '/api/company', { name: 'Mine' }],
    ['POST', '/api/company', { name: 'Another' }],
    ['POST', '/api/rest/bid', { bid_name: 'Mine' }],
    ['PATCH', `/api/rest/bid?id=eq.${bid}`, { bid_name: 'Mine' }],
    ['PUT', `/api/rest/bid?id=eq.${bid}`, { id: bid, bid_name: 'Mine' }],
    ['DELETE', `/api/rest/bid?id=eq.${bid}`],
    ['GET', '/api/invitations'],
  ]
  for (const [method, path, body] of calls) {
    const { status } = await vera.ask(method, path, body)
    expect([method, path, status]).toEqual([method, path, 403])
  }
  const [{ bid_name }] = await ada.must('GET', '/api/rest/bid')
  expect(bid_name).toBe('Harbour bridge')
}, 120_000)

test('a new role takes effect without a new sign-in', async () => {
  await ada.page.getByLabel('Role of Vera Rubin').selectOption('Developer')
  await ada.sees('Vera Rubin is now Developer.')
  await vera.go('/credentials', 'Credentials')
  await vera.press('New credential')
  await vera.issue('Vera’s own')
  await vera.press('Done')
  await vera.press('Close without copying')
  await vera.noDialog()
  expect((await vera.ask('PATCH', '/api/company', { name: 'Mine' })).status).toBe(403)
}, 120_000)

test('the last owner stays one', async () => {
  await ada.page.getByLabel('Role of Ada Lovelace').selectOption('Viewer')
  await ada.sees('The role stays as it was')
  expect(await ada.page.getByLabel('Role of Ada Lovelace').inputValue()).toBe('owner')
}, 120_000)

test('an open invitation is withdrawn, and its link is dead', async () => {
  const { link: open } = await ada.must('POST', '/api/invitations', { email: 'eve@example.com', role: 'viewer' })
  await ada.go('/members', 'Members')
  await ada.press('Withdraw the invitation of eve@example.com')
  await ada.dialog('Withdraw the invitation of eve@example.com?')
  await ada.press('Withdraw')
  await ada.noDialog()
  await ada.sees('Nobody has an open invitation.')
  const eve = await site.visit()
  await eve.page.goto(open)
  await eve.reaches('This invitation is not open')
}, 120_000)

test('the company gets a new name, and everybody sees it', async () => {
  await ada.go('/company', 'Company')
  await ada.fill({ 'Company name': 'Acme Bridges' })
  await ada.press('Save')
  await ada.sees('The company has its new name.')
  await vera.go('/', 'Overview')
  await vera.sees('What happens with the API of Acme Bridges.')
}, 120_000)

test('who is removed is out at once', async () => {
  await ada.go('/members', 'Members')
  await ada.press('Remove Vera Rubin')
  await ada.dialog('Remove Vera Rubin?')
  await ada.press('Remove')
  await ada.noDialog()
  await ada.row('vera@example.com').waitFor({ state: 'detached' })
  expect((await vera.ask('GET', '/api/credentials')).status).toBeOneOf([401, 403])
}, 120_000)

test('the activity tells all of it, can be narrowed, and comes as CSV', async () => {
  await ada.go('/activity', 'Activity')
  const told = [
    'ada@example.com made the company Acme',
    'made the credential Report',
    'invited vera@example.com',
    'vera@example.com joined',
    'changed the role of vera@example.com',
    'made the credential Vera’s own',
    'withdrew the invitation of eve@example.com',
    'renamed the company',
    'removed vera@example.com',
  ]
  await ada.row(told[0] ?? '').waitFor()
  for (const sentence of told) expect([sentence, await ada.row(sentence).count()]).toEqual([sentence, 1])

  await ada.field('What').selectOption('credential.created')
  await ada.row('removed vera').waitFor({ state: 'detached' })
  await ada.row('made the credential').first().waitFor()
  expect(await ada.page.getByRole('row').count()).toBe(3)
  await ada.field('Who').fill('vera')
  await ada.row('made the credential Report').waitFor({ state: 'detached' })
  await ada.row('made the credential Vera’s own').waitFor()
  expect(ada.place).toBe('/activity?action=credential.created&actor=vera')

  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('activity.csv')
  const lines = (await Bun.file(await download.path()).text()).trim().split('\r\n')
  expect(lines.length).toBe(2)
  expect(lines[0]).toStartWith('created_at,actor,action,target')
  expect(lines[1]).toContain('vera@example.com,credential.created,Vera’s own')
}, 120_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
