import { type Actor, commandLine } from '../people/audit.ts'
import type { Store } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { audited, type CredentialRef, findCredential } from './credentials.ts'
import { forget } from './memory.ts'

export async function renameCredential(db: Store, ref: CredentialRef, name: string, by: Actor): Promise<void> {
  const { name: before } = await findCredential(db, ref)
  if (before === name) return
  await db.transact([
    sql`update credential set name = ${name} where company_id = ${ref.companyId} and id = ${ref.id}`,
    audited(by, 'renamed', { ...ref, name }, { before }),
  ])
}

/** How many requests it may send: `100/s`, or null for as many as all may. */
export async function limitCredential(
  db: Store,
  ref: CredentialRef,
  rateLimit: string | null,
  by: Actor,
): Promise<void> {
  const { name, apiKey, rateLimit: before } = await findCredential(db, ref)
  if (before === rateLimit) return
  await db.transact([
    sql`update credential set rate_limit = ${rateLimit} where company_id = ${ref.companyId} and id = ${ref.id}`,
    audited(by, 'limited', { ...ref, name }, { rate_limit: rateLimit ?? 'none', before: before ?? 'none' }),
  ])
  forget(db, apiKey)
}

/** Ends a credential for good. Tells whether there was one that could be ended. */
export async function revokeCredential(db: Store, ref: CredentialRef, by: Actor = commandLine): Promise<boolean> {
  const { name, apiKey } = await findCredential(db, ref)
  const now = timestampText(new Date())
  const revoked = await changeOnce(db, [
    sql`update credential set revoked_at = ${now}
        where company_id = ${ref.companyId} and id = ${ref.id} and revoked_at is null returning id`,
    audited(by, 'revoked', { ...ref, name }, {}),
  ])
  forget(db, apiKey)
  return revoked
}

const service: Actor = { ...commandLine, actor: 'the service' }

/** Tells the owners that a secret was seen in a browser: once, whatever follows. */
export async function markExposed(db: Store, ref: CredentialRef): Promise<void> {
  const { name, apiKey } = await findCredential(db, ref)
  const now = timestampText(new Date())
  await changeOnce(db, [
    sql`update credential set exposed_at = ${now}
        where company_id = ${ref.companyId} and id = ${ref.id} and exposed_at is null returning id`,
    audited(service, 'exposed', { ...ref, name }, {}),
  ])
  forget(db, apiKey)
}

class NothingToChange extends Error {}

/** A change of a row and its record, or neither where somebody else was first. */
async function changeOnce(db: Store, statements: readonly [Sql, Sql]): Promise<boolean> {
  try {
    await db.transact(statements, ([changed]) => {
      if (changed?.length === 0) throw new NothingToChange()
    })
    return true
  } catch (error) {
    if (error instanceof NothingToChange) return false
    throw error
  }
}
