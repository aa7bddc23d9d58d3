import { randomBytes } from 'node:crypto'
import { failure } from '../errors/index.ts'
import type { Database, Rows } from '../store/database.ts'
import { keyword, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { TransactionPart } from './members.ts'

export const passwordLength = { min: 10, max: 128 } as const

interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt: Date
}

/** On whose word somebody may sign up: their own, while nobody has; everybody's; an invitation's; an operator's. */
export type Permission = 'first' | 'open' | 'operator'

/** Makes a person with a password and what they join by it, all or nothing. */
export async function createPerson(
  db: Database,
  { name, email, password }: NewPerson,
  permission: Permission,
  join: (personId: string) => TransactionPart | null = () => null,
): Promise<Person> {
  if (password.length < passwordLength.min || password.length > passwordLength.max)
    throw failure.passwordUnfit(passwordLength.min, passwordLength.max)
  const id = Bun.randomUUIDv7()
  const createdAt = new Date()
  const now = timestampText(createdAt)
  const hash = await Bun.password.hash(password)
  const joining = join(id)
  const check = ([claimed, , , ...joined]: readonly Rows[]): void => {
    // Of two who are first at the same moment, the database lets one through.
    if (permission === 'first' && !joining && claimed?.length !== 1) throw failure.signUpClosed()
    joining?.check(joined)
  }
  const statements = [
    sql`insert into setting (name, value) values ('first_person', ${id}) on conflict (name) do nothing returning name`,
    sql`insert into person (id, name, email, email_verified, created_at, updated_at)
        values (${id}, ${name}, ${email}, ${permission === 'operator' ? keyword('true') : keyword('false')}, ${now}, ${now})`,
    sql`insert into account (id, account_id, provider_id, person_id, password, created_at, updated_at)
        values (${Bun.randomUUIDv7()}, ${id}, 'credential', ${id}, ${hash}, ${now}, ${now})`,
    ...(joining?.statements ?? []),
  ]
  try {
    await db.transact(statements, check)
  } catch (error) {
    throw db.explain(error) === 'duplicate' ? failure.emailTaken() : error
  }
  return { id, name, email, createdAt }
}

export async function hasPeople(db: Database): Promise<boolean> {
  return (await db.read(sql`select 1 from person limit 1`)).length > 0
}

export async function findPerson(db: Database, email: string): Promise<Pick<Person, 'id' | 'name'> | null> {
  const [row] = await db.read(sql`select id, name from person where email = ${email}`)
  return row ? { id: String(row[0]), name: String(row[1]) } : null
}

/** A password that a person can read from a screen and type. */
export const makePassword = (): string => randomBytes(15).toString('base64url')
