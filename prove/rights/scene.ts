import { createBid } from '../../src/cli/bid.ts'
import { createCredential } from '../../src/keys/credentials.ts'
import { createCompany } from '../../src/people/companies.ts'
import type { Database } from '../../src/store/database.ts'
import { keyword, sql } from '../../src/store/sql.ts'
import { addMember, addPerson, type Person, type SignedIn, signIn } from '../people.ts'

/** A company with somebody whose right is going to end, and another who ends it. */
export interface Scene {
  readonly companyId: string
  /** One more, of which the other is an owner, too. */
  readonly otherCompanyId: string
  readonly bid: string
  readonly actor: Person & SignedIn
  /** The same person on another device. */
  readonly elsewhere: SignedIn
  readonly owner: Person & SignedIn
  readonly credential: { readonly id: string; readonly headers: SignedIn['headers'] }
}

export async function makeScene(db: Database, base: string): Promise<Scene> {
  const { id: companyId } = await createCompany(db, 'Held')
  const { id: otherCompanyId } = await createCompany(db, 'Other')
  const { id: bid } = await createBid(db, companyId, 'Bid')
  const [actor, owner] = [await addPerson(db, companyId, 'owner'), await addPerson(db, companyId, 'owner')]
  await addMember(db, otherCompanyId, owner.id, 'owner')
  const made = await createCredential(db, { companyId, name: 'Held', access: 'read-write', expiresAt: null })
  const apiHeaders = { apikey: made.apiKey, 'X-API-Secret': made.apiSecret, 'Content-Type': 'application/json' }
  return {
    ...{ companyId, otherCompanyId, bid },
    actor: { ...actor, ...(await signIn(db, base, actor.id)) },
    elsewhere: await signIn(db, base, actor.id),
    owner: { ...owner, ...(await signIn(db, base, owner.id)) },
    credential: { id: made.id, headers: apiHeaders },
  }
}

const tables = [
  ...(['company', 'member', 'invitation', 'credential', 'credential_secret', 'account', 'verification'] as const),
  ...(['bid', 'project', 'audit_event', 'idempotency', 'person'] as const),
]

/** A digest of all that a request could change. Of sessions, only which there are and what they look at. */
export async function storedIn(db: Database): Promise<string> {
  const rows = await Promise.all([
    ...tables.map((table) => db.read(sql`select * from ${keyword(table)} order by 1, 2`)),
    db.read(sql`select id, company_id from session order by 1`),
  ])
  return Bun.SHA256.hash(JSON.stringify(rows), 'hex')
}
