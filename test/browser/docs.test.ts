import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

const world = new World({})
let browser: Browser

beforeAll(async () => {
  const [sqlite] = engines
  if (sqlite) await world.open(sqlite)
  browser = await launchChromium()
}, 300_000)

afterAll(async () => {
  await browser.close()
  await world.close()
})

const screens = [
  { name: 'desktop', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

for (const { name, viewport, colorScheme } of screens) {
  test(`the reference is complete, quiet and loads nothing from elsewhere (${name}, ${colorScheme})`, async () => {
    const context = await browser.newContext({ viewport, colorScheme })
    context.setDefaultTimeout(290_000)
    const page = await context.newPage()
    const noise = listenTo(page)
    await page.goto(`${world.base}/docs`)
    for (const text of ['Who is asking', 'List projects', 'Create one project or many', 'List bids'])
      await page.getByText(text).first().waitFor({ state: 'attached' })
    // What loads late must be quiet, too: the end of the page, and what comes after a while.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.waitForTimeout(1000)
    expect(noise).toEqual([])
    expect(await page.getByRole('button', { name: /test request|ask ai|send/i }).count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await brightness(page)).toBe(colorScheme)
    await context.close()
  }, 300_000)
}

test('the script may be kept for good, and is compressed for who can read that', async () => {
  const html = await (await fetch(`${world.base}/docs`)).text()
  const [, path] = /src="(\/docs\/scalar-[^"]+)"/.exec(html) ?? []
  const response = await fetch(`${world.base}${path}`, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(response.headers.get('Cache-Control')).toContain('immutable')
  expect(response.headers.get('Content-Encoding')).toBe('gzip')
  const plain = await fetch(`${world.base}${path}`, { headers: { 'Accept-Encoding': 'identity' } })
  expect(plain.headers.get('Content-Encoding')).toBeNull()
  expect(await plain.text()).toBe(await response.text())
})

test('the page allows no script but our own, and none within itself', async () => {
  const response = await fetch(`${world.base}/docs`)
  const policy = response.headers.get('Content-Security-Policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc=)/)
})

/** Everything that a page should not do: errors, breaches of its policy, and requests to other places. */
function listenTo(page: Page): string[] {
  const noise: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) noise.push(message.text())
  })
  page.on('pageerror', (error) => noise.push(error.message))
  page.on('requestfailed', (request) => noise.push(`failed: ${request.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) noise.push(`${response.status()}: ${response.url()}`)
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== world.base) noise.push(request.url())
  })
  return noise
}

async function brightness(page: Page): Promise<string> {
  const isDark = await page.evaluate("document.body.classList.contains('dark-mode')")
  return isDark ? 'dark' : 'light'
}
