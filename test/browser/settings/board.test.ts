import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../../support/service.ts'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import type { Visitor } from './visitor.ts'

let site: Site
let ada: Visitor

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  const field = (body: object) => ada.must('POST', '/api/fields', { resource: 'project', ...body })
  const choices = [
    { value: 'lead', label: 'Lead' },
    { value: 'won', label: 'Won', color: 'green' },
    { value: 'lost', label: 'Lost', color: 'red' },
  ]
  await field({
    name: 'status',
    type: 'choice',
    choices,
    initial: 'lead',
    transitions: { lead: ['won'], won: ['lost'] },
  })
  await field({ name: 'amount', type: 'decimal' })
  await field({ name: 'due_on', type: 'date', label: 'Due date' })
  await field({ name: 'trades', type: 'choices', choices: ['roof', 'steel'] })
  await field({ name: 'site', type: 'url' })
  await field({ name: 'contact', type: 'email' })
  await field({
    name: 'long',
    label: 'Acknowledgement of the subcontractors’ unconditional undertakings',
    type: 'text',
  })
  const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour' })
  const body = Array.from({ length: 26 }, (_, at) => ({ bid_id, project_name: `Lot ${at}`, long: 'Yes' }))
  await ada.must('POST', '/api/rest/project', body)
}, 300_000)

afterAll(async () => {
  const noise = site?.noise
  await site?.close()
  expect(noise).toEqual([])
})

const stored = async (name: string) => (await ada.must('GET', `/api/rest/project?project_name=eq.${name}`))[0]
const lane = (name: string) => ada.page.getByRole('region', { name: new RegExp(`^${name} `) })
const card = (name: string) => ada.button(`Move ${name} by the arrow keys`)
const untilMoved = () => ada.until("document.querySelector('.card[aria-busy=true]') === null")

test('own fields are filled in, shown and filtered by', async () => {
  await ada.go('/projects', 'Projects')
  await ada.press('New project')
  await ada.dialog('New project')
  await ada.fill({ Amount: 'about 5', 'Due date': '2027-03-01', Site: 'https://example.com/crane' })
  // What is wrong is said at the fields, in the words of the page.
  await ada.press('Create project')
  for (const words of ['Fill this in.', 'Choose one.', 'Enter a number, such as 1,250.5.']) await ada.sees(words)
  await ada.until("document.activeElement.labels?.[0]?.textContent === 'Name'")
  await expectNoViolations(ada, 'a form with wrong values')
  await ada.fill({ Name: 'Crane', Amount: '1,234,567.5', Contact: 'ada+crane@example.com' })
  await ada.choose('Bid', 'Harbour')
  await ada.page.getByRole('combobox', { name: 'Trades' }).press('ArrowDown')
  await ada.page.getByRole('listbox').getByRole('option', { name: 'steel' }).click()
  await ada.page.getByRole('combobox', { name: 'Status' }).click()
  await soon(async () =>
    expect(await ada.page.getByRole('listbox').getByRole('option').allTextContents()).toEqual(['Lead']),
  )
  await ada.page.keyboard.press('Escape')
  await ada.press('Create project')
  await ada.noDialog()
  const row = ada.row('Crane')
  for (const text of ['Lead', '1,234,567.50', 'Mar 1, 2027', 'steel', 'example.com/crane'])
    await row.getByText(text, { exact: true }).waitFor()
  const contact = row.getByRole('link', { name: 'ada+crane@example.com' })
  await soon(async () => expect(await contact.getAttribute('href')).toBe('mailto:ada%2Bcrane@example.com'))
  expect(await stored('Crane')).toMatchObject({ status: 'lead', due_on: '2027-03-01', trades: ['steel'] })
  await ada.press('Filter')
  await ada.page.getByLabel('Column').selectOption('Trades')
  await ada.page.getByLabel('Value').selectOption('steel')
  await ada.press('Add filter')
  await ada.sees('1 project')
  await ada.row('Lot 1').waitFor({ state: 'detached' })
}, 300_000)

test('cards go from lane to lane by keyboard, where their state allows it', async () => {
  const lanes = '**/rest/project?*status=*'
  const read = Promise.withResolvers<void>()
  // The page waits two seconds for the stream of changes, and then reads without it: on a busy machine that is soon.
  await ada.page.addInitScript(
    'const { setTimeout } = window; window.setTimeout = (run, ms) => setTimeout(run, ms === 2000 ? 120_000 : ms)',
  )
  await ada.page.route(lanes, async (route) => {
    await read.promise
    await route.continue()
  })
  await ada.go('/projects?board=status', 'Projects')
  await ada.page.getByRole('heading', { name: 'Won', level: 2 }).waitFor()
  await soon(async () =>
    expect(await ada.page.locator('.lane-title').allTextContents()).toEqual(['Lead', 'Won', 'Lost']),
  )
  read.resolve()
  await card('Lot 9').waitFor()
  await ada.page.unroute(lanes)
  // The stream of changes opens first: when it opens later, all lanes are read again.
  const asked = ada.requested.filter((url) => /select=id$|status=eq\.won$/.test(url)).slice(-2)
  expect(asked.map((url) => url.split(/[?&]/).at(-1))).toEqual(['select=id', 'status=eq.won'])
  await expectNoViolations(ada, 'a board')
  await card('Lot 9').press('ArrowRight')
  await lane('Won').getByRole('button', { name: 'Lot 9', exact: true }).waitFor()
  await ada.until('document.activeElement.textContent === "Move Lot 9 by the arrow keys"')
  await until(async () => (await stored('Lot 9')).status === 'won')
  await untilMoved()
  await card('Lot 9').press('ArrowLeft')
  await ada.page.getByText('Lot 9 cannot be moved there.').waitFor({ state: 'attached' })
  expect((await stored('Lot 9')).status).toBe('won')
}, 300_000)

test('a move that the server refuses is undone, and says what is allowed', async () => {
  const { id } = await stored('Lot 8')
  // Somebody else is quicker.
  const answered = Promise.withResolvers<void>()
  await ada.page.route('**/api/**/rest/project?id=*', async (route) => {
    await answered.promise
    if (route.request().method() === 'PATCH') await ada.must('PATCH', `/api/rest/project?id=eq.${id}`, { amount: 1 })
    await route.continue()
  })
  await card('Lot 8').press('ArrowRight')
  await card('Lot 8').press('ArrowRight')
  await ada.page.getByText('Lot 8 is still being moved.').waitFor({ state: 'attached' })
  answered.resolve()
  await ada.told('Could not move Lot 8', 'Somebody else has changed it meanwhile.')
  await lane('Lead').getByRole('button', { name: 'Lot 8', exact: true }).waitFor()
  await ada.page.unroute('**/api/**/rest/project?id=*')
  expect((await stored('Lot 8')).status).toBe('lead')
  await ada.until('document.activeElement.textContent === "Move Lot 8 by the arrow keys"')
}, 300_000)

test('a lane has some dozens of cards, and more on request; cards are dragged, too', async () => {
  await ada.go('/projects?board=status', 'Projects')
  await lane('Lead').getByRole('button', { name: 'Show more' }).click()
  await lane('Lead').getByRole('button', { name: 'Lot 0', exact: true }).waitFor()
  await ada.button('Crane').dragTo(lane('Won'))
  await lane('Won').getByRole('button', { name: 'Crane', exact: true }).waitFor()
  await soon(async () => expect(await ada.page.locator('.lane[data-takes], .lane[data-over]').count()).toBe(0))
  await untilMoved()
  expect((await stored('Crane')).status).toBe('won')
  await ada.button('Crane').dragTo(lane('Lost'))
  await lane('Lost').getByRole('button', { name: 'Crane', exact: true }).waitFor()
  await untilMoved()
  expect((await stored('Crane')).status).toBe('lost')
  // Where the transitions do not lead, a card cannot be dropped.
  await ada.button('Crane').dragTo(lane('Lead'))
  await soon(async () => expect(await lane('Lead').getByRole('button', { name: 'Crane', exact: true }).count()).toBe(0))
  await untilMoved()
  expect((await stored('Crane')).status).toBe('lost')
  for (const width of [390, 1440]) {
    await ada.fits(width)
    await ada.until(`document.querySelectorAll('.card').length > 20`)
    expect(
      await ada.page.evaluate(`[...document.querySelectorAll('.lane')].filter(wider).length

      function wider(lane) { return lane.scrollWidth > lane.clientWidth }`),
    ).toBe(0)
  }
}, 300_000)

test('in a long lane, the heads stay in sight, and the other lanes can be dropped on', async () => {
  await ada.page.setViewportSize({ width: 1440, height: 700 })
  await ada.go('/projects?board=status', 'Projects')
  await lane('Lead').getByRole('button', { name: 'Show more' }).click()
  const last = lane('Lead').getByRole('button', { name: 'Lot 0', exact: true })
  await last.scrollIntoViewIfNeeded()
  const [head, header] = [ada.page.getByRole('heading', { name: /^Won/, level: 2 }), ada.page.getByRole('banner')]
  await soon(async () =>
    expect((await head.boundingBox())?.y).toBeGreaterThanOrEqual((await header.boundingBox())?.height ?? 0),
  )
  const heights = await ada.page.evaluate(`[...document.querySelectorAll('.lane')].map((lane) => lane.offsetHeight)`)
  expect(new Set(heights as number[]).size).toBe(1)
  const [from, over] = [await last.boundingBox(), await lane('Won').boundingBox()]
  await last.hover()
  await ada.page.mouse.down()
  await ada.page.mouse.move((over?.x ?? 0) + 20, from?.y ?? 0, { steps: 5 })
  await ada.page.mouse.up()
  await until(async () => (await stored('Lot 0')).status === 'won')
}, 300_000)

test('of several rows, those whose state may become the new one are changed, and the others listed', async () => {
  const change = async (...names: readonly string[]) => {
    await ada.go('/projects?order=created_at.asc', 'Projects')
    for (const name of names) await ada.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    await ada.press('Change')
    const dialog = await ada.dialog(/^Change \d/)
    await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Status')
    return dialog
  }
  const dialog = await change('Crane', 'Lot 1', 'Lot 2')
  await soon(async () => expect(await ada.button('Change 3 projects').isDisabled()).toBe(true))
  await ada.choose('Status', 'Won')
  const staying = dialog.getByRole('region', { name: 'Not changed' }).getByRole('listitem')
  await soon(async () => expect(await staying.allTextContents()).toEqual(['Crane: Lost']))
  await dialog.getByText('Status of 2 projects becomes').waitFor()
  await dialog.getByText('This cannot be undone: not every project may have its earlier value back.').waitFor()
  await expectNoViolations(ada, 'a change that some rows do not take')
  await ada.press('Change 2 projects')
  await ada.noDialog()
  await soon(async () => expect(await ada.button('Undo').count()).toBe(0))
  const statuses = async () => Promise.all(['Crane', 'Lot 1', 'Lot 2'].map(async (name) => (await stored(name)).status))
  expect(await statuses()).toEqual(['lost', 'won', 'won'])

  // Somebody else may be faster: then the server refuses, and nothing is changed.
  const late = await change('Lot 3', 'Lot 4')
  await ada.choose('Status', 'Won')
  for (const status of ['won', 'lost']) await ada.must('PATCH', '/api/rest/project?project_name=eq.Lot 3', { status })
  await ada.press('Change 2 projects')
  await late.getByText('Status cannot change to this now. No other value may follow. Nothing was changed.').waitFor()
  expect((await stored('Lot 4')).status).toBe('lead')
}, 300_000)

test('a card takes the focus along to another lane, and later takes it from nobody', async () => {
  await ada.go('/projects?board=status', 'Projects')
  await card('Lot 7').click()
  await ada.page.getByRole('menuitem', { name: 'Won' }).click()
  await lane('Won').getByRole('button', { name: 'Lot 7', exact: true }).waitFor()
  await ada.until('document.activeElement.textContent === "Move Lot 7 by the arrow keys"')
  await untilMoved()
  const search = ada.page.getByRole('searchbox')
  await search.fill('Lot 6')
  await card('Lot 7').waitFor({ state: 'detached' })
  await search.fill('Lot 7')
  await card('Lot 7').waitFor()
  await card('Lot 6').waitFor({ state: 'detached' })
  expect(await ada.page.evaluate('document.activeElement.type')).toBe('search')
}, 300_000)
