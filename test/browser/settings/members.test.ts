import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
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
  await ada.keepUndo()
  await ada.mayUseClipboard()
  credential = (await ada.must('POST', '/api/credentials', { name: 'Report', access: 'read', expires_at: null })).id
  bid = (await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })).id
  vera = await site.visit()
}, 300_000)

afterAll(() => site?.close())

test('an owner invites by a link', async () => {
  await ada.go('/members', 'Members')
  await ada.press('Invite someone')
  const dialog = await ada.dialog('Invite someone')
  await ada.fill({ 'E-mail': 'vera@example.com' })
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await ada.press('Create invitation')
  await ada.dialog('Invitation created')
  const first = await textOf(ada.page.getByTestId('invitation-link'))
  expect(first).toStartWith(`${site.base}/invitation/`)
  await ada.press('Done')
  await ada.copy('Copy link for vera@example.com')
  await soon(async () => expect(await ada.clipboard()).toBe(first))
  link = await inviteAgain(first)
}, 300_000)

/** The page says beforehand and afterwards that the first link ends. */
async function inviteAgain(first: string): Promise<string> {
  await ada.press('Invite someone')
  const dialog = await ada.dialog('Invite someone')
  await ada.fill({ 'E-mail': 'Vera@example.com' })
  await dialog.getByText('has an open invitation. If you invite them again, the first link ends.').waitFor()
  await dialog.getByRole('radio', { name: 'Viewer' }).check()
  await ada.press('Invite again')
  await ada.dialog('Invitation created')
  await ada.sees('The link that they had before has ended.')
  const second = await textOf(ada.page.getByTestId('invitation-link'))
  await ada.press('Done')
  await ada.noDialog()
  await vera.page.goto(first)
  await vera.reaches('This invitation is not open')
  // A page that was loaded anew knows no link, and offers another one.
  await ada.page.reload()
  await ada.press('New link for vera@example.com')
  await ada.dialog('Invite vera@example.com again?')
  await ada.press('Create a new link')
  await ada.dialog('Invitation created')
  const third = await textOf(ada.page.getByTestId('invitation-link'))
  expect(new Set([first, second, third]).size).toBe(3)
  await ada.press('Done')
  return third
}

test('who has the link makes an account and is in the company', async () => {
  await vera.page.goto(link)
  await vera.reaches('Join Acme')
  await vera.fill({ 'Your name': 'Vera Rubin', Password: password })
  await vera.press('Create account and join')
  await vera.reaches('Overview')
  await ada.go('/members', 'Members')
  await soon(async () => expect(await textOf(ada.row('vera@example.com'))).toContain('Vera Rubin'))
  await ada.sees('Nobody has an open invitation.')
}, 300_000)

test('the link works once', async () => {
  const late = await site.visit()
  await late.page.goto(link)
  await late.reaches('This invitation is not open')
}, 300_000)

interface Forbidden {
  readonly path: string
  readonly heading: string
  readonly buttons: readonly RegExp[]
  /** What the menu of a row has. */
  readonly actions: readonly string[]
}

const forbidden: readonly Forbidden[] = [
  { path: '/credentials', heading: 'Credentials', buttons: [/^New credential$/], actions: ['Rename', 'Revoke'] },
  { path: '/bids', heading: 'Bids', buttons: [/^New bid$/], actions: ['Edit', 'Delete'] },
  { path: '/projects', heading: 'Projects', buttons: [/^New project$/], actions: [] },
  { path: '/members?q=ada', heading: 'Members', buttons: [/^Invite someone$/], actions: ['Remove'] },
  { path: '/company', heading: 'Company', buttons: [/^Save$/], actions: [] },
]

for (const { path, heading, buttons, actions } of forbidden) {
  test(`a viewer sees ${path} and can change nothing there, and reads why`, async () => {
    await vera.go(path, heading)
    await vera.sees('An owner can change your role.')
    for (const name of buttons) await expectRefusal(name)
    if (actions.length > 0)
      await vera
        .button(/^Actions for /)
        .first()
        .click()
    for (const name of actions) {
      const item = vera.page.getByRole('menuitem', { name })
      await soon(async () => expect([name, await item.getAttribute('aria-disabled')]).toEqual([name, 'true']))
      await soon(async () => expect(await textOf(item)).toMatch(/Only (developers and )?owners can do this/))
      await item.click({ force: true })
    }
    await soon(async () => expect(await vera.page.getByRole('dialog').count()).toBe(0))
    await soon(async () => expect(await vera.page.getByRole('checkbox').count()).toBe(0))
  }, 300_000)
}

test('a viewer sees a credential and can neither rename, rotate nor revoke it', async () => {
  await vera.go(`/credentials/${credential}?tab=settings`, 'Report')
  for (const name of [/^Rename$/, /^Rotate secret$/, /^Revoke$/]) await expectRefusal(name)
}, 300_000)

async function expectRefusal(name: RegExp): Promise<void> {
  const button = vera.button(name).first()
  await button.waitFor()
  await soon(async () => expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true']))
  const id = await button.getAttribute('aria-describedby')
  await soon(async () =>
    expect(await textOf(vera.page.locator(`[id="${id}"]`))).toMatch(/^Only (developers and )?owners can do this/),
  )
  await button.click({ force: true })
  await soon(async () => expect(await vera.page.getByRole('dialog').count()).toBe(0))
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
}, 300_000)

const roleOf = async (name: string): Promise<string> => {
  const members: { name: string; role: string }[] = await ada.must('GET', '/api/members')
  return members.find((member) => member.name === name)?.role ?? ''
}

test('no key or click makes an owner by a slip, and a change can be undone', async () => {
  await ada.go('/members', 'Members')
  const field = ada.page.getByRole('combobox', { name: 'Role of Vera Rubin' })
  await field.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Escape']) await ada.page.keyboard.press(key)
  await ada.choose('Role of Vera Rubin', 'Owner')
  await ada.dialog('Make Vera Rubin an owner?')
  await ada.press('Cancel')
  await ada.noDialog()
  expect([await field.inputValue(), await roleOf('Vera Rubin')]).toEqual(['Viewer', 'viewer'])

  await ada.choose('Role of Vera Rubin', 'Owner')
  await ada.dialog('Make Vera Rubin an owner?')
  await ada.press('Make owner')
  await ada.told('Vera Rubin is now Owner.')
  expect(await roleOf('Vera Rubin')).toBe('owner')
  await ada.press('Undo')
  await ada.told('It is undone.')
  expect([await roleOf('Ada Lovelace'), await roleOf('Vera Rubin')]).toEqual(['owner', 'viewer'])
}, 300_000)

test('a new role takes effect without a new sign-in', async () => {
  await ada.choose('Role of Vera Rubin', 'Developer')
  await ada.told('Vera Rubin is now Developer.')
  await ada.until("document.activeElement.getAttribute('aria-label') === 'Role of Vera Rubin'")
  await vera.go('/credentials', 'Credentials')
  await vera.press('New credential')
  await vera.issue('Vera’s own')
  await vera.press('Done')
  await vera.press('Close without copying')
  await vera.noDialog()
  expect((await vera.ask('PATCH', '/api/company', { name: 'Mine' })).status).toBe(403)
}, 300_000)

test('the only owner can neither step down nor leave, and reads why', async () => {
  const reason = 'You are the only owner. Make another member an owner first.'
  await ada.press('Actions for Ada Lovelace')
  const leave = ada.page.getByRole('menuitem', { name: 'Leave the company' })
  await soon(async () => expect(await leave.getAttribute('aria-disabled')).toBe('true'))
  await soon(async () => expect(await textOf(leave)).toContain(reason))
  await ada.page.keyboard.press('Escape')
  await soon(async () => expect(await ada.page.getByRole('combobox', { name: 'Role of Ada Lovelace' }).count()).toBe(0))
}, 300_000)

test('an open invitation is withdrawn, and its link is dead', async () => {
  const { link: open } = await ada.must('POST', '/api/invitations', { email: 'eve@example.com', role: 'viewer' })
  // Below a table whose height is not known yet, a click on an invitation would miss it.
  const [members, { promise, resolve }] = [/\/api\/.*\/members$/, Promise.withResolvers<void>()]
  await ada.page.route(members, async (route) => {
    await promise
    await route.continue()
  })
  const invited = ada.page.waitForResponse(/\/invitations$/)
  await ada.go('/members', 'Members')
  await (await invited).finished()
  expect(await ada.page.getByText('Open invitations').count()).toBe(0)
  resolve()
  await ada.page.unrouteAll({ behavior: 'wait' })
  await ada.press('Withdraw the invitation of eve@example.com')
  await ada.dialog('Withdraw the invitation of eve@example.com?')
  await ada.press('Withdraw')
  await ada.noDialog()
  await ada.sees('Nobody has an open invitation.')
  const eve = await site.visit()
  await eve.page.goto(open)
  await eve.reaches('This invitation is not open')
}, 300_000)

test('an owner who has invited somebody loses the role after a question, and without an undo', async () => {
  const grace = await site.member(ada, 'Grace', 'owner')
  const { link: open } = await grace.must('POST', '/api/invitations', { email: 'eve@example.com', role: 'owner' })
  await ada.go('/members', 'Members')
  await ada.sees('eve@example.com')
  // With two owners, one may step down, and is asked.
  await ada.choose('Role of Ada Lovelace', 'Viewer')
  await ada.dialog('Become Viewer?')
  await ada.press('Cancel')
  await ada.noDialog()
  await ada.choose('Role of Grace', 'Developer')
  const dialog = await ada.dialog('Make Grace a developer?')
  await dialog.getByText('One open invitation that Grace has sent ends').waitFor()
  await ada.press('Change role')
  await ada.told('Grace is now Developer. One open invitation has ended.')
  await ada.noDialog()
  await soon(async () => expect(await ada.button('Undo').count()).toBe(0))
  await ada.sees('Nobody has an open invitation.')
  const eve = await site.visit()
  await eve.page.goto(open)
  await eve.reaches('This invitation is not open')
  await eve.sees('ended with the role of whoever sent it')
  await ada.go('/activity', 'Activity')
  await ada.page.getByTitle('reason: whoever sent it is no longer an owner').first().waitFor({ state: 'attached' })
  await ada.must('DELETE', `/api/members/${(await grace.must('GET', '/api/session')).person.id}`)
}, 300_000)

test('the company gets a new name, and everybody sees it', async () => {
  await ada.go('/company', 'Company')
  await ada.fill({ 'Company name': 'Acme Bridges' })
  await ada.press('Save')
  await ada.told('The company has its new name.')
  await vera.go('/', 'Overview')
  await vera.sees('What happens with the API of Acme Bridges.')
}, 300_000)

test('who is removed is out at once, is told so, and keeps what was typed', async () => {
  await vera.hearNothing()
  await vera.go('/bids', 'Bids')
  await vera.press('New bid')
  await vera.dialog('New bid')
  await vera.fill({ Name: 'Typed for a long time' })
  await ada.go('/members', 'Members')
  await ada.act('Vera Rubin', 'Remove')
  await ada.dialog('Remove Vera Rubin?')
  await ada.press('Remove')
  await ada.noDialog()
  await ada.row('vera@example.com').waitFor({ state: 'detached' })
  expect((await vera.ask('GET', '/api/credentials')).status).toBe(403)
  await vera.press('Create bid')
  await vera.dialog('You are not a member of Acme Bridges any more')
  await vera.press('Stay on this page')
  await vera.sees('Nothing can be saved here.')
  await soon(async () => expect(await vera.field('Name').inputValue()).toBe('Typed for a long time'))
  await vera.page.unrouteAll()
}, 300_000)

test('who is in no company reads so, can sign out, and is let in again by the operator', async () => {
  await vera.go('/', 'You are in no company')
  await vera.sees('member add --company NAME --email vera@example.com')
  await expectNoViolations(vera, 'no company')
  await vera.follow('Account', 'Account')
  await soon(() => expect(vera.place).toBe('/account'))
  await vera.fill({ 'Your name': 'Vera F. Rubin' })
  await vera.press('Save name')
  await vera.sees('Your name is changed.')
  await vera.fill({ 'Current password': password, 'New password': 'a new horse battery' })
  await vera.press('Change password')
  await vera.sees('Your password is changed.')
  await vera.button('Delete my account').waitFor()
  await expectNoViolations(vera, 'the account without a company')
  for (const width of [390, 1024, 1440]) await vera.fits(width)
  await vera.page.setViewportSize({ width: 1280, height: 900 })
  await vera.follow('Back', 'You are in no company')
  await vera.go('/account', 'Account')
  await vera.press('Sign out')
  await vera.reaches('Sign in')
  await vera.signIn('vera@example.com', 'a new horse battery')
  await vera.reaches('You are in no company')
  await site.command('member', 'add', '--company', 'Acme Bridges', '--email', 'vera@example.com', '--role', 'viewer')
  await vera.reaches('Overview')
  await site.command('company', 'create', 'Bridges of Rome')
  await site.command('member', 'add', '--company', 'Bridges of Rome', '--email', 'vera@example.com')
}, 300_000)

test('each window shows the company of its address, and a link leads to that of the link', async () => {
  const { companies } = await vera.must('GET', '/api/session')
  const [acme, rome] = companies.map(({ id }: { id: string }) => `/c/${id}`)
  const other = await vera.newWindow()
  await vera.go(`${acme}/bids`, 'Bids')
  await vera.row('Harbour bridge').waitFor()
  await other.go(`${rome}/bids`, 'Bids')
  await other.sees('No bids yet')
  await other.press('New bid')
  await other.fill({ Name: 'Aqueduct' })
  await other.press('Create bid')
  await other.row('Aqueduct').waitFor()
  await vera.page.reload()
  await vera.row('Harbour bridge').waitFor()
  await soon(async () => expect(await vera.row('Aqueduct').count()).toBe(0))
  await vera.follow('Members', 'Members')
  await soon(() => expect(vera.page.url()).toBe(`${site.base}${acme}/members`))
  // An address without a company leads on to the one that was chosen last.
  await other.press(/Switch company/)
  await other.page.getByRole('menuitem', { name: 'Bridges of Rome' }).click()
  await other.reaches('Overview')
  await other.go('/bids?q=aqua', 'Bids')
  await other.sees('No bid has “aqua” in its name.')
  await soon(() => expect(other.page.url()).toBe(`${site.base}${rome}/bids?q=aqua`))
  await other.page.keyboard.press('Control+k')
  await other.dialog('Go to')
  await other.until("document.activeElement.matches('[role=dialog] input')")
  await other.page.keyboard.type('acme b')
  const options = other.page.getByRole('option')
  await soon(async () => expect(await options.allTextContents()).toEqual(['Acme BridgesCompany']))
  await options.hover()
  // Until the release, the list may have changed.
  await other.page.mouse.down()
  await other.reaches('Overview')
  await other.page.mouse.up()
  await soon(() => expect(other.page.url()).toBe(`${site.base}${acme}`))
  await ada.go(`${rome}/bids`, 'Not your company')
  await ada.follow('Acme Bridges', 'Overview')
  await vera.must('POST', '/api/session/company', { company_id: companies[0].id })
}, 300_000)

test('the activity tells all of it, can be narrowed, and comes as CSV', async () => {
  await ada.go('/activity', 'Activity')
  const told: readonly (readonly [string, number])[] = [
    ['ada@example.com created the company Acme', 1],
    ['created the credential Report', 1],
    ['invited vera@example.com', 3],
    ['vera@example.com joined', 1],
    ['changed the role of vera@example.com', 3],
    ['created the credential Vera’s own', 1],
    ['withdrew the invitation of eve@example.com', 1],
    ['renamed the company', 1],
    ['removed vera@example.com', 1],
    ['command line added vera@example.com', 1],
  ]
  await ada.row('created the company').waitFor()
  for (const [sentence, count] of told) expect([sentence, await ada.row(sentence).count()]).toEqual([sentence, count])

  await ada.press('Filter')
  await ada.field('Column').selectOption('Action')
  await ada.field('Value').selectOption('credential.created')
  await ada.press('Add filter')
  await ada.row('removed vera').waitFor({ state: 'detached' })
  await ada.row('created the credential').first().waitFor()
  await soon(async () => expect(await ada.page.getByRole('row').count()).toBe(3))
  await ada.page.getByRole('searchbox').fill('vera')
  await ada.row('created the credential Report').waitFor({ state: 'detached' })
  await ada.row('created the credential Vera’s own').waitFor()
  await soon(() => expect(ada.place).toBe('/activity?where=action.eq.credential.created&q=vera'))
  await ada.press(/^vera@example.com created the credential/)
  const panel = await ada.dialog('vera@example.com created the credential Vera’s own')
  await panel.getByText('read-write').waitFor()
  await ada.press('Close')

  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('activity.csv')
  const lines = (await Bun.file(await download.path()).text()).trim().split('\r\n')
  expect(lines.length).toBe(2)
  expect(lines[0]).toStartWith('created_at,actor,action,target')
  expect(lines[1]).toContain('vera@example.com,credential.created,Vera’s own')
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
