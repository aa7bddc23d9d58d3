import { failure } from '../errors/index.ts'
import type { Statements } from '../store/database.ts'
import { sql } from '../store/sql.ts'

type Db = Pick<Statements, 'read'>

/** Confirms with the password that it is the person who does something serious, and not whoever found their screen. */
export async function requirePassword(db: Db, personId: string, password: string): Promise<void> {
  const [row] = await db.read(sql`
    select password from account where person_id = ${personId} and provider_id = 'credential' and password is not null`)
  // Bun refuses to check an empty password.
  if (!row || !(await Bun.password.verify(password || ' ', String(row[0])))) throw failure.passwordWrong()
}
