import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { createBid } from '../src/cli/bid.ts'
import { readConfig } from '../src/config.ts'
import { createCredential } from '../src/keys/credentials.ts'
import { digest } from '../src/keys/token.ts'
import { createCompany } from '../src/people/companies.ts'
import { makePlan } from '../src/plan/make-plan.ts'
import { parseRequest } from '../src/request/parse-request.ts'
import { project } from '../src/resources/index.ts'
import type { Database } from '../src/store/database.ts'
import { execute } from '../src/store/execute.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import { sql } from '../src/store/sql.ts'
import { startPostgres } from '../test/support/postgres.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** The headers that a caller sends. */
export type Caller = Readonly<Record<'apikey' | 'authorization' | 'x-api-secret', string>>

/** One database for both servers: a company with 20 projects that only reads, and one that only creates. */
export interface Stage {
  readonly databaseUrl: string
  readonly reader: Caller
  readonly writer: Caller
  /** A bid of the writer. */
  readonly bidId: string
}

export async function makeStage(engine: Engine, ends: AsyncDisposableStack): Promise<Stage> {
  const databaseUrl = engine === 'sqlite' ? makeFile(ends) : await makeServerDatabase(ends)
  const db = openDatabase(readConfig({ DATABASE_URL: databaseUrl }, false))
  try {
    await migrate(db)
    // Made for the bare handler alone: the plainest way from two digests to a company.
    await db.transact([
      sql`create table bare_credential (key_digest text, secret_digest text, company_id text, primary key (key_digest, secret_digest))`,
    ])
    const reader = await makeCompany(db, 'Reader', 20)
    const writer = await makeCompany(db, 'Writer', 0)
    return { databaseUrl, reader: reader.caller, writer: writer.caller, bidId: writer.bidId }
  } finally {
    await db.close()
  }
}

function makeFile(ends: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-bench-'))
  ends.defer(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'bench.db')
}

async function makeServerDatabase(ends: AsyncDisposableStack): Promise<string> {
  const base = new URL(process.env.TEST_DATABASE_URL ?? (await startServer(ends)))
  const name = `bench_${Bun.randomUUIDv7().replaceAll('-', '')}`
  const administer = async (statement: string): Promise<void> => {
    await using client = new SQL(base.href, { max: 1 })
    await client.unsafe(statement)
  }
  await administer(`create database ${name} template template0`)
  ends.defer(() => administer(`drop database ${name} with (force)`))
  return Object.assign(new URL(base), { pathname: `/${name}` }).href
}

async function startServer(ends: AsyncDisposableStack): Promise<string> {
  const server = await startPostgres('on')
  ends.defer(() => server.stop())
  return server.url
}

async function makeCompany(db: Database, name: string, projects: number): Promise<{ caller: Caller; bidId: string }> {
  const { id: companyId } = await createCompany(db, name)
  const { id: bidId } = await createBid(db, companyId, `${name}'s bid`)
  const rows = Array.from({ length: projects }, (_, at) => ({
    bid_id: bidId,
    project_name: `Project number ${at + 1}`,
  }))
  const request = parseRequest('POST', '', new Headers())
  await execute(
    db,
    makePlan({ request, payload: { text: '', single: false, rows }, resource: project, companyId, rowsMax: null }),
  )
  const made = await createCredential(db, { companyId, name, access: 'read-write', expiresAt: null })
  const { apiKey, apiSecret } = made
  await db.transact([sql`insert into bare_credential values (${digest(apiKey)}, ${digest(apiSecret)}, ${companyId})`])
  return { caller: { apikey: apiKey, authorization: `Bearer ${apiKey}`, 'x-api-secret': apiSecret }, bidId }
}
