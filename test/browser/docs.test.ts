import { afterAll, beforeAll, expect, test } from 'bun:test'
import axe, { type AxeResults } from 'axe-core'
import { Site } from './settings/support.ts'
import { textOf, type Visitor } from './settings/visitor.ts'

const timeout = 300_000
let site: Site
let reader: Visitor

beforeAll(async () => {
  site = await Site.open()
  reader = await site.visit({ reducedMotion: 'reduce' })
  await reader.page.addInitScript({ content: axe.source })
}, timeout)

afterAll(() => site?.close())

const current = () => textOf(reader.page.locator('#navigation [aria-current]'))
const theme = () => reader.page.evaluate('document.documentElement.dataset.mantineColorScheme')
const searchField = () => reader.page.getByRole('combobox', { name: 'Search the reference' })

/** Whether the element that the address names is on the screen, below the header. */
const isTargetInSight =
  "(() => { const { top } = document.querySelector(':target').getBoundingClientRect(); return top >= 50 && top < innerHeight })()"

/** Within a part of the page, once all of it has been checked. */
async function violations(within = 'html'): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, iframes: false })
  const found: AxeResults = await reader.page.evaluate(`axe.run('${within}', ${options})`)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `fits every screen and has no violations (${colorScheme})`,
    async () => {
      await reader.page.emulateMedia({ colorScheme })
      await reader.go('/docs', 'API reference')
      expect(await theme()).toBe(colorScheme)
      for (const width of [1440, 1024, 390]) {
        await reader.fits(width)
        // Colours are the same on every screen, and the check takes a while.
        if (width === 1440 || (width === 390 && colorScheme === 'light')) expect(await violations()).toEqual([])
      }
      await reader.page.setViewportSize({ width: 1280, height: 900 })
    },
    timeout,
  )
}

test(
  'a link leads to an operation, and the navigation marks where one is',
  async () => {
    await reader.go('/docs#list-projects', 'API reference')
    await reader.until(isTargetInSight)
    expect(await current()).toBe('List projectsGET')
    await reader.page.getByRole('link', { name: '409 Conflict' }).first().click()
    await reader.until(`location.hash === '#errors-409' && ${isTargetInSight}`)
    await reader.until("document.querySelector('#navigation [aria-current]').textContent === '409 Conflict'")
  },
  timeout,
)

test(
  'the keyboard alone finds a parameter, an operation and an error',
  async () => {
    await reader.go('/docs', 'API reference')
    for (const [words, id] of [
      ['on_conflict', 'query-on_conflict'],
      ['delete bids', 'delete-bids'],
      ['pgrst116', 'error-PGRST116'],
      ['exactly one row', 'answer-format-application-vnd.pgrst.object-json'],
    ] as const) {
      await reader.page.keyboard.press('/')
      await reader.page.keyboard.type(words)
      await reader.page.getByRole('option').first().waitFor()
      await reader.page.keyboard.press('Enter')
      await reader.until(`location.hash === ${JSON.stringify(`#${id}`)} && ${isTargetInSight}`)
    }
  },
  timeout,
)

test(
  'the search shows what it found, and says when that is nothing',
  async () => {
    await reader.go('/docs', 'API reference')
    await searchField().fill('prefer')
    const options = reader.page.getByRole('option')
    await options.first().waitFor()
    expect(await options.first().textContent()).toBe('PreferRequest header')
    await reader.page.keyboard.press('ArrowDown')
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true')
    expect(await violations('.top')).toEqual([])
    await searchField().fill('nothing of this kind')
    await reader.sees('0 found')
    expect(await options.count()).toBe(0)
    await searchField().fill('')
  },
  timeout,
)

test(
  'on a phone the navigation is behind a button, and closes by itself',
  async () => {
    await reader.page.setViewportSize({ width: 390, height: 844 })
    await reader.go('/docs', 'API reference')
    const menu = reader.page.getByRole('navigation', { name: 'Reference' })
    expect(await menu.isVisible()).toBe(false)
    await reader.press('Menu')
    expect(await violations('#navigation')).toEqual([])
    await menu.getByRole('link', { name: 'Preferences' }).click()
    await menu.waitFor({ state: 'hidden' })
    await reader.until(isTargetInSight)
    await reader.press('Menu')
    await reader.page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await reader.page.setViewportSize({ width: 1280, height: 900 })
  },
  timeout,
)

test(
  'an example is copied as it is shown',
  async () => {
    await reader.mayUseClipboard()
    await reader.go('/docs#list-bids', 'API reference')
    await reader.press('Copy curl: List bids')
    await reader.sees('Copied')
    const copied = await reader.clipboard()
    expect(copied).toStartWith(`curl '${site.base}/rest/v1/bid?`)
    expect(copied).toContain('$PROJECT_API_SECRET')
  },
  timeout,
)

test(
  'the theme that is chosen here is that of the settings app',
  async () => {
    await reader.go('/docs', 'API reference')
    await reader.press('Theme: system')
    expect(await theme()).toBe('light')
    await reader.press('Theme: light')
    expect(await theme()).toBe('dark')
    await reader.page.emulateMedia({ colorScheme: 'light' })
    await reader.go('/sign-up', 'Create the first account')
    expect(await theme()).toBe('dark')
  },
  timeout,
)

test('the page allows no script but our own, and none within itself', async () => {
  const response = await fetch(`${site.base}/docs`)
  const policy = response.headers.get('Content-Security-Policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)/)
})

test(
  'without scripts, all of it can be read',
  async () => {
    const visitor = await site.visit({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    await visitor.go('/docs#error-PGRST116', 'API reference')
    expect(await visitor.page.locator('#error-PGRST116').isVisible()).toBe(true)
    expect(await visitor.page.getByRole('navigation', { name: 'Reference' }).isVisible()).toBe(true)
    expect(await visitor.page.getByRole('button').count()).toBe(0)
  },
  timeout,
)

test('was quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
