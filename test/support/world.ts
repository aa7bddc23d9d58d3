import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { createBid } from '../../src/cli/bid.ts'
import { createCompress } from '../../src/coding/create-compress.ts'
import { type Config, isHttps, readConfig } from '../../src/config/config.ts'
import { createEventFeed, type EventFeed } from '../../src/events/event-feed.ts'
import { createLive, type Live } from '../../src/events/live/create-live.ts'
import type { Ledger } from '../../src/finish.ts'
import { createAuthenticate } from '../../src/keys/authenticate.ts'
import type { Access } from '../../src/keys/credential.ts'
import { createCredential } from '../../src/keys/credentials.ts'
import { createUsage, type Usage } from '../../src/keys/usage.ts'
import { createLog } from '../../src/log/log.ts'
import { createCompany } from '../../src/people/companies.ts'
import { createRequestLog, type RequestLog } from '../../src/request-log/create-request-log.ts'
import { createRest } from '../../src/rest.ts'
import { type Listening, listen } from '../../src/server.ts'
import { createSettings } from '../../src/settings/create-settings.ts'
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import { type ByteBudget, createByteBudget } from '../../src/traffic/byte-budget.ts'
import { createRequestTurns } from '../../src/traffic/loop-turns.ts'
import { collect } from './collect.ts'
import { newDatabase } from './database.ts'
import type { Place, TestEngine } from './engines.ts'
import { untilConnected } from './until-connected.ts'

/** For all worlds, so that none is left in the directory of the tests. */
const keyFile = join(tmpdir(), 'project-api-test.key')

/** Variables of the environment that a test sets for its server. */
export type WorldSettings = Readonly<Record<string, string>>

/** A server on a database of its own, and two companies that must never meet. */
export class World {
  private parts: {
    place: Place
    config: Config
    db: Database
    usage: Usage
    requestLog: RequestLog
    feed: EventFeed
    live: Live
    server: Listening
    acme: Tenant
    rival: Tenant
  } | null = null
  /** What is in flight. */
  readonly bytes: ByteBudget
  /** What the server logged. */
  readonly logged: string[] = []
  /** What could not be written in the background. */
  readonly failed: unknown[] = []

  constructor(
    private readonly settings: WorldSettings,
    private readonly watched: (db: Database) => Database = (db) => db,
  ) {
    this.bytes = createByteBudget(readConfig(settings, false).bytesInFlightMax)
  }

  async open(engine: TestEngine): Promise<void> {
    const place = await newDatabase(engine)
    const config = readConfig(
      { PORT: '0', WEBHOOK_KEY_FILE: keyFile, ...this.settings, DATABASE_URL: place.url },
      false,
    )
    const engineDb = openDatabase(config)
    const db = this.watched(engineDb)
    await untilConnected(() => migrate(db))
    const failed = (error: unknown) => void this.failed.push(error)
    const usage = createUsage(db, failed)
    const requestLog = createRequestLog(db, failed)
    // What runs in the background is nobody's request.
    const feed = createEventFeed(engineDb)
    const live = createLive(engineDb, feed, config)
    const server = listen(config, this.createApp(db, config, { usage, requestLog }, { feed, live }))
    const acme = await makeTenant(db, server.base, 'Acme')
    const rival = await makeTenant(db, server.base, 'Rival')
    this.parts = { place, config, db, usage, requestLog, feed, live, server, acme, rival }
  }

  async close(): Promise<void> {
    this.parts?.live.stop()
    await this.parts?.server.stop()
    await this.parts?.usage.stop()
    await this.parts?.requestLog.stop()
    await this.parts?.feed.stop()
    await this.parts?.db.close()
    await this.parts?.place.remove()
  }

  get acme(): Tenant {
    return this.opened.acme
  }

  get rival(): Tenant {
    return this.opened.rival
  }

  get db(): Database {
    return this.opened.db
  }

  get config(): Config {
    return this.opened.config
  }

  get usage(): Usage {
    return this.opened.usage
  }

  get requestLog(): RequestLog {
    return this.opened.requestLog
  }

  get feed(): EventFeed {
    return this.opened.feed
  }

  get base(): string {
    return this.opened.server.base
  }

  get databaseUrl(): string {
    return this.opened.place.url
  }

  private get opened() {
    if (!this.parts) throw new Error('The world is not open yet')
    return this.parts
  }

  private createApp(
    db: Database,
    config: Config,
    counted: Pick<Ledger, 'usage' | 'requestLog'>,
    events: { feed: EventFeed; live: Live },
  ) {
    const log = createLog('json', 'debug', collect(this.logged))
    const turns = createRequestTurns(config.queueMax)
    const limits = { ...config, bytes: this.bytes }
    const rest = createRest({ db, authenticate: createAuthenticate(db), limits, rates: config, turns, ...events })
    const settings = createSettings({ db, config: limits, log, listeningAt: () => this.base, turns, events })
    const { trustedProxies, baseUrl } = config
    const site = { trustedProxies, baseUrl, isHttps: isHttps(config) }
    return createApp({
      ...{ db, rest, settings, log, ...counted, bytes: this.bytes, ...site },
      compress: config.compress ? createCompress() : null,
    })
  }
}

async function makeTenant(db: Database, base: string, name: string): Promise<Tenant> {
  const { id } = await untilConnected(() => createCompany(db, name))
  const { id: bid } = await untilConnected(() => createBid(db, id, `${name}'s bid`))
  const {
    apiKey,
    apiSecret,
    id: credentialId,
  } = await untilConnected(() =>
    createCredential(db, {
      companyId: id,
      name,
      access: 'read-write',
      expiresAt: null,
    }),
  )
  const tenant = new Tenant(db, base, { id, bid, apiKey, apiSecret, credentialId })
  const [project] = await tenant.seed([`${name}'s project`])
  return tenant.withProject(project ?? '')
}

interface TenantFacts {
  readonly id: string
  /** The id of a bid, and of a project in it. */
  readonly bid: string
  readonly project?: string
  readonly credentialId: string
  readonly apiKey: string
  readonly apiSecret: string
}

type HeaderFields = Readonly<Record<string, string>>

/** A company, and a client that calls the API with its credential. Paths are relative to /rest/v1. */
export class Tenant {
  constructor(
    readonly db: Database,
    private readonly base: string,
    private readonly facts: TenantFacts,
  ) {}

  get id(): string {
    return this.facts.id
  }
  get bid(): string {
    return this.facts.bid
  }
  get project(): string {
    return this.facts.project ?? ''
  }
  get credentialId(): string {
    return this.facts.credentialId
  }
  get apiKey(): string {
    return this.facts.apiKey
  }
  get apiSecret(): string {
    return this.facts.apiSecret
  }

  /** The headers that every request of this company carries. */
  get headers(): Record<string, string> {
    return { apikey: this.apiKey, Authorization: `Bearer ${this.apiKey}`, 'X-API-Secret': this.apiSecret }
  }

  withProject(project: string): Tenant {
    return new Tenant(this.db, this.base, { ...this.facts, project })
  }

  /** The same company with another credential. */
  async withCredential(
    access: Access,
    expiresAt: Date | null = null,
    rateLimit: string | null = null,
  ): Promise<Tenant> {
    const facts = { companyId: this.id, name: 'another', access, expiresAt, rateLimit }
    const made = await untilConnected(() => createCredential(this.db, facts))
    const { apiKey, apiSecret, id: credentialId } = made
    return new Tenant(this.db, this.base, { ...this.facts, apiKey, apiSecret, credentialId })
  }

  /** Projects with these names, in order; their ids. */
  async seed(names: readonly string[]): Promise<string[]> {
    const rows = names.map((project_name) => ({ bid_id: this.bid, project_name }))
    const { json } = await inTime(() => this.post('/project', rows))
    return json.map(({ id }: { id: string }) => id)
  }

  /** The answer as it is, with a body that is still to be read. */
  fetch(method: string, path: string, headers: HeaderFields = {}, body?: string | Uint8Array): Promise<Response> {
    const all = { ...this.headers, ...headers }
    return fetch(`${this.base}/rest/v1${path}`, { method, headers: all, ...(body === undefined ? {} : { body }) })
  }

  async send(method: string, path: string, headers: HeaderFields = {}, body?: string | Uint8Array): Promise<Reply> {
    const once = async () => replyOf(await this.fetch(method, path, headers, body))
    return sendInTime(method, once)
  }

  get(path: string, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('GET', path, headers)
  }

  head(path: string, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('HEAD', path, headers)
  }

  delete(path: string, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('DELETE', path, headers)
  }

  post(path: string, body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('POST', path, { ...json, ...headers }, JSON.stringify(body))
  }

  patch(path: string, body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('PATCH', path, { ...json, ...headers }, JSON.stringify(body))
  }

  put(path: string, body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('PUT', path, { ...json, ...headers }, JSON.stringify(body))
  }
}

const json = { 'Content-Type': 'application/json' }

/** An answer, read to its end. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server sent; undefined where it is no JSON
  readonly json: any
}

export async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, json: parsed(text) }
}

const triesMax = 20

/** A machine may be too busy for a long write to end within its time. Then nothing is written, and it may be sent again. */
const isLate = ({ status }: Reply): boolean => status === 504

/** The same where its turn may not come in time. */
const isTooBusy = (reply: Reply): boolean =>
  isLate(reply) || (reply.status === 503 && reply.json?.code === 'overloaded')

/** How long PostgreSQL may take to open a connection. */
const connectMs = 5000

/** Where it took longer, nothing was done: what may have been done has another code. */
const isUnreached = ({ status, json }: Reply, ms: number): boolean =>
  status === 503 && json?.code === 'PGRST001' && ms >= connectMs

/** Sends again what did not reach a database that stood still, and a write whose time was over. */
export function sendInTime(method: string, send: () => Promise<Reply>): Promise<Reply> {
  const isWrite = method !== 'GET' && method !== 'HEAD'
  return sendAgainWhile((reply, ms) => isUnreached(reply, ms) || (isWrite && isLate(reply)), send)
}

export const inTime = (send: () => Promise<Reply>): Promise<Reply> => sendAgainWhile(isTooBusy, send)

/** `isUnwanted` is told the time since it was first sent: later ones may wait for a connection that is given up sooner. */
export async function sendAgainWhile<Answer>(
  isUnwanted: (answer: Answer, ms: number) => boolean,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const sentAt = performance.now()
  for (let tries = 1; ; tries += 1) {
    const answer = await send()
    if (tries === triesMax || !isUnwanted(answer, performance.now() - sentAt)) return answer
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
