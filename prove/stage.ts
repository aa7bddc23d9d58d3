import { createBid } from '../src/cli/bid.ts'
import { readConfig } from '../src/config/config.ts'
import { createCredential } from '../src/keys/credentials.ts'
import { createCompany } from '../src/people/companies.ts'
import type { Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import { newDatabase } from '../test/support/database.ts'
import type { Environment } from '../test/support/service.ts'
import { untilConnected } from '../test/support/until-connected.ts'
import type { Attempt } from './proof.ts'

/** A company, and the headers with which its application asks. */
export interface Caller {
  readonly companyId: string
  /** The id of a bid. */
  readonly bid: string
  readonly headers: Readonly<Record<string, string>>
}

/** A database with companies, and what a process of the service needs to serve it. */
export interface Stage {
  readonly url: string
  readonly env: Environment
  readonly callers: readonly Caller[]
}

export async function makeStage({ engine, env, ends }: Attempt, companies: readonly string[]): Promise<Stage> {
  const place = await newDatabase(engine)
  ends.defer(() => place.remove())
  return furnish(place.url, env, companies)
}

/** Makes the companies in a database that is there already. */
export async function furnish(url: string, env: Environment, companies: readonly string[]): Promise<Stage> {
  const callers = await withDatabase(url, async (db) => {
    await untilConnected(() => migrate(db))
    const made: Caller[] = []
    for (const name of companies) made.push(await makeCaller(db, name))
    return made
  })
  return { url, env: { DATABASE_URL: url, DEMO: 'off', LOG: 'off', ...env }, callers }
}

export async function withDatabase<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase(readConfig({ DATABASE_URL: url }, false))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function makeCaller(db: Database, name: string): Promise<Caller> {
  const { id: companyId } = await createCompany(db, name)
  const { id: bid } = await createBid(db, companyId, `${name}'s bid`)
  const made = await createCredential(db, { companyId, name, access: 'read-write', expiresAt: null })
  const headers = { apikey: made.apiKey, 'X-API-Secret': made.apiSecret, 'Content-Type': 'application/json' }
  return { companyId, bid, headers }
}

/** Gives a company the projects of one page. */
export async function fillPage(base: string, { headers, bid }: Caller): Promise<void> {
  const rows = Array.from({ length: 20 }, (_, at) => ({ bid_id: bid, project_name: `Project ${at}` }))
  const answer = await fetch(`${base}/rest/v1/project`, { method: 'POST', headers, body: JSON.stringify(rows) })
  if (answer.status !== 201) throw new Error(await answer.text())
}
