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

export async function listCompanies(db: Database): Promise<Company[]> {
  const rows = await db.read(sql`select id, name from company order by id`)
  return rows.map(([id, name]) => ({ id: String(id), name: String(name) }))
}
