import { createPerson } from '../../src/people/accounts.ts'
import { commandLine } from '../../src/people/audit.ts'
import { joinCompany } from '../../src/people/members.ts'
import type { Role } from '../../src/people/roles.ts'
import { codeOf } from '../../src/people/totp.ts'
import { sql } from '../../src/store/sql.ts'
import { type Reply, replyOf, type World } from '../support/world.ts'

/** For `onEachEngine`: every client below comes from an address of its own, so that no test uses up the attempts of another. */
export const behindProxy = { TRUST_PROXY: 'on' } as const

export const password = 'correct horse battery'

let addresses = 0
const newAddress = (): string => {
  addresses += 1
  return `10.0.${addresses >> 8}.${addresses & 255}`
}

type HeaderFields = Readonly<Record<string, string>>

/** A browser: it keeps its cookie, and comes from one address. Paths are relative to /api. */
export class Browser {
  cookie = ''
  /** Of sign-ins that wait for a code or a passkey, by name. */
  private readonly challenges = new Map<string, string>()
  readonly address = newAddress()

  constructor(readonly base: string) {}

  async send(method: string, path: string, body?: unknown, headers: HeaderFields = {}): Promise<Reply> {
    const all: Record<string, string> = { Origin: this.base, 'X-Forwarded-For': this.address, 'User-Agent': 'test' }
    if (this.cookies !== '') all.Cookie = this.cookies
    if (body !== undefined) all['Content-Type'] = 'application/json'
    const response = await fetch(`${this.base}/api${path}`, {
      method,
      headers: { ...all, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.keep(response.headers)
    return replyOf(response)
  }

  get cookies(): string {
    return [this.cookie, ...this.challenges.values()].filter(Boolean).join('; ')
  }

  get(path: string, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('GET', path, undefined, headers)
  }
  post(path: string, body?: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('POST', path, body, headers)
  }
  patch(path: string, body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('PATCH', path, body, headers)
  }
  delete(path: string, headers: HeaderFields = {}): Promise<Reply> {
    return this.send('DELETE', path, undefined, headers)
  }

  signUp(email: string, more: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return this.post('/auth/sign-up/email', { name: email.split('@')[0], email, password, ...more })
  }
  signIn(email: string, secret: string = password): Promise<Reply> {
    return this.post('/auth/sign-in/email', { email, password: secret })
  }
  signOut(): Promise<Reply> {
    return this.post('/auth/sign-out', {})
  }

  private keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const value = pair.endsWith('=') ? '' : pair
      if (pair.includes('session_token=')) this.cookie = value
      const [, name] = /\.(two_factor|passkey)=/.exec(pair) ?? []
      if (name) this.challenges.set(name, value)
    }
  }
}

/** A browser in which nobody is signed in. */
export const visit = (world: World): Browser => new Browser(world.base)

/** A new person in a company, signed in. */
export async function signedIn(
  world: World,
  companyId: string | null,
  role: Role,
  email = newEmail(),
): Promise<Browser> {
  await createPerson(world.db, { name: email, email, password }, 'operator', (personId) =>
    companyId === null ? null : joinCompany(commandLine, { companyId, personId, email, role }),
  )
  const browser = visit(world)
  const reply = await browser.signIn(email)
  if (reply.status !== 200) throw new Error(`Cannot sign in: ${reply.text}`)
  return browser
}

/** The path of a route with something in the place of each part that stands for an id. */
export const filledPath = ({ path }: { readonly path: string }, id: string): string =>
  path
    .slice('/api'.length)
    .replace(/:(id|secret|event)/g, id)
    .replace(':resource', 'bid')

export const newEmail = (): string => `${Bun.randomUUIDv7().slice(-12)}@example.com`

/** What the audit log of a company holds of one action, oldest first. */
export async function auditOf(world: World, companyId: string, action: string) {
  const rows = await world.db.read(sql`
    select actor, target, details, address, user_agent, request_id from audit_event
    where company_id = ${companyId} and action = ${action} order by id`)
  return rows.map(([actor, target, details, address, userAgent, requestId]) => ({
    actor,
    target,
    details: JSON.parse(String(details)),
    address,
    userAgent,
    requestId,
  }))
}

export const outcome = ({ status, json }: Reply): [number, string | undefined] => [status, json?.code]

/** An authenticator app: it holds the key that it was shown, and makes a code that was not used yet. */
export class Authenticator {
  private step = 0

  constructor(private readonly key: string) {}

  /** Two in a row: that of the next period counts, too, and both still do when this one is over. */
  next(): string {
    this.step = Math.max(this.step + 1, Math.floor(Date.now() / 30_000))
    return codeOf(plainKey(this.key), this.step)
  }
}

const plainKey = (key: string): string => {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  return (bits.join('').match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('')
}

/** Sets up two-factor sign-in for who is signed in there. */
export async function setUpTwoFactor(browser: Browser) {
  const { key } = (await browser.post('/two-factor/start', { password })).json
  const code = new Authenticator(key).next()
  const reply = await browser.post('/two-factor/confirm', { code })
  if (reply.status !== 200) throw new Error(`Cannot set up two factors: ${reply.text}`)
  return { key: key as string, code, recoveryCodes: reply.json.recovery_codes as string[] }
}
