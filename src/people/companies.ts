import { timestampText } from '../resources/timestamp.ts'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'

export interface Company {
  readonly id: string
  readonly name: string
}

export async function createCompany(db: Database, name: string): Promise<Company> {
  const id = Bun.randomUUIDv7()
  await db.transact([
    sql`insert into company (id, name, created_at) values (${id}, ${name}, ${timestampText(new Date())})`,
  ])
  return { id, name }
}

/** Makes a company if there is none yet: of several that try at once, one succeeds. */
export async function createFirstCompany(db: Database, name: string): Promise<Company | null> {
  const id = Bun.randomUUIDv7()
  const [made = []] = await db.transact([
    sql`insert into company (id, name, created_at)
        select ${id}, ${name}, ${timestampText(new Date())} where not exists (select 1 from company) returning id`,
  ])
  return made.length === 0 ? null : { id, name }
}

export async function listCompanies(db: Database): Promise<Company[]> {
  const rows = await db.read(sql`select id, name from company order by id`)
  return rows.map(([id, name]) => ({ id: String(id), name: String(name) }))
}
