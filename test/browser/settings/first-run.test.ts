import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mistyped } from '../../support/mistyped.ts'
import { soon } from './soon.ts'
import { likeBrowser, Site } from './support.ts'
import { type Keys, password, textOf, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let keys: Required<Keys>

beforeAll(async () => {
  site = await Site.open()
  ada = await site.visit({ reducedMotion: 'no-preference' })
  await ada.mayUseClipboard()
}, 300_000)

afterAll(() => site?.close())

test('a newcomer makes the first account and the first company', async () => {
  await ada.go('/', 'Create the first account')
  await soon(() => expect(ada.place).toBe('/sign-up'))
  await ada.fill({ 'Your name': 'Ada Lovelace', 'E-mail': 'ada@example.com', Password: password })
  await ada.press('Create account')
  await ada.reaches('Name your company')
  await ada.fill({ 'Company name': 'Acme' })
  await ada.press('Create company')
  await ada.reaches('Overview')
  await soon(() => expect(ada.place).toBe('/'))
  await ada.sees('Waiting for the first request…')
  // Only what people make is counted.
  const labels = ada.page.locator('.counts > * > :first-child')
  await soon(async () =>
    expect(await labels.allTextContents()).toEqual(['Credentials', 'Bids', 'Projects', 'Requests in 30 days']),
  )
}, 300_000)

test('the first credential is made from the overview, and its secret is shown this once', async () => {
  await ada.press('Create a credential')
  const dialog = await ada.dialog('New credential')
  await ada.fill({ Name: 'Nightly report' })
  await ada.page.getByRole('radio', { name: 'Read-write' }).check()
  await ada.press('Create credential')
  await ada.dialog('Your new credential')
  expect(await textOf(ada.page.getByTestId('api-secret'))).not.toMatch(/pas_\w/)
  // The one button that matters has the focus.
  await ada.until("document.activeElement.textContent === 'Copy secret'")
  await ada.copy('Copy secret', () => ada.page.keyboard.press('Enter'))
  keys = await ada.shownKeys()
  expect(keys.api_key).toMatch(/^pak_\w{20,}$/)
  expect(keys.api_secret).toMatch(/^pas_\w{20,}$/)
  await soon(async () => expect(await ada.clipboard()).toBe(keys.api_secret))
  await ada.press('Done')
  await ada.noDialog()
  await soon(async () => expect(await dialog.count()).toBe(0))
  await ada.sees(`-H 'apikey: ${keys.api_key}'`)
  expect(await ada.page.content()).not.toContain(keys.api_secret)
}, 300_000)

const wrongWays = [
  {
    name: 'a key with a wrong letter',
    send: () => site.call({ ...keys, api_key: mistyped(keys.api_key) }),
    status: 401,
    title: 'A request came with a key that does not work',
  },
  {
    name: 'a missing secret',
    send: () => site.call({ api_key: keys.api_key }),
    status: 200,
    title: 'A request came without its secret',
  },
  {
    name: 'a secret sent from a browser',
    send: () => site.call(keys, 'GET', '/project', likeBrowser),
    status: 403,
    title: 'A secret was sent from a browser, and refused',
  },
  {
    name: 'a wrong secret',
    send: () => site.call({ ...keys, api_secret: `pas_${'x'.repeat(keys.api_secret.length - 4)}` }),
    status: 200,
    title: 'A request came with a wrong secret',
  },
]

for (const { name, send, status, title } of wrongWays) {
  test(`the overview says what was wrong: ${name}`, async () => {
    expect((await send()).status).toBe(status)
    const notice = ada.page.locator('.last-request')
    await notice.filter({ hasText: `→ ${status}` }).waitFor()
    await notice.getByText(title, { exact: true }).waitFor()
    await soon(async () => expect(await notice.getAttribute('data-outcome')).not.toBe('ok'))
    // The chart changes with the number above it.
    const before = ada.requested.length
    await soon(async () => {
      const [count] = await ada.page.locator('.counts .number').last().allTextContents()
      expect(await ada.page.getByText(`${count} in the last 30 days.`).count()).toBe(1)
    })
    const asked = ada.requested.slice(before)
    const first = asked.findIndex((url) => url.includes('/usage'))
    expect(asked.slice(0, Math.max(0, first)).filter((url) => url.endsWith('/overview')).length).toBeLessThan(3)
  }, 300_000)
}

test('the first request that is right turns the overview green by itself', async () => {
  expect((await site.call(keys)).status).toBe(200)
  const notice = ada.page.locator('.last-request[data-outcome=ok]')
  await notice.getByText('It works: a request arrived').waitFor()
  await soon(async () => expect(await textOf(notice)).toContain('GET → 200'))
  const [red = 0, green = 0, blue = 0] = numbersOf(await ada.page.evaluate(edgeColor))
  expect(green).toBeGreaterThan(Math.max(red, blue))
  await soon(async () => expect(await ada.page.getByRole('heading', { name: '(done)' }).count()).toBe(3))
}, 300_000)

test('what came without its secret stays on the overview, with the credential it was sent to', async () => {
  await ada.go('/', 'Overview')
  const warning = ada.page.getByRole('alert').filter({ hasText: '2 requests got []' })
  await soon(async () => expect(await warning.getByText(/more$/).count()).toBe(0))
  await warning.getByRole('link', { name: 'Nightly report' }).click()
  await ada.reaches('Nightly report')
  // Once it was read, it comes back with the next such request.
  await ada.go('/', 'Overview')
  await warning.getByRole('button', { name: 'Dismiss' }).click()
  await ada.go('/', 'Overview')
  await ada.page.locator('.counts').waitFor()
  await soon(async () => expect(await warning.count()).toBe(0))
  await site.call({ api_key: keys.api_key })
  await ada.page.getByRole('alert').filter({ hasText: '3 requests got []' }).waitFor()
}, 300_000)

test('the chart tells a bar under the pointer, and its time is in the address', async () => {
  await ada.go('/', 'Overview')
  await ada.page.getByText('24 h', { exact: true }).click()
  await ada.until("location.search === '?span=24h'")
  const chart = ada.page.locator('.chart')
  await chart.locator('.bar-ok').first().waitFor()
  /** Where the bar and what is told of it are. A chart that is drawn anew does not notice a pointer that rests. */
  const pointAt = async (at: number) => {
    await ada.page.mouse.move(0, 0)
    await chart.locator('.chart-target').nth(at).hover()
    const [tip, bar, target] = await Promise.all(
      ['.chart-tip', '[data-chosen] .chart-target', `.chart-target >> nth=${at}`].map((part) =>
        chart.locator(part).boundingBox({ timeout: 1000 }),
      ),
    )
    if (!tip || !bar) throw new Error('The bar or what is told of it is not on the screen.')
    expect(bar).toEqual(target as typeof bar)
    return { tip, bar }
  }
  // Beside the bar that it explains, on either side; below the chart where that is narrow.
  await soon(async () => {
    const { tip, bar } = await pointAt(-1)
    expect(tip.x + tip.width).toBeLessThanOrEqual(bar.x)
  })
  await soon(async () => {
    const { tip, bar } = await pointAt(0)
    expect(tip.x).toBeGreaterThanOrEqual(bar.x + bar.width)
  })
  await ada.fits(390)
  await soon(async () => {
    const { tip, bar } = await pointAt(12)
    expect(tip.y).toBeGreaterThanOrEqual(bar.y + bar.height)
  })
  await ada.fits(390)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
  await soon(async () => {
    await pointAt(-1)
    expect(await textOf(chart)).toContain('Answered')
  })
}, 300_000)

test('the chart of times is walked by the arrow keys, and kept in the address', async () => {
  await ada.page.getByText('Latency', { exact: true }).click()
  await ada.until("location.search === '?span=24h&chart=latency'")
  const chart = ada.page.getByRole('group', { name: /^Time that requests took/ })
  await chart.locator('.line-p95 circle').first().waitFor()
  await chart.focus()
  await ada.page.keyboard.press('ArrowLeft')
  const told = chart.getByRole('status')
  await told.getByText('p95').waitFor()
  const measured = /p95\s*[\d.,]+ ms\s*p50\s*[\d.,]+ ms/
  // Another hour may have begun since the requests came.
  if (!measured.test(await textOf(told))) await ada.page.keyboard.press('ArrowLeft')
  await soon(async () => expect(await textOf(told)).toMatch(measured))
  await ada.page.keyboard.press('Home')
  await soon(async () => expect(await textOf(told)).toMatch(/p95\s*–\s*p50\s*–/))
  await ada.go('/?span=24h&chart=latency', 'Overview')
  await chart.locator('.line-p50 circle').first().waitFor()
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})

const edgeColor = "getComputedStyle(document.querySelector('.last-request')).borderLeftColor"
const numbersOf = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)
