import { failure } from '../errors/index.ts'
import { type Actor, commandLine, service } from '../people/audit.ts'
import { updateCompanyRows } from '../store/compile/company-rows.ts'
import type { Companies, Statements, Steps } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { Access } from './credential.ts'
import {
  audited,
  type CredentialRef,
  credentialOf,
  findCredential,
  selectCredential,
  storedNarrowing,
} from './credentials.ts'
import { forget } from './memory.ts'
import type { Narrowing } from './narrowing.ts'

export async function renameCredential(db: Companies, ref: CredentialRef, name: string, by: Actor): Promise<void> {
  const { name: before } = await findCredential(db, ref)
  if (before === name) return
  const own = db.forCompany(ref.companyId)
  await own.transact([updateOf(ref, sql`name = ${name}`), audited(by, 'renamed', { ...ref, name }, { before })])
}

/** How many requests it may send: `100/s`, or null for the general limit only. */
export async function limitCredential(
  db: Companies,
  ref: CredentialRef,
  rateLimit: string | null,
  by: Actor,
): Promise<void> {
  const { name, apiKey, rateLimit: before } = await findCredential(db, ref)
  if (before === rateLimit) return
  await db
    .forCompany(ref.companyId)
    .transact([
      updateOf(ref, sql`rate_limit = ${rateLimit}`),
      audited(by, 'limited', { ...ref, name }, { rate_limit: rateLimit ?? 'none', before: before ?? 'none' }),
    ])
  forget(db, apiKey)
}

export interface NewAccess extends Narrowing {
  readonly access: Access
}

/** What it may do, with which resources, and from where. `change` is given what it may do now. */
export async function changeAccess(
  db: Companies,
  ref: CredentialRef,
  change: (known: NewAccess) => NewAccess,
  by: Actor,
): Promise<void> {
  const { apiKey } = await findCredential(db, ref)
  const own = db.forCompany(ref.companyId)
  function* work(): Steps {
    // Of two changes at the same time, the second waits and then changes what the first has left.
    const [[row] = []] = yield [sql`${selectCredential(ref)}${own.dialect.forUpdate}`]
    if (!row) throw failure.credentialUnknown()
    const known = credentialOf(row)
    const [before, after] = [storedAccess(known), storedAccess(change(known))]
    if (Bun.deepEquals(before, after)) return
    const { access, resources, may, addresses } = after
    yield [
      updateOf(ref, sql`access = ${access}, resources = ${resources}, may = ${may}, addresses = ${addresses}`),
      audited(by, 'access_changed', { ...ref, name: known.name }, { ...after, before }),
    ]
  }
  await own.transactInSteps(work())
  forget(db, apiKey)
}

const storedAccess = (one: NewAccess) => ({ access: one.access, ...storedNarrowing(one) })

/** When it ends; null for never. One that has ended by then works again. */
export async function changeExpiry(
  db: Companies,
  ref: CredentialRef,
  expiresAt: Date | null,
  by: Actor,
): Promise<void> {
  const { name, apiKey, expiresAt: before } = await findCredential(db, ref)
  const wanted = expiresAt && timestampText(expiresAt)
  if (before === wanted) return
  await db
    .forCompany(ref.companyId)
    .transact([
      updateOf(ref, sql`expires_at = ${wanted}`),
      audited(by, 'expiry_changed', { ...ref, name }, { expires_at: wanted ?? 'never', before: before ?? 'never' }),
    ])
  forget(db, apiKey)
}

/** Ends a credential for ever. Returns whether there was one to end. */
export async function revokeCredential(db: Companies, ref: CredentialRef, by: Actor = commandLine): Promise<boolean> {
  const { name, apiKey } = await findCredential(db, ref)
  const now = timestampText(new Date())
  const revoked = await changeOnce(db.forCompany(ref.companyId), [
    sql`${updateOf(ref, sql`revoked_at = ${now}`)} and revoked_at is null returning id`,
    audited(by, 'revoked', { ...ref, name }, {}),
  ])
  forget(db, apiKey)
  return revoked
}

/** Tells the owners that a secret was seen in a browser, the first time only. */
export async function markExposed(db: Companies, ref: CredentialRef): Promise<void> {
  const { name, apiKey } = await findCredential(db, ref)
  const now = timestampText(new Date())
  await changeOnce(db.forCompany(ref.companyId), [
    sql`${updateOf(ref, sql`exposed_at = ${now}`)} and exposed_at is null returning id`,
    audited(service, 'exposed', { ...ref, name }, {}),
  ])
  forget(db, apiKey)
}

const updateOf = (ref: CredentialRef, changes: Sql): Sql =>
  sql`${updateCompanyRows('credential', ref, changes)} and id = ${ref.id}`

class NothingToChange extends Error {}

/** A change of a row and its audit record, or neither if someone else was first. */
async function changeOnce(db: Statements, statements: readonly [Sql, Sql]): Promise<boolean> {
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
