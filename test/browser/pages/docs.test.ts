import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { colours, violations } from '../settings/axe.ts'
import { soon } from '../settings/soon.ts'
import { Site } from '../settings/support.ts'
import { textOf, type Visitor } from '../settings/visitor.ts'

const timeout = 300_000
let site: Site
let reader: Visitor
let owner: Visitor
let viewer: Visitor

beforeAll(async () => {
  site = await Site.open({ SIGNUP: 'open' })
  reader = await site.visit()
  owner = await site.owner()
  viewer = await site.member(owner, 'Vera', 'viewer')
  const rival = await site.owner('Bob Rival', 'Rival')
  for (const [visitor, bid_name] of [
    [owner, 'Harbour bridge'],
    [rival, 'Secret tunnel'],
  ] as const)
    await visitor.must('POST', '/api/rest/bid', { bid_name })
}, timeout)

afterAll(() => site?.close())

const current = () => textOf(reader.page.locator('#navigation [aria-current]'))
const theme = () => reader.page.evaluate('document.documentElement.dataset.mantineColorScheme')
const searchField = () => reader.page.getByRole('combobox', { name: 'Search the reference' })

/** Whether the element that the address names is on the screen, below the header. */
const isTargetInSight =
  "(() => { const { top } = document.querySelector(':target').getBoundingClientRect(); return top >= 50 && top < innerHeight })()"

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `fits every screen and has no violations (${colorScheme})`,
    async () => {
      await reader.page.emulateMedia({ colorScheme })
      await reader.go('/docs', 'API reference')
      await soon(async () => expect(await theme()).toBe(colorScheme))
      for (const width of [1024, 390, 1440]) await reader.fits(width)
      expect(await violations(reader, colorScheme, colorScheme === 'dark' ? colours : {})).toEqual([])
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
    await soon(async () => expect(await current()).toBe('List projectsGET'))
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
    await soon(async () => expect(await options.first().textContent()).toBe('PreferRequest header'))
    await reader.page.keyboard.press('ArrowDown')
    await soon(async () => expect(await options.nth(1).getAttribute('aria-selected')).toBe('true'))
    expect(await violations(reader, 'search', {}, '.top')).toEqual([])
    await searchField().fill('nothing of this kind')
    await reader.sees('0 found')
    await soon(async () => expect(await options.count()).toBe(0))
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
    await soon(async () => expect(await menu.isVisible()).toBe(false))
    await reader.press('Menu')
    expect(await violations(reader, 'menu', { rules: { 'color-contrast': { enabled: false } } })).toEqual([])
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
    await soon(async () => expect(await reader.clipboard()).toStartWith(`curl '${site.base}/rest/v1/bid?`))
    expect(await reader.clipboard()).toContain('$PROJECT_API_SECRET')
  },
  timeout,
)

test(
  'the theme that is chosen here is that of the settings app',
  async () => {
    await reader.go('/docs', 'API reference')
    await reader.press('Theme: system')
    await soon(async () => expect(await theme()).toBe('light'))
    await reader.press('Theme: light')
    await soon(async () => expect(await theme()).toBe('dark'))
    await reader.page.emulateMedia({ colorScheme: 'light' })
    await reader.go('/sign-in', 'Sign in')
    await soon(async () => expect(await theme()).toBe('dark'))
  },
  timeout,
)

/** Opens the form of an operation, and gives its section. */
async function open(visitor: Visitor, id: string, summary: string): Promise<Locator> {
  // From one part of the page to another, a browser would keep the forms that are open.
  await visitor.page.goto('about:blank')
  await visitor.go(`/docs#${id}`, 'API reference')
  await visitor.press(`Try it ${summary}`)
  return visitor.page.locator(`#${id}`)
}

const bidNames = async () => (await owner.must('GET', '/api/rest/bid?order=id')).map((bid: Row) => bid.bid_name)
type Row = Readonly<Record<string, string>>

test(
  'whoever is not signed in can sign in, and comes back',
  async () => {
    const visitor = await site.visit()
    const section = await open(visitor, 'list-bids', 'List bids')
    await section.getByRole('link', { name: 'Sign in' }).click()
    await visitor.reaches('Sign in')
    await visitor.signIn('ada@example.com')
    await visitor.reaches('API reference')
    await soon(() => expect(visitor.place).toBe('/docs#list-bids'))
  },
  timeout,
)

test(
  'a read shows the rows of the own company, and no key or secret is in the browser',
  async () => {
    const sent: Record<string, string>[] = []
    owner.page.on('request', (request) => sent.push(request.headers()))
    const section = await open(owner, 'list-bids', 'List bids')
    await section.getByText('In Acme, as its owner.').waitFor()
    await section.getByLabel('bid_name', { exact: true }).fill('not.is.null')
    await section.getByLabel('Other parameters').fill('bid_name=ilike.*r*')
    await section.getByText('GET /rest/v1/bid?bid_name=not.is.null&limit=10&bid_name=ilike.*r*').waitFor()
    await section.getByRole('button', { name: 'Send' }).click()
    await section.getByText(/^200 OK in \d+ ms$/).waitFor()
    const answer = await textOf(section.getByRole('group', { name: 'Answer', exact: true }))
    expect(JSON.parse(answer)).toMatchObject([{ bid_name: 'Harbour bridge' }])
    expect(await violations(owner, 'answer', {}, '#list-bids')).toEqual([])
    expect(sent.flatMap((headers) => Object.keys(headers).filter((name) => /apikey|secret/i.test(name)))).toEqual([])
  },
  timeout,
)

test(
  'a write asks first, by the keyboard alone',
  async () => {
    const section = await open(owner, 'create-bids', 'Create bids')
    await section.getByRole('textbox', { name: 'Body' }).fill('{"bid_name": "Rail tunnel"}')
    const send = section.getByRole('button', { name: 'Send' })
    await send.focus()
    await owner.page.keyboard.press('Enter')
    await owner.dialog('Create bids in Acme?')
    expect(await violations(owner, 'question', {}, 'dialog')).toEqual([])
    await owner.page.keyboard.press('Escape')
    await owner.noDialog()
    expect(await bidNames()).toEqual(['Harbour bridge'])
    await send.focus()
    await owner.page.keyboard.press('Enter')
    await owner.dialog('Create bids in Acme?')
    await owner.page.keyboard.press('Tab')
    await owner.page.keyboard.press('Enter')
    await section.getByText(/^201 Created/).waitFor()
    expect(await bidNames()).toEqual(['Harbour bridge', 'Rail tunnel'])
  },
  timeout,
)

test(
  'a refusal is shown with its hint',
  async () => {
    const section = await open(owner, 'delete-bids', 'Delete bids')
    await section.getByRole('button', { name: 'Send' }).click()
    await owner.press('Send the request')
    await section.getByText(/^400 Bad Request/).waitFor()
    await soon(async () =>
      expect(await textOf(section.getByRole('group', { name: 'Answer', exact: true }))).toContain('"hint": "'),
    )
  },
  timeout,
)

test(
  'a viewer can read, and is told why nothing else',
  async () => {
    const section = await open(viewer, 'create-bids', 'Create bids')
    await section.getByText('Only developers and owners can do this, and you are a viewer of Acme.').waitFor()
    await soon(async () => expect(await section.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true))
    await viewer.fits(390)
  },
  timeout,
)

test(
  'who is in several companies chooses one',
  async () => {
    await owner.must('POST', '/api/company', { name: 'Second' })
    const section = await open(owner, 'list-bids', 'List bids')
    await section.getByLabel('Company').selectOption('Second')
    await section.getByRole('button', { name: 'Send' }).click()
    await section.getByText(/^200 OK/).waitFor()
    await soon(async () => expect(await textOf(section.getByRole('group', { name: 'Answer', exact: true }))).toBe('[]'))
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
    await soon(async () => expect(await visitor.page.locator('#error-PGRST116').isVisible()).toBe(true))
    await soon(async () =>
      expect(await visitor.page.getByRole('navigation', { name: 'Reference' }).isVisible()).toBe(true),
    )
    await soon(async () => expect(await visitor.page.getByRole('button').count()).toBe(0))
  },
  timeout,
)

test('was quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
