import { createHmac, randomBytes } from 'node:crypto'
import type { Role } from '../src/people/roles.ts'
import { tokenDigest } from '../src/people/session-token.ts'
import type { Database } from '../src/store/database.ts'
import { sql } from '../src/store/sql.ts'
import { timestampText } from '../src/types/timestamp-text.ts'

/** What a service has to be started with, so that the sessions below are good there. */
export const peopleSettings = {
  AUTH_SECRET: 'a secret that only the proofs know, and nobody else',
  TRUST_PROXY: 'on',
  SIGNUP: 'open',
} as const

/** Somebody with an account. */
export interface Person {
  readonly id: string
  readonly email: string
}

/** A browser in which somebody is signed in. */
export interface SignedIn {
  readonly sessionId: string
  readonly headers: Readonly<Record<string, string>>
}

export const password = 'correct horse battery'
const hash = Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 1024, timeCost: 1 })

/** A new person who belongs to a company, by rows alone: to sign up takes long. */
export async function addPerson(db: Database, companyId: string, role: Role): Promise<Person> {
  const [id, email, now] = [Bun.randomUUIDv7(), newEmail(), timestampText(new Date())]
  await db.transact([
    sql`insert into person (id, name, email, email_verified, created_at, updated_at)
        values (${id}, 'Person', ${email}, false, ${now}, ${now})`,
    sql`insert into account (id, account_id, provider_id, person_id, password, created_at, updated_at)
        values (${Bun.randomUUIDv7()}, ${id}, 'credential', ${id}, ${await hash}, ${now}, ${now})`,
  ])
  await addMember(db, companyId, id, role)
  return { id, email }
}

export async function addMember(db: Database, companyId: string, personId: string, role: Role): Promise<void> {
  await db.transact([
    sql`insert into member (company_id, person_id, role, created_at)
        values (${companyId}, ${personId}, ${role}, ${timestampText(new Date())})`,
  ])
}

/** Signs somebody in, from an address of its own, so that nobody uses up the attempts of another. */
export async function signIn(db: Database, base: string, personId: string): Promise<SignedIn> {
  const [sessionId, token, now] = [Bun.randomUUIDv7(), randomBytes(24).toString('base64url'), new Date()]
  const expiresAt = new Date(now.getTime() + dayMs)
  await db.transact([
    sql`insert into session (id, person_id, token, expires_at, created_at, updated_at)
        values (${sessionId}, ${personId}, ${tokenDigest(token)}, ${timestampText(expiresAt)}, ${timestampText(now)},
          ${timestampText(now)})`,
  ])
  const signature = createHmac('sha256', peopleSettings.AUTH_SECRET).update(token).digest('base64')
  const Cookie = `project-api.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  return { sessionId, headers: { Origin: base, 'X-Forwarded-For': newAddress(), Cookie } }
}

const dayMs = 86_400_000

export const newEmail = (): string => `${Bun.randomUUIDv7().slice(-12)}@example.com`

let addresses = 0

function newAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}
