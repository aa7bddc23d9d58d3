import { createHmac, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { tokenDigest } from '../../src/people/session-token.ts'
import type { Database, Store } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import type { World } from '../support/world.ts'
import { Browser, newEmail, password } from './support.ts'

export const authSecret = 'a secret that only the tests know, and no one else'

/** A person with one of their sessions. */
export interface Signed {
  readonly personId: string
  readonly email: string
  readonly sessionId: string
  readonly browser: Browser
}

const hash = Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 1024, timeCost: 1 })

/** A person who is signed in, by rows alone: to sign in by the password takes long. */
export async function signedInQuickly({ db, base }: World, companyId: string, role: string): Promise<Signed> {
  const [personId, email, now] = [Bun.randomUUIDv7(), newEmail(), timestampText(new Date())]
  await db.transact([
    sql`insert into person (id, name, email, email_verified, created_at, updated_at)
        values (${personId}, 'Held', ${email}, false, ${now}, ${now})`,
    sql`insert into account (id, account_id, provider_id, person_id, password, created_at, updated_at)
        values (${Bun.randomUUIDv7()}, ${personId}, 'credential', ${personId}, ${await hash}, ${now}, ${now})`,
    sql`insert into member (company_id, person_id, role, created_at) values (${companyId}, ${personId}, ${role}, ${now})`,
  ])
  return { personId, email, ...(await anotherSession(db, base, personId)) }
}

/** One more session of a person. */
export async function anotherSession(db: Database, base: string, personId: string) {
  const [sessionId, token, now] = [Bun.randomUUIDv7(), randomBytes(24).toString('base64url'), new Date()]
  await db.transact([
    sql`insert into session (id, person_id, token, expires_at, created_at, updated_at)
        values (${sessionId}, ${personId}, ${tokenDigest(token)}, ${timestampText(new Date(now.getTime() + 3_600_000))},
          ${timestampText(now)}, ${timestampText(now)})`,
  ])
  const signature = createHmac('sha256', authSecret).update(token).digest('base64')
  const browser = new Browser(base)
  browser.cookie = `project-api.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  return { sessionId, browser }
}

/** Holds one transaction back just before it begins, and counts how often a session was looked up. */
export class Gate {
  lookUps = 0
  private held: { reached(): void; readonly released: Promise<void> } | null = null

  /** Holds the next transaction. `reached` is kept once it is there. */
  arm(): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.held = { reached: reached.resolve, released: released.promise }
    return { reached: reached.promise, release: released.resolve }
  }

  watch(db: Database): Database {
    const forCompany: Database['forCompany'] = (companyId) => {
      const own = db.forCompany(companyId)
      return { ...own, ...this.holding(own) }
    }
    return {
      ...db,
      ...this.holding(db),
      read: (statement) => {
        if (statement.texts[0]?.includes('from session s')) this.lookUps += 1
        return db.read(statement)
      },
      forCompany,
      forRows: forCompany,
    }
  }

  private holding({ transactInSteps }: Pick<Store, 'transactInSteps'>): Pick<Store, 'transactInSteps'> {
    return {
      transactInSteps: async (work) => {
        const { held } = this
        this.held = null
        held?.reached()
        await held?.released
        return transactInSteps(work)
      },
    }
  }
}

export interface RawRequest {
  readonly method: string
  /** Relative to /api. */
  readonly path: string
  readonly body: string
}

/** A request whose body is sent as far as its first bytes. `send` sends the rest; `answer` is its status, 0 for none. */
export function holdBody({ base, address, cookies }: Browser, { method, path, body }: RawRequest) {
  const { hostname, port, host } = new URL(base)
  const lines = [
    `${method} /api${path} HTTP/1.1`,
    ...[`Host: ${host}`, `Origin: ${base}`, `Cookie: ${cookies}`, `X-Forwarded-For: ${address}`],
    ...['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'],
  ]
  const answered = Promise.withResolvers<number>()
  const socket = connect(Number(port), hostname)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? []
    if (status) answered.resolve(Number(status))
  })
  socket.on('error', () => {})
  socket.on('close', () => answered.resolve(0))
  return { answer: answered.promise, send: () => socket.write(body.slice(5)), close: () => socket.destroy() }
}
