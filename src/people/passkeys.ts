import { failure } from '../errors/index.ts'
import type { Statements } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { auditEverywhere, type Whose } from './audit-everywhere.ts'
import { listOwnCompanies } from './companies.ts'
import type { SignedIn } from './sessions.ts'

// The ceremonies are better-auth's. Its endpoints that list, rename and delete are left out, because they could not write the
// audit log in the same transaction.

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

type Db = Pick<Statements, 'read'>

/** Of one person: browsers are sent all of them. */
export const passkeysMax = 20

/** The oldest first. */
export async function listPasskeys(db: Db, personId: string): Promise<Passkey[]> {
  const rows = await db.read(sql`
    select id, name, created_at, last_used_at from passkey where person_id = ${personId} order by id`)
  return rows.map(([id, name, createdAt, lastUsedAt]) => ({
    id: String(id),
    name: String(name),
    createdAt: String(createdAt),
    lastUsedAt: lastUsedAt === null ? null : String(lastUsedAt),
  }))
}

export async function hasPasskey(db: Db, personId: string): Promise<boolean> {
  return (await db.read(sql`select 1 from passkey where person_id = ${personId} limit 1`)).length > 0
}

/** One of a person's own passkeys. */
interface Own {
  readonly personId: string
  readonly id: string
}

export async function renamePasskey(db: Statements, { personId, id }: Own, name: string): Promise<void> {
  const [renamed] = await db.transact([
    sql`update passkey set name = ${name} where id = ${id} and person_id = ${personId} returning id`,
  ])
  if (renamed?.length !== 1) throw failure.passkeyUnknown()
}

/** Deletes one, and returns its name. */
export async function deletePasskey(db: Statements, whose: Whose, id: string): Promise<string> {
  const own = sql`id = ${id} and person_id = ${whose.personId}`
  const [row] = await db.read(sql`select name from passkey where ${own}`)
  if (!row) throw failure.passkeyUnknown()
  const name = String(row[0])
  await db.transact(
    [
      sql`delete from passkey where ${own} returning id`,
      ...(await auditEverywhere(db, whose, 'member.passkey_removed', { name })),
    ],
    ([deleted]) => {
      if (deleted?.length !== 1) throw failure.passkeyUnknown()
    },
  )
  return name
}

/** Deletes all of a person's passkeys, and returns how many there were. */
export async function deletePasskeys(db: Statements, whose: Whose): Promise<number> {
  const passkeys = await listPasskeys(db, whose.personId)
  for (const { id } of passkeys) await deletePasskey(db, whose, id)
  return passkeys.length
}

/**
 * Where a company of theirs requires two factors, whoever has a passkey must have signed in with it, or with a code, to change how
 * they sign in. Otherwise a stolen password alone could add the second factor.
 */
export async function requireOwnFactor(db: Db, { id, hasTwoFactor }: SignedIn): Promise<void> {
  if (hasTwoFactor || !(await hasPasskey(db, id))) return
  const companies = await listOwnCompanies(db, id)
  if (companies.some(({ requiresTwoFactor }) => requiresTwoFactor)) throw failure.passkeyNeeded()
}
