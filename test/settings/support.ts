import { randomInt } from 'node:crypto'
import { createPerson } from '../../src/people/accounts.ts'
import { commandLine } from '../../src/people/audit.ts'
import { joinCompany } from '../../src/people/members.ts'
import type { Role } from '../../src/people/roles.ts'
import { sql } from '../../src/store/sql.ts'
import { type Reply, replyOf, type World } from '../support/world.ts'

/** For `onEachEngine`: every client below comes from an address of its own, so that no test uses up the attempts of another. */
export const behindProxy = { TRUST_PROXY: 'on' } as const

export const password = 'correct horse battery'

type HeaderFields = Readonly<Record<string, string>>

/** A browser: it keeps its cookie, and comes from one address. Paths are relative to /api. */
export class Browser {
  cookie = ''
  readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

  constructor(readonly base: string) {}

  async send(method: string, path: string, body?: unknown, headers: HeaderFields = {}): Promise<Reply> {
    const all: Record<string, string> = { Origin: this.base, 'X-Forwarded-For': this.address, 'User-Agent': 'test' }
    if (this.cookie !== '') all.Cookie = this.cookie
    if (body !== undefined) all['Content-Type'] = 'application/json'
    const response = await fetch(`${this.base}/api${path}`, {
      method,
      headers: { ...all, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.keep(response.headers)
    return replyOf(response)
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
      if (pair.includes('session_token=')) this.cookie = pair.endsWith('=') ? '' : pair
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
