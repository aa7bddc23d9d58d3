import { createBid } from '../src/cli/bid.ts'
import { readConfig } from '../src/config/config.ts'
import { createCredential } from '../src/keys/credentials.ts'
import { createCompany } from '../src/people/companies.ts'
import { tableOfAllCompanies } from '../src/store/compile/company-rows.ts'
import type { Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import { sql } from '../src/store/sql.ts'
import { type Engine, makeDatabase, runScript } from './engine.ts'
import { projectScript, settleScript } from './fill.ts'

/** The headers that a caller sends. */
export type Caller = Readonly<Record<'apikey' | 'authorization' | 'x-api-secret', string>>

export interface Company {
  readonly id: string
  readonly caller: Caller
  /** An existing bid. */
  readonly bidId: string
}

/** One database for the service and the bare handler, with a company for each kind of work. */
export interface Place {
  readonly engine: Engine
  readonly databaseUrl: string
  /** 20 projects. */
  readonly small: Company
  /** 1,000 projects, 100 on each bid. */
  readonly middle: Company
  /** The requested number of projects. */
  readonly long: Company
  /** Only the projects that the benchmark creates. */
  readonly writer: Company
  /** The same, without events. */
  readonly quiet: Company
  /** Where the bare handler writes, if not into the table of the service. */
  readonly bareTable?: 'bare_project'
}

export async function makePlace(
  engine: Engine,
  longRows: number,
  ends: AsyncDisposableStack,
  url?: string,
): Promise<Place> {
  const databaseUrl = url ?? (await makeDatabase(engine, ends))
  return withDatabase(databaseUrl, async (db) => {
    await migrate(db)
    await runScript(databaseUrl, [
      // Only for the bare handler: the simplest look-up from two digests to a company.
      `create table bare_credential (key_digest text, secret_digest text, company_id text, primary key (key_digest, secret_digest))${engine === 'sqlite' ? ' without rowid' : ''}`,
    ])
    const companies = {
      small: await makeCompany(db, databaseUrl, 'Small'),
      middle: await makeCompany(db, databaseUrl, 'Middle'),
      long: await makeCompany(db, databaseUrl, 'Long'),
      writer: await makeCompany(db, databaseUrl, 'Writer'),
      quiet: await makeCompany(db, databaseUrl, 'Quiet'),
    }
    const fill = ({ id }: Company, rows: number, perBid: number) =>
      projectScript(engine, id, { perBid, from: 0, to: rows })
    await runScript(databaseUrl, [
      ...fill(companies.small, 20, 10),
      ...fill(companies.middle, 1000, 100),
      ...fill(companies.long, longRows, 100),
      `update company set events = 'off' where id = '${companies.quiet.id}'`,
      ...settleScript(engine),
    ])
    return { engine, databaseUrl, ...companies }
  })
}

/** Every round of writes starts with the same state. */
export async function emptyWriter({ databaseUrl, engine, writer, quiet, bareTable }: Place): Promise<void> {
  await untilNumbered(databaseUrl)
  const tables = ['project', 'event', ...(bareTable ? [bareTable] : [])]
  const afterwards = engine === 'sqlite' ? settleScript(engine) : [`vacuum ${tables}, event_inbox`, 'checkpoint']
  const own = `where company_id in ('${writer.id}', '${quiet.id}')`
  await runScript(databaseUrl, [...tables.map((table) => `delete from ${table} ${own}`), ...afterwards])
}

/** The service numbers the last events after it has answered. */
const untilNumbered = (databaseUrl: string): Promise<void> =>
  withDatabase(databaseUrl, async (db) => {
    while ((await db.read(sql`select 1 from ${tableOfAllCompanies('event_inbox')} limit 1`)).length > 0)
      await Bun.sleep(20)
  })

export async function withDatabase<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase(readConfig({ DATABASE_URL: url }, false))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export async function makeCompany(db: Database, databaseUrl: string, name: string): Promise<Company> {
  const { id } = await createCompany(db, name)
  const { id: bidId } = await createBid(db, id, `${name}'s bid`)
  const made = await createCredential(db, { companyId: id, name, access: 'read-write', expiresAt: null })
  const { apiKey, apiSecret } = made
  const [key, secret] = [apiKey, apiSecret].map((token) => Bun.SHA256.hash(token, 'hex'))
  await runScript(databaseUrl, [`insert into bare_credential values ('${key}', '${secret}', '${id}')`])
  return { id, caller: { apikey: apiKey, authorization: `Bearer ${apiKey}`, 'x-api-secret': apiSecret }, bidId }
}
