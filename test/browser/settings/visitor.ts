import { expect } from 'bun:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { soon } from './soon.ts'

export const password = 'correct horse battery'

/** For so long, a button that copies says that it has. */
const copiedMs = 2500

const triesMax = 20

/** What an application calls the API with. */
export interface Keys {
  readonly api_key: string
  readonly api_secret?: string
}

/** A person at a browser. */
export class Visitor {
  constructor(
    readonly page: Page,
    private readonly base: string,
    /** Errors on the console, breaches of the page's policy, and requests to other places: there should be none. */
    readonly noise: string[] = [],
    readonly requested: string[] = [],
  ) {
    listenTo(page, this.base, this.noise, this.requested)
  }

  /** The same person in another window. */
  async newWindow(): Promise<Visitor> {
    return new Visitor(await this.context.newPage(), this.base, this.noise, this.requested)
  }

  get context(): BrowserContext {
    return this.page.context()
  }

  /** The path of the page within its company, and its query. */
  get place(): string {
    return this.page
      .url()
      .slice(this.base.length)
      .replace(/^\/c\/[0-9a-f-]{36}\/?/, '/')
  }

  /** Opens an address as if it was typed, and waits for the heading of the page. */
  async go(path: string, heading?: string): Promise<void> {
    await this.page.goto(this.base + path)
    await this.reaches(heading)
  }

  /** Goes on to an address as a link of the page does, which loads nothing again. */
  async move(path: string, heading?: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`,
    )
    await this.reaches(heading)
  }

  /** Waits until a page with this heading is on the screen. */
  async reaches(heading?: string): Promise<void> {
    const name = heading === undefined ? {} : { name: heading, exact: true }
    await this.page.getByRole('heading', { level: 1, ...name }).waitFor()
  }

  /** Waits until everything that is loaded is on the screen: what comes moves what is below it, away from a click. */
  async loads(): Promise<void> {
    await soon(async () => expect(await this.page.getByText('Loading…').count()).toBe(0))
    if ((await this.page.title()).startsWith('Overview')) await this.page.locator('.chart').waitFor()
  }

  async follow(link: string, heading: string): Promise<void> {
    await this.page.getByRole('link', { name: link, exact: true }).first().click()
    await this.reaches(heading)
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  }

  async press(name: string | RegExp): Promise<void> {
    await this.button(name).click()
  }

  /** Shows another part of the page. */
  async tab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).click()
  }

  /** Does something with a row by its menu. */
  async act(name: string, action: string): Promise<void> {
    await this.press(`Actions for ${name}`)
    await this.page.getByRole('menuitem', { name: action }).click()
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true }).and(this.page.locator('input, textarea, select'))
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) await this.field(label).fill(text)
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }

  /** Waits until the page has said this, in a message that goes away by itself. It may have gone already. */
  async told(...texts: readonly string[]): Promise<void> {
    const isIt = `(said) => ${JSON.stringify(texts)}.every((text) => said.includes(text))`
    await this.until(`said.some(${isIt}) && said.splice(said.findIndex(${isIt}), 1)`)
  }

  row(text: string): Locator {
    return this.page.getByRole('row').filter({ hasText: text })
  }

  /** The open dialog of this name. */
  async dialog(name: string | RegExp): Promise<Locator> {
    const found = this.page.getByRole('dialog', { name })
    await found.waitFor()
    return found
  }

  async noDialog(): Promise<void> {
    await this.page.getByRole('dialog').first().waitFor({ state: 'detached' })
  }

  /** Chooses from a list that opens. */
  async choose(label: string, option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: label }).click()
    await this.page.getByRole('option', { name: option, exact: true }).click()
  }

  async signIn(email: string, secret: string = password): Promise<void> {
    await this.fill({ 'E-mail': email, Password: secret })
    await this.press('Sign in')
  }

  async clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()')
  }

  /** Waits until some code of the page is true. The page's own policy forbids to ask that from within. */
  async until(code: string): Promise<void> {
    await soon(async () => {
      if (!(await this.page.evaluate(code))) throw new Error(`This does not become true: ${code}`)
    })
  }

  /** Presses a button that copies, and sees it say for a moment that it has: again, where that moment was missed. */
  async copy(name: string, press = () => this.press(name)): Promise<void> {
    const hasSeen = () =>
      this.button('Copied')
        .waitFor({ timeout: copiedMs })
        .then(
          () => true,
          () => false,
        )
    do await press()
    while (!(await hasSeen()))
  }

  /** Sends a change whose session has just ended. What the page asks by itself before that would tell it too early. */
  async changeSignedOut(send: () => Promise<void>): Promise<void> {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    await this.page.route('**/api/**', async (route) => {
      if (route.request().method() !== 'GET') resolve(await this.context.clearCookies())
      await route.continue()
    })
    await send()
    await ended
    await this.page.unroute('**/api/**')
  }

  /** Lets the messages that offer to undo something stay: they are pressed later on a busy machine. Before a page is opened. */
  async keepUndo(): Promise<void> {
    await this.context.addInitScript(
      '{ const { setTimeout } = window; window.setTimeout = (run, ms) => setTimeout(run, ms === 15_000 ? 300_000 : ms) }',
    )
  }

  /** Lets no stream of changes open: whatever happens is met with the next request. */
  async hearNothing(): Promise<void> {
    await this.page.route(/\/rest\/\w+\?select=id$/, () => {})
  }

  async mayUseClipboard(): Promise<void> {
    await this.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.base })
  }

  /** Fills in the open dialog for a new credential, and stays where its secret is shown. */
  async issue(name: string, access: 'Read-only' | 'Read-write' = 'Read-write'): Promise<Required<Keys>> {
    await this.dialog('New credential')
    await this.fill({ Name: name })
    await this.page.getByRole('radio', { name: access }).check()
    await this.press('Create credential')
    await this.dialog('Your new credential')
    return this.shownKeys()
  }

  /** The key and the secret of the dialog that shows them, as a person reads them. */
  async shownKeys(): Promise<Required<Keys>> {
    const { page } = this
    await this.press('Show secret')
    const api_secret = await textOf(page.getByTestId('api-secret'))
    const api_key = await textOf(page.getByTestId('api-key'))
    return { api_key, api_secret }
  }

  /** A request to the server with this person's cookie. */
  async ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json; text: string }> {
    const response = await this.context.request.fetch(this.base + path, {
      method,
      headers: { Origin: this.base },
      ...(body === undefined ? {} : { data: body }),
    })
    const text = await response.text()
    return {
      status: response.status(),
      text,
      json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }

  /** The same where a refusal is a fault of the test. What the server had no time for had no effect, and is sent again. */
  async must(method: string, path: string, body?: unknown): Promise<Json> {
    let { status, json, text } = await this.ask(method, path, body)
    const isTooBusy = () => status === 504 || json?.code === 'overloaded'
    for (let tries = 1; isTooBusy() && tries < triesMax; tries += 1)
      ({ status, json, text } = await this.ask(method, path, body))
    if (status >= 400) throw new Error(`${method} ${path} was answered with ${status}: ${text}`)
    return json
  }

  /** Nothing has to be scrolled sideways, once a chart has found its new width. */
  async fits(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: 700 })
    await this.until('document.documentElement.scrollWidth <= innerWidth')
  }
}

export const textOf = async (part: Locator): Promise<string> => (await part.textContent()) ?? ''

// biome-ignore lint/suspicious/noExplicitAny: whatever the server sent
type Json = any

function listenTo(page: Page, base: string, noise: string[], requested: string[]): void {
  page.on('console', (message) => {
    // Of a request that the server refuses or that has no connection, as some tests want it, the browser writes a line by itself.
    const isRefusal =
      message.text().startsWith('Failed to load resource') &&
      (isApi(message.location().url) || message.text().includes('DISCONNECTED'))
    if (message.type() === 'error' && !isRefusal) noise.push(`console: ${message.text()} ${message.location().url}`)
    else if (/content security policy/i.test(message.text())) noise.push(`policy: ${message.text()}`)
  })
  page.on('pageerror', (error) => noise.push(`thrown: ${error.message}`))
  page.on('response', (response) => {
    const status = response.status()
    if (status >= 500 || (status >= 400 && !isApi(response.url()))) noise.push(`${status}: ${response.url()}`)
  })
  page.on('request', (request) => {
    requested.push(request.url())
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== base) noise.push(request.url())
  })
}

/** Run in each page: keeps what its messages say. */
export const keepMessages = `
  globalThis.said = []
  const keep = (changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.nodeType === Node.ELEMENT_NODE)
    const alerts = added.flatMap((node) => [...(node.matches('[role=alert]') ? [node] : []), ...node.querySelectorAll('[role=alert]')])
    said.push(...alerts.map(({ textContent }) => textContent))
  }
  new MutationObserver(keep).observe(document, { childList: true, subtree: true })`

const isApi = (url: string): boolean => URL.canParse(url) && new URL(url).pathname.startsWith('/api/')
