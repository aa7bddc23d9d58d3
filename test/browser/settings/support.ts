import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchChromium } from '../../support/chromium.ts'
import { runProgram } from '../../support/command.ts'
import { type Environment, endAll, type Service, startService } from '../../support/service.ts'
import { type Reply, replyOf } from '../../support/world.ts'
import { type Keys, keepMessages, password, Visitor } from './visitor.ts'

const calm: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' }

/** The program itself on a database of its own, and one browser. */
export class Site {
  private readonly visitors: Visitor[] = []

  private constructor(
    readonly service: Service,
    private readonly browser: Browser,
    readonly folder: string,
    /** Where people open it. */
    readonly base: string,
  ) {}

  static async open(env: Environment = {}): Promise<Site> {
    buildApp()
    const folder = await mkdtemp(join(tmpdir(), 'settings-app-'))
    const started = startService({ DEMO: 'off', LOG: 'json', DATABASE_URL: join(folder, 'project-api.db'), ...env })
    const [service, browser] = await Promise.all([started, launchChromium()])
    return new Site(service, browser, folder, env.BASE_URL ?? service.base)
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.service.stop()
    await endAll()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** What all visitors' pages should not have done. */
  get noise(): string[] {
    return this.visitors.flatMap(({ noise }) => noise)
  }

  /** Every address that any page has asked for. */
  get requested(): string[] {
    return this.visitors.flatMap(({ requested }) => requested)
  }

  /** Somebody with a browser window of their own. To draw what moves takes a tenth of the processor, so most want no motion. */
  async visit(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.browser.newContext({ ...calm, ...options })
    context.setDefaultTimeout(290_000)
    await context.addInitScript(keepMessages)
    const visitor = new Visitor(await context.newPage(), this.base)
    this.visitors.push(visitor)
    return visitor
  }

  /** A visitor who has signed up first on this installation, and owns its company. */
  async owner(name = 'Ada Lovelace', company = 'Acme', options: BrowserContextOptions = {}): Promise<Visitor> {
    const owner = await this.visit(options)
    const [first = ''] = name.toLowerCase().split(' ')
    await owner.must('POST', '/api/auth/sign-up/email', { name, email: `${first}@example.com`, password })
    await owner.must('POST', '/api/company', { name: company })
    return owner
  }

  /** A visitor whom the owner has invited, and who has joined. */
  async member(owner: Visitor, name: string, role: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const email = `${name.toLowerCase()}@example.com`
    const { link } = await owner.must('POST', '/api/invitations', { email, role })
    const member = await this.visit(options)
    const invitation = link.split('/').at(-1)
    await member.must('POST', '/api/auth/sign-up/email', { name, email, password, invitation })
    return member
  }

  /** One request to the API as an application makes it. */
  async call(credential: Keys, method = 'GET', path = '/project', more: CallOptions = {}): Promise<Reply> {
    const { api_key: key, api_secret: secret } = credential
    const headers: Record<string, string> = { apikey: key, Authorization: `Bearer ${key}`, ...more.headers }
    if (secret) headers['X-API-Secret'] = secret
    if (more.body !== undefined) headers['Content-Type'] = 'application/json'
    const body = more.body === undefined ? null : JSON.stringify(more.body)
    return replyOf(await fetch(`${this.base}/rest/v1${path}`, { method, headers, body }))
  }

  /** Runs a command line of the same program on the same database; its JSON. */
  async command(...words: readonly string[]): Promise<Record<string, string>> {
    const env = { DATABASE_URL: join(this.folder, 'project-api.db'), BASE_URL: this.base }
    const { exitCode, stdout, stderr } = await runProgram([...words, '--json'], env)
    if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}: ${stderr}`)
    return JSON.parse(stdout)
  }
}

/** What `fetch` in a page sends along, and no server does. */
export const likeBrowser = { headers: { 'Sec-Fetch-Site': 'cross-site' } }

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The pages as the sources are now; at once where they are already. */
function buildApp(): void {
  const script = join(import.meta.dir, '../../../scripts/build-web.ts')
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script])
  if (exitCode !== 0) throw new Error(`The settings app does not build: ${stderr}`)
}
