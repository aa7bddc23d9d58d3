import { tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
import { integer, join, sql } from '../store/sql.ts'
import { keyStartLength } from './token.ts'

interface KeyStart {
  readonly keyStart: string
  readonly companyId: string
  readonly credentialId: string
}

/** Requests with mistyped keys, until it is looked up whose keys begin the same way. */
export interface Strays<Request> {
  /** Keeps it, if there is room. */
  add(keyStart: string, make: () => Request): void
  /** Those of credentials, each told once. */
  claim(): Promise<readonly (readonly [KeyStart, Request])[]>
}

/** Invalid keys whose start may be that of a credential, and the requests of each that are kept. */
const keysMax = 100
const eachMax = 10

export function createStrays<Request>(db: Database, failed: (error: unknown) => void): Strays<Request> {
  let strays = new Map<string, Request[]>()
  return {
    add: (keyStart, make) => {
      const found = strays.get(keyStart) ?? []
      if (found.length >= eachMax || (found.length === 0 && strays.size >= keysMax)) return
      found.push(make())
      strays.set(keyStart, found)
    },
    claim: async () => {
      const claimed = strays
      strays = new Map()
      if (claimed.size === 0) return []
      const owners = (await findKeyStarts(db, [...claimed.keys()]).catch(failed)) ?? []
      return owners.flatMap((owner) => (claimed.get(owner.keyStart) ?? []).map((request) => [owner, request] as const))
    },
  }
}

/** The credentials whose keys begin with these texts. */
async function findKeyStarts(db: Database, keyStarts: readonly string[]): Promise<KeyStart[]> {
  const wanted = join(
    keyStarts.map((keyStart) => sql`${keyStart}`),
    ', ',
  )
  const start = sql`substr(api_key, 1, ${integer(keyStartLength)})`
  const rows = await db.read(
    sql`select ${start}, company_id, id from ${tableOfAllCompanies('credential')} where ${start} in (${wanted})`,
  )
  return rows.map(([keyStart, companyId, id]) => ({
    keyStart: String(keyStart),
    companyId: String(companyId),
    credentialId: String(id),
  }))
}
