import { createPerson } from '../src/people/accounts.ts'
import { commandLine } from '../src/people/audit.ts'
import { joinCompany, type Role } from '../src/people/members.ts'
import type { Database } from '../src/store/database.ts'

/** Somebody with an account. */
export interface Person {
  readonly id: string
  readonly email: string
}

export const password = 'correct horse battery'

/** A new person who belongs to a company. */
export async function addPerson(db: Database, companyId: string, role: Role): Promise<Person> {
  const email = `${Bun.randomUUIDv7().slice(-12)}@example.com`
  const made = await createPerson(db, { name: 'Person', email, password }, 'operator', (personId) =>
    joinCompany(commandLine, { companyId, personId, email, role }),
  )
  return { id: made.id, email }
}

/** Signs somebody in, and gives the headers of their browser. The service has to run with TRUST_PROXY=on. */
export async function signIn(base: string, { email }: Person): Promise<Readonly<Record<string, string>>> {
  const headers = { Origin: base, 'Content-Type': 'application/json', 'X-Forwarded-For': newAddress() }
  const body = JSON.stringify({ email, password })
  const answer = await fetch(`${base}/api/auth/sign-in/email`, { method: 'POST', headers, body })
  const cookie = answer.headers.getSetCookie().find((line) => line.includes('session_token='))
  if (!cookie) throw new Error(`Cannot sign in: ${answer.status} ${await answer.text()}`)
  return { ...headers, Cookie: cookie.split(';')[0] ?? '' }
}

let addresses = 0

/** Each from an address of its own, so that nobody uses up the attempts of another. */
function newAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}
