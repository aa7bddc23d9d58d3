import { afterAll, beforeAll, expect, test } from 'bun:test'
import { soon } from './soon.ts'
import { likeBrowser, Site } from './support.ts'
import { type Keys, textOf, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let keys: Required<Keys>
let rotated: Required<Keys>

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.mayUseClipboard()
  await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })
}, 300_000)

afterAll(() => site?.close())

const statusOf = async (sent: Keys, method = 'GET', path = '/bid', body?: unknown): Promise<number> =>
  (await site.call(sent, method, path, { body })).status

/** How many rows a credential sees: without a good secret, none. */
const seenBy = async (sent: Keys): Promise<number> => (await site.call(sent, 'GET', '/bid')).json.length

test('a credential is made from the page that explains what one is', async () => {
  await ada.go('/credentials', 'Credentials')
  await ada.press('Create your first credential')
  keys = await ada.issue('Nightly report')
  await ada.copy('Copy secret')
  await soon(async () => expect(await ada.clipboard()).toBe(keys.api_secret))
  await ada.press('Copy both as .env')
  await ada.until('navigator.clipboard.readText().then((text) => text.includes("PROJECT_API_URL"))')
  expect((await ada.clipboard()).trim().split('\n')).toEqual([
    `PROJECT_API_URL=${site.base}`,
    `PROJECT_API_KEY=${keys.api_key}`,
    `PROJECT_API_SECRET=${keys.api_secret}`,
  ])
  await ada.press('For tools with one field')
  const joined = await textOf(ada.page.getByTestId('one-field'))
  expect(joined).toBe(`${keys.api_key}.${keys.api_secret}`)
  await ada.press('Copy key and secret')
  await ada.until('navigator.clipboard.readText().then((text) => text.startsWith("pak_"))')
  await soon(async () => expect(await ada.clipboard()).toBe(joined))
  expect(await seenBy({ api_key: joined })).toBe(1)
  await ada.press('Hide secret')
  await soon(async () =>
    expect(await textOf(ada.page.getByTestId('one-field'))).toBe(`${keys.api_key}.pas_••••••••••••`),
  )
  await ada.press('Done')
  await ada.noDialog()
  await ada.row('Nightly report').waitFor()
  expect(await seenBy(keys)).toBe(1)
  expect(await statusOf(keys, 'POST', '/bid', { bid_name: 'School' })).toBe(201)
}, 300_000)

test('a secret that was not copied does not close by accident', async () => {
  await ada.go('/', 'Overview')
  await ada.follow('Credentials', 'Credentials')
  await ada.press('New credential')
  const made = await ada.issue('Forgetful')
  const closing = [
    () => ada.press('Done'),
    () => ada.press('Close'),
    () => ada.page.keyboard.press('Escape'),
    () => ada.page.goBack(),
  ]
  for (const close of closing) {
    await close()
    await ada.sees('You have not copied the secret.')
    await ada.press('Back to the secret')
    await ada.page.getByTestId('api-secret').waitFor()
  }
  // A click beside the dialog does nothing at all.
  await ada.page.mouse.click(5, 5)
  await ada.page.getByTestId('api-secret').waitFor()
  await ada.press('Done')
  await ada.press('Close without copying')
  await ada.noDialog()
  await soon(() => expect(ada.place).toBe('/credentials'))
  expect(await ada.page.content()).not.toContain(made.api_secret)
}, 300_000)

test('where the browser does not let the page copy, the secret is selected to be copied by hand', async () => {
  const guest = await site.member(ada, 'Grace', 'developer')
  await guest.page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await guest.go('/credentials', 'Credentials')
  await guest.press('New credential')
  const { api_secret } = await guest.issue('By hand')
  await guest.press('Copy secret')
  const field = guest.field('Copy it by hand')
  await soon(async () => expect(await field.inputValue()).toBe(api_secret))
  await soon(async () => expect(await guest.page.evaluate('String(getSelection())')).toBe(api_secret))
  await guest.page.keyboard.press('ControlOrMeta+c')
  await field.waitFor({ state: 'detached' })
  await guest.press('Done')
  await guest.noDialog()
}, 300_000)

test('a read-only credential reads and cannot write', async () => {
  await ada.press('New credential')
  const reader = await ada.issue('Dashboard', 'Read-only')
  await ada.copy('Copy secret')
  await ada.press('Done')
  await ada.noDialog()
  await soon(async () => expect(await textOf(ada.row('Dashboard'))).toContain('Read-only'))
  expect(await seenBy(reader)).toBe(2)
  expect(await statusOf(reader, 'POST', '/bid', { bid_name: 'Dam' })).toBe(403)
}, 300_000)

test('the expiry that was chosen is shown, and one that is near is warned of', async () => {
  await ada.press('New credential')
  await ada.fill({ Name: 'Short-lived' })
  await ada.page.getByRole('combobox', { name: 'Expires' }).click()
  await ada.page.getByRole('option', { name: 'On a date …' }).click()
  const day = new Date(Date.now() + 5 * 86_400_000)
  await ada.fill({ 'Last day': day.toISOString().slice(0, 10) })
  await ada.press('Create credential')
  await ada.dialog('Your new credential')
  await ada.copy('Copy secret')
  await ada.press('Done')
  const text = await textOf(ada.row('Short-lived'))
  expect(text).toContain(new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(day))
  expect(text).toMatch(/Expires in [56] days/)
  await ada.go('/credentials?where=state.eq.soon', 'Credentials')
  await ada.sees(/^1 credential$/)
  await ada.button('Remove the filter: State is Expires soon').waitFor()
  await ada.follow('Short-lived', 'Short-lived')
  await ada.press('Rotate secret')
  const rotation = await ada.dialog('Rotate the secret of Short-lived')
  await rotation.getByRole('radio', { name: '7 days' }).check()
  await rotation.getByText(/The credential expires in [56] days, and both secrets with it\./).waitFor()
  await rotation.getByRole('radio', { name: '24 hours' }).check()
  await soon(async () => expect(await rotation.getByText('The credential expires').count()).toBe(0))
  await ada.press('Cancel')
  await ada.noDialog()
  await ada.press('Change the expiry')
  await ada.dialog('Expiry of Short-lived')
  await ada.press('Cancel')
  await ada.go('/credentials', 'Credentials')
}, 300_000)

test('a rate limit is set with the credential, shown, kept to, and changed', async () => {
  await ada.press('New credential')
  await ada.fill({ Name: 'Careful', 'Rate limit': '2' })
  await ada.page.getByRole('combobox', { name: 'Unit of the rate limit' }).selectOption('per minute')
  await ada.press('Create credential')
  await ada.dialog('Your new credential')
  const careful = await ada.shownKeys()
  await ada.copy('Copy secret')
  await ada.press('Done')
  await ada.go('/credentials?columns=rate_limit', 'Credentials')
  await soon(async () => expect(await textOf(ada.row('Careful'))).toContain('2 per minute'))
  const statuses = [await statusOf(careful), await statusOf(careful), await statusOf(careful)]
  expect(statuses).toEqual([200, 200, 429])
  await ada.follow('Careful', 'Careful')
  await ada.tab('Settings')
  await ada.press('Change: Rate limit')
  await ada.dialog('Rate limit of Careful')
  await ada.fill({ 'Rate limit': '' })
  await ada.press('Save')
  await ada.noDialog()
  await ada.sees('None of its own')
  expect(await statusOf(careful)).toBe(200)
  await ada.follow('Credentials', 'Credentials')
}, 300_000)

test('a credential is duplicated with a narrow access, which is changed later', async () => {
  await ada.act('Careful', 'Duplicate')
  await ada.dialog('New credential')
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('Careful (copy)'))
  // What is narrowed starts as it is: read-only, and all data.
  await ada.page.getByRole('radio', { name: 'Custom' }).check()
  const ticked = async (group: string) => {
    const found = await ada.page.getByRole('group', { name: group }).getByRole('checkbox', { checked: true }).all()
    return Promise.all(found.map((box) => box.getAttribute('value')))
  }
  await soon(async () => expect(await ticked('It may')).toEqual(['read']))
  await ada.page.getByRole('radio', { name: 'Only some' }).check()
  await soon(async () => expect(await ticked('Only these')).toEqual(['bid', 'project', 'event']))
  for (const name of ['Bids', 'Projects', 'Events']) await ada.page.getByRole('checkbox', { name }).uncheck()
  await ada.sees('Tick at least one.')
  await soon(async () => expect(await ada.button('Create credential').isDisabled()).toBe(true))
  await ada.page.getByRole('checkbox', { name: 'Projects' }).check()
  await ada.page.getByRole('combobox', { name: 'Addresses' }).fill('127.0.0.0/33')
  await ada.page.keyboard.press('Enter')
  await ada.press('Create credential')
  await ada.sees('which is no network')
  await ada.until("document.activeElement.getAttribute('aria-invalid') === 'true'")
  await ada.page.keyboard.press('Backspace')
  await ada.page.keyboard.type('127.0.0.0/8')
  await ada.page.keyboard.press('Enter')
  await ada.press('Create credential')
  await ada.dialog('Your new credential')
  const narrow = await ada.shownKeys()
  await ada.copy('Copy secret')
  await ada.press('Done')
  expect([await statusOf(narrow, 'GET', '/project'), await statusOf(narrow)]).toEqual([200, 403])
  await ada.follow('Careful (copy)', 'Careful (copy)')
  await ada.tab('Settings')
  await ada.until("location.search === '?tab=settings'")
  await ada.sees('to projects, from 127.0.0.0/8')
  await ada.press('Change: Access')
  await ada.dialog('Access of Careful (copy)')
  await ada.page.getByRole('radio', { name: 'All', exact: true }).check()
  await ada.press('Save')
  await ada.noDialog()
  expect(await statusOf(narrow)).toBe(200)
  await ada.press('Change: Expiry')
  await ada.dialog('Expiry of Careful (copy)')
  await ada.choose('Expires', 'Never')
  await ada.press('Save')
  await ada.noDialog()
  await ada.follow('Credentials', 'Credentials')
}, 300_000)

test('a rename shows everywhere', async () => {
  await ada.follow('Nightly report', 'Nightly report')
  await ada.press('Rename')
  await ada.dialog('Rename Nightly report')
  await ada.fill({ Name: 'Morning report' })
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await ada.reaches('Morning report')
  await soon(async () => expect(await ada.page.title()).toStartWith('Morning report'))
}, 300_000)

test('a rotation whose secret nobody copied leads on: it is discarded, or begun again', async () => {
  const startRotation = async (grace: string) => {
    await ada.press('Rotate secret')
    await ada.page.getByRole('radio', { name: grace }).check()
    await ada.press('Create new secret')
    await ada.dialog('New secret of Morning report')
    const made = await ada.shownKeys()
    await ada.press('Next: watch the traffic')
    await ada.sees('You have not copied the secret.')
    return made
  }
  const lost = await startRotation('24 hours')
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Discard the new secret' }).click()
  await ada.noDialog()
  await ada.page.getByRole('heading', { name: 'Rotation under way' }).waitFor({ state: 'detached' })
  expect([await seenBy(lost), await seenBy(keys)]).toEqual([0, 2])

  // The same later, from the page.
  const closed = await startRotation('24 hours')
  await ada.press('Close without copying')
  await ada.noDialog()
  await ada.sees('Has nobody copied the new one?')
  await ada.press('Discard the new secret')
  await ada.dialog('Discard the new secret?')
  await ada.press('Discard it')
  await ada.noDialog()
  await ada.page.getByRole('heading', { name: 'Rotation under way' }).waitFor({ state: 'detached' })
  expect([await seenBy(closed), await seenBy(keys)]).toEqual([0, 2])
  const [{ expires_at }] = (await ada.must('GET', `/api${ada.place}`)).secrets
  expect(expires_at).toBeNull()

  // Without a grace there is no old secret to go back to.
  await startRotation('None: stop the old secret now')
  await ada.press('Rotate again')
  await ada.dialog('Rotate the secret of Morning report')
  await ada.page.getByRole('radio', { name: 'None: stop the old secret now' }).check()
  await ada.press('Create new secret')
  await ada.dialog('New secret of Morning report')
  keys = await ada.shownKeys()
  await ada.copy('Copy secret')
  await ada.press('Next: watch the traffic')
  await ada.noDialog()
}, 300_000)

test('in the grace of a rotation both secrets work, and each one’s traffic is shown', async () => {
  await ada.press('Rotate secret')
  await ada.dialog('Rotate the secret of Morning report')
  await soon(async () => expect(await ada.page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true))
  await ada.press('Create new secret')
  await ada.dialog('New secret of Morning report')
  rotated = await ada.shownKeys()
  expect(rotated.api_key).toBe(keys.api_key)
  expect(rotated.api_secret).not.toBe(keys.api_secret)
  await ada.press('For tools with one field')
  await soon(async () =>
    expect(await textOf(ada.page.getByTestId('one-field'))).toBe(`${rotated.api_key}.${rotated.api_secret}`),
  )
  await ada.copy('Copy secret')
  await ada.press('Next: watch the traffic')
  await ada.page.getByRole('heading', { name: 'Rotation under way' }).waitFor()
  await ada.sees('Waiting for the first request with the new secret')
  await soon(async () => expect(await ada.button('Finish now').getAttribute('data-variant')).toBe('default'))
  await ada.press('Finish now')
  await ada.sees('The new secret has never been used: whatever uses the old one will fail.')
  await ada.press('Cancel')
  await ada.noDialog()
  expect([await seenBy(keys), await seenBy(rotated)]).toEqual([2, 2])
  await ada.page.getByLabel('New secret, requests in 24 hours: 1').waitFor()
  await ada.page.getByLabel(/^Old secret, requests in 24 hours: \d+/).waitFor()
  await ada.sees('The new secret is in use. The old one was last used')
  await ada.sees('Finish when nothing uses it any more.')
  const rotate = ada.button('Rotate secret')
  await soon(async () => expect(await rotate.getAttribute('aria-disabled')).toBe('true'))
}, 300_000)

test('after “finish now” the old secret is refused, and the new one works', async () => {
  await soon(async () => expect(await ada.button('Finish now').getAttribute('data-variant')).toBe('filled'))
  await ada.press('Finish now')
  await ada.dialog('Stop the old secret now?')
  await ada.press('Stop the old secret')
  await ada.page.getByRole('heading', { name: 'Rotation under way' }).waitFor({ state: 'detached' })
  expect([await seenBy(keys), await seenBy(rotated)]).toEqual([0, 2])
  expect(await statusOf(keys, 'POST', '/bid', { bid_name: 'Dam' })).toBe(403)
}, 300_000)

test('a secret seen in a browser is refused there and warned of', async () => {
  const { status, json } = await site.call(rotated, 'GET', '/bid', likeBrowser)
  expect([status, json.code]).toEqual([403, 'secret_in_browser'])
  await ada.page.reload()
  await ada.sees('Its secret was sent from a browser, where everyone can read it.')
  await ada.go('/credentials', 'Credentials')
  await soon(async () => expect(await textOf(ada.row('Morning report'))).toContain('Seen in a browser'))
  await soon(async () => expect(await textOf(ada.row('Dashboard'))).not.toContain('Seen in a browser'))
  // What needs attention comes first.
  await soon(async () => expect(await textOf(ada.page.getByRole('rowheader').first())).toBe('Morning report'))
}, 300_000)

test('revoking one that is in use asks for its name, and then the API refuses it', async () => {
  await ada.follow('Morning report', 'Morning report')
  await ada.tab('Settings')
  await ada.press('Revoke')
  const dialog = await ada.dialog('Revoke Morning report?')
  await dialog.getByText(/^It was last used (just now|\d+ minutes? ago)/).waitFor()
  // What was counted is written a little later, and the page reads it again.
  await soon(async () => {
    const listed = await ada.must('GET', '/api/credentials')
    const { requests_24h, secrets } = listed.find(({ name }: { name: string }) => name === 'Morning report')
    expect(requests_24h).toBeGreaterThan(secrets[0].requests_24h)
    expect(await textOf(dialog)).toContain(`${requests_24h} requests within 24 hours.`)
  })
  await dialog.getByText('Something may still need it.').waitFor()
  const revoke = dialog.getByRole('button', { name: 'Revoke' })
  await soon(async () => expect(await revoke.isDisabled()).toBe(true))
  await dialog.getByRole('textbox').fill('Morning report')
  await revoke.click()
  await ada.noDialog()
  await ada.tab('Overview')
  await ada.page.getByText('Revoked', { exact: true }).first().waitFor()
  await soon(async () => expect(await ada.page.getByRole('tab', { name: 'Use it' }).count()).toBe(0))
  expect(await statusOf(rotated)).toBe(401)
  await soon(async () => expect(await ada.button('Rotate secret').getAttribute('aria-disabled')).toBe('true'))
}, 300_000)

test('revoking one that was never used asks for nothing but a yes', async () => {
  await ada.go('/credentials', 'Credentials')
  await ada.follow('Forgetful', 'Forgetful')
  await ada.tab('Settings')
  await ada.press('Revoke')
  const dialog = await ada.dialog('Revoke Forgetful?')
  await dialog.getByText('It was never used.').waitFor()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await ada.noDialog()
}, 300_000)

test('a search looks into keys only for the beginning or a long part of one', async () => {
  await ada.go('/credentials', 'Credentials')
  const key = String(await ada.row('By hand').locator('code').getAttribute('title'))
  const search = (text: string) => ada.page.getByRole('searchbox').fill(text)
  await search(key.slice(-5))
  await ada.sees('Nothing found')
  for (const part of [key.slice(-6), key.slice(0, 12)]) {
    await search(part)
    await soon(() => expect(new URL(ada.page.url()).searchParams.get('q')).toBe(part))
    await ada.sees(/^1 credential$/)
    await ada.row('By hand').waitFor()
  }
}, 300_000)

test('revoked credentials are behind a tab, and several are revoked at once', async () => {
  await ada.go('/credentials', 'Credentials')
  await ada.page.getByRole('checkbox', { name: 'Select By hand' }).check()
  await ada.page.getByRole('checkbox', { name: 'Select Short-lived' }).check()
  await ada.press('Revoke')
  const asked = await ada.dialog('Revoke 2 credentials?')
  const named = asked.getByRole('region', { name: 'Will be revoked' })
  await soon(async () =>
    expect((await named.getByRole('listitem').allTextContents()).toSorted()).toEqual(['By hand', 'Short-lived']),
  )
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await ada.noDialog()
  await ada.row('By hand').waitFor({ state: 'detached' })
  await ada.page.getByText(/^Revoked \(\d+\)$/).click()
  await ada.row('By hand').waitFor()
  await soon(async () => expect(await ada.row('Dashboard').count()).toBe(0))
  await soon(() => expect(ada.place).toBe('/credentials?state=revoked'))
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
