import { randomBytes } from 'node:crypto'
import { createCompany } from '../../src/people/companies.ts'
import { companyRows, insertIntoCompany } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore, Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'

const columns = ['sequence', 'id', 'type', 'resource', 'row_id', 'row', 'changed', 'created_at', 'actor_kind']

/** A new company with events, numbered from 1, each of which takes about 150 KB in every engine. */
export async function companyWithLargeEvents(db: Database, count: number): Promise<CompanyStore> {
  const { id: companyId } = await createCompany(db, `Large ${Bun.randomUUIDv7()}`)
  const own = db.forRows(companyId)
  const isSqlite = db.dialect.name === 'sqlite'
  const changed = isSqlite ? '[]' : '{}'
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const id = Bun.randomUUIDv7()
    // So that PostgreSQL cannot make it much smaller.
    const text = randomBytes(112_500).toString('base64')
    const json = JSON.stringify({ text })
    const row = isSqlite ? sql`${json}` : sql`${json}::text::json`
    await own.transact([
      sql`${insertIntoCompany('event', columns)} values (${companyId}, ${sequence}, ${id}, 'bid.updated', 'bid', ${id},
        ${row}, ${changed}, ${timestampText(new Date(0))}, 'operator')`,
    ])
  }
  return own
}

export async function countEvents(own: CompanyStore): Promise<number> {
  const [[count] = []] = await own.read(sql`select count(*) from ${companyRows('event', own)}`)
  return Number(count)
}
