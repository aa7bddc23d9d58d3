import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import type { Visitor } from './visitor.ts'

let site: Site
let ada: Visitor

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.mayUseClipboard()
}, 300_000)

afterAll(() => site?.close())

const active =
  '(({ textContent, ariaLabel, labels }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent.trim())(document.activeElement)'
const focused = (): Promise<string> => ada.page.evaluate(active)

/** A dialog takes the focus a moment after it is there. */
const untilFocused = (name: string): Promise<void> => ada.until(`${active} === ${JSON.stringify(name)}`)

async function openPalette(visitor = ada): Promise<void> {
  await visitor.page.keyboard.press('Control+k')
  await visitor.dialog('Go to')
  await visitor.until(`${active} === 'Page, action, credential or row'`)
}

/** Waits until exactly these are found, each with what kind of thing it is. */
const finds = (...options: readonly string[]): Promise<void> =>
  soon(async () => expect(await ada.page.getByRole('option').allTextContents()).toEqual([...options]))

/** Presses Tab until it stands on what is called so. */
async function tabTo(name: string): Promise<void> {
  const passed: string[] = []
  for (let at = 0; at < 60; at++) {
    await ada.page.keyboard.press('Tab')
    const here = await focused()
    if (here === name) return
    passed.push(here)
  }
  throw new Error(`Tab does not lead to “${name}”, only to: ${passed.join(', ')}`)
}

test('the first Tab skips to the content', async () => {
  await ada.go('/', 'Overview')
  await ada.page.keyboard.press('Tab')
  await soon(async () => expect(await focused()).toBe('Skip to the content'))
  await ada.page.keyboard.press('Enter')
  await soon(async () => expect(await ada.page.evaluate('document.activeElement.id')).toBe('content'))
}, 300_000)

test('a link of ours leads to the heading of its page, and so does the way back', async () => {
  await ada.go('/', 'Overview')
  await tabTo('Credentials')
  await ada.page.keyboard.press('Enter')
  await ada.reaches('Credentials')
  await soon(async () => expect(await focused()).toBe('Credentials'))
  await soon(async () => expect(await ada.page.evaluate('document.activeElement.tagName')).toBe('H1'))
  await ada.page.goBack()
  await ada.reaches('Overview')
  await soon(async () => expect(await ada.page.evaluate('document.activeElement.tagName')).toBe('H1'))
}, 300_000)

test('a credential is made, copied and opened by keyboard alone', async () => {
  const { keyboard } = ada.page
  await ada.go('/', 'Overview')
  await tabTo('Credentials')
  await keyboard.press('Enter')
  await ada.reaches('Credentials')
  await ada.button('Create your first credential').waitFor()
  await tabTo('Create your first credential')
  await keyboard.press('Enter')
  await ada.dialog('New credential')
  await untilFocused('Name')
  await keyboard.type('By keyboard')
  await tabTo('Read-only')
  await keyboard.press('ArrowDown')
  await soon(async () => expect(await focused()).toBe('Read-write'))
  await tabTo('Expires')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await tabTo('Create credential')
  await keyboard.press('Enter')
  await ada.dialog('Your new credential')
  await untilFocused('Copy secret')
  await ada.copy('Copy secret', () => keyboard.press('Enter'))
  const api_secret = await ada.clipboard()
  await tabTo('Done')
  await keyboard.press('Enter')
  await ada.noDialog()
  const [{ api_key, access, name }] = await ada.must('GET', '/api/credentials')
  expect([name, access]).toEqual(['By keyboard', 'read-write'])
  expect((await site.call({ api_key, api_secret }, 'POST', '/bid', { body: { bid_name: 'Dam' } })).status).toBe(201)
  await ada.row('By keyboard').waitFor()
  await tabTo('By keyboard')
  await keyboard.press('Enter')
  await ada.reaches('By keyboard')
}, 300_000)

test('a dialog gives the focus back to what opened it', async () => {
  await tabTo('Rename')
  await ada.page.keyboard.press('Enter')
  await ada.dialog('Rename By keyboard')
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await untilFocused('Rename')
}, 300_000)

test('Escape leads back to the row that was opened, and out of a field without a list', async () => {
  await ada.must('POST', '/api/rest/bid', { bid_name: 'Opened' })
  await ada.go('/bids', 'Bids')
  await ada.row('Opened').getByRole('cell').nth(1).click()
  await ada.dialog('Opened')
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await ada.until("document.activeElement.textContent === 'Opened'")
  const { name } = await ada.must('POST', '/api/credentials', { name: 'Narrow', access: 'read', expires_at: null })
  await ada.go('/credentials', 'Credentials')
  await ada.act(name, 'Access')
  await ada.dialog('Access of Narrow')
  await ada.page
    .getByRole('textbox', { name: 'Addresses' })
    .or(ada.page.getByRole('combobox', { name: 'Addresses' }))
    .click()
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
}, 300_000)

test('Ctrl+K leads to any page, action, credential or row by a part of its name', async () => {
  const { keyboard } = ada.page
  const [{ id }] = await ada.must('GET', '/api/rest/bid?bid_name=eq.Dam')
  await openPalette()
  const fieldTop = () => ada.page.evaluate('document.activeElement.getBoundingClientRect().top')
  const top = await fieldTop()
  await keyboard.type('memb')
  await finds('MembersPage')
  await soon(async () => expect(await fieldTop()).toBe(top))
  await keyboard.press('Enter')
  await ada.reaches('Members')
  await openPalette()
  await keyboard.type('dam')
  await finds('Dambid')
  await keyboard.press('Enter')
  await ada.reaches('Bids')
  await soon(() => expect(ada.place).toBe(`/bids?open=${id}`))
  await ada.dialog('Dam')
  await keyboard.press('Escape')
  await ada.noDialog()
  await openPalette()
  await keyboard.type('new bid')
  await finds('New bidAction')
  await keyboard.press('Enter')
  await ada.dialog('New bid')
  await untilFocused('Name')
  await keyboard.type('Weir')
  await keyboard.press('Enter')
  await ada.noDialog()
  await ada.row('Weir').waitFor()
  await ada.go('/credentials', 'Credentials')
  await ada.follow('By keyboard', 'By keyboard')
}, 300_000)

test('Enter after a part of a name means what has it, even before it is found', async () => {
  const { id } = (await ada.must('GET', '/api/rest/bid?bid_name=eq.Dam'))[0]
  const hasty = await ada.newWindow()
  const { keyboard } = hasty.page
  // The page waits so long before it asks for rows: with this, Enter always comes earlier.
  await hasty.page.addInitScript(
    'const { setTimeout } = window; window.setTimeout = (run, ms) => setTimeout(run, ms === 150 ? 3_000 : ms)',
  )
  await hasty.go('/credentials', 'Credentials')
  await openPalette(hasty)
  await keyboard.type('memb')
  await keyboard.press('Enter')
  await hasty.reaches('Members')
  const [rows, answered] = ['**/rest/bid?*ilike*', Promise.withResolvers<void>()]
  await hasty.page.route(rows, async (route) => {
    await answered.promise
    await route.continue()
  })
  const asked = hasty.page.waitForRequest(/ilike/)
  await openPalette(hasty)
  await keyboard.type('dam')
  await keyboard.press('Enter')
  await asked
  await hasty.sees('Searching…')
  await hasty.reaches('Members')
  answered.resolve()
  await hasty.dialog('Dam')
  await soon(() => expect(hasty.place).toBe(`/bids?open=${id}`))
  await hasty.page.close()
}, 300_000)

test('Ctrl+K says when there are more than it shows, and leads to all of them', async () => {
  const { keyboard } = ada.page
  const names = Array.from({ length: 6 }, (_, at) => `Quay ${at}`)
  await ada.must(
    'POST',
    '/api/rest/bid',
    names.map((bid_name) => ({ bid_name })),
  )
  for (const name of names) await ada.must('POST', '/api/credentials', { name, access: 'read', expires_at: null })
  await ada.go('/members', 'Members')
  await openPalette()
  await keyboard.type('quay')
  for (const many of ['credentials', 'bids'])
    await ada.page.getByRole('option', { name: `All ${many} with “quay”` }).waitFor()
  const options = await ada.page.getByRole('option').allTextContents()
  const counts = ['Credential', 'bid', 'More'].map((kind) => options.filter((text) => text.endsWith(kind)).length)
  expect(counts).toEqual([5, 5, 2])
  await expectNoViolations(ada, 'more than the palette shows')
  await keyboard.press('ArrowUp')
  await keyboard.press('Enter')
  await ada.reaches('Bids')
  await soon(() => expect(ada.place).toBe('/bids?q=quay'))
  await ada.sees('6 bids with “quay” in the name')
  await openPalette()
  await keyboard.type('quay 5')
  await finds('Quay 5Credential', 'Quay 5bid')
  await keyboard.press('Escape')
  await ada.noDialog()
  await ada.go('/credentials', 'Credentials')
  await ada.follow('By keyboard', 'By keyboard')
}, 300_000)

test('the theme follows the system, or the choice, which is kept', async () => {
  const scheme = (): Promise<string> => ada.page.evaluate('document.documentElement.dataset.mantineColorScheme')
  await ada.page.emulateMedia({ colorScheme: 'dark' })
  await ada.until("document.documentElement.dataset.mantineColorScheme === 'dark'")
  await ada.press(/account and theme/)
  await ada.page.getByRole('menuitem', { name: 'Light theme' }).click()
  await soon(async () => expect(await scheme()).toBe('light'))
  await ada.page.reload()
  await ada.reaches('By keyboard')
  await soon(async () => expect(await scheme()).toBe('light'))
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
