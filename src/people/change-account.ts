import { createHash, randomBytes } from 'node:crypto'
import { failure } from '../errors/index.ts'
import type { Database, Statements, Store } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { Actor } from './audit.ts'
import { auditEverywhere, type Whose } from './audit-everywhere.ts'

export async function renamePerson(db: Statements, personId: string, name: string): Promise<void> {
  const now = timestampText(new Date())
  await db.transact([sql`update person set name = ${name}, updated_at = ${now} where id = ${personId}`])
}

const hourMs = 3_600_000

const identifierOf = (token: string): string => `change-email:${createHash('sha256').update(token).digest('base64url')}`

/** A token that proves who reads the mail of a new address. It works once, within an hour, and ends an earlier one. */
export async function createEmailToken(db: Statements, personId: string, email: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const now = new Date()
  const [made, ends] = [timestampText(now), timestampText(new Date(now.getTime() + hourMs))]
  await db.transact([
    endEmailTokens(personId),
    sql`insert into verification (id, identifier, value, expires_at, created_at, updated_at)
        values (${Bun.randomUUIDv7()}, ${identifierOf(token)}, ${`${personId} ${email}`}, ${ends}, ${made}, ${made})`,
  ])
  return token
}

/** Ends whatever somebody has begun by the former password or address, and has not finished. */
export const endBegun = (personId: string): readonly Sql[] => [
  // Links to set a new password, and sign-ins before their second step.
  sql`delete from verification where value = ${personId}`,
  endEmailTokens(personId),
  // Keys for codes.
  sql`delete from two_factor where person_id = ${personId} and not verified`,
]

const endEmailTokens = (personId: string): Sql => sql`delete from verification where value like ${`${personId} %`}`

/** The address before, and the one from now on. */
export interface EmailChange {
  readonly from: string
  readonly to: string
}

/** Takes the new address of whoever has its token. */
export async function confirmEmail(
  db: Database,
  from: Omit<Actor, 'actor' | 'actorId'>,
  token: string,
): Promise<EmailChange> {
  const { personId, from: before, to } = await findEmailChange(db, token)
  const whose = { personId, email: before, by: { ...from, actorId: personId, actor: before } }
  await changeEmail(db, whose, to, sql`delete from verification where ${isOpen(token)} returning id`)
  return { from: before, to }
}

const isOpen = (token: string): Sql =>
  sql`identifier = ${identifierOf(token)} and expires_at > ${timestampText(new Date())}`

/** What the link with this token would change. */
export async function findEmailChange(
  db: Pick<Statements, 'read'>,
  token: string,
): Promise<EmailChange & { readonly personId: string }> {
  const [row] = await db.read(sql`select value from verification where ${isOpen(token)}`)
  const [personId = '', to = ''] = String(row?.[0] ?? '').split(' ')
  const [person] = row ? await db.read(sql`select email from person where id = ${personId}`) : []
  if (!person) throw failure.resetLinkInvalid()
  return { personId, from: String(person[0]), to }
}

/** Gives a person another address, which somebody has verified. `proof` finds one row as long as that holds. */
export async function changeEmail(db: Store, whose: Whose, to: string, proof: Sql = sql`select 1`): Promise<void> {
  const { personId, email: from } = whose
  const now = timestampText(new Date())
  const statements = [
    proof,
    sql`update person set email = ${to}, email_verified = true, updated_at = ${now} where id = ${personId} and email = ${from} returning id`,
    ...endBegun(personId),
    ...(await auditEverywhere(db, whose, 'member.email_changed', { from, to })),
  ]
  try {
    await db.transact(statements, ([proven, changed]) => {
      if (proven?.length !== 1 || changed?.length !== 1) throw failure.resetLinkInvalid()
    })
  } catch (error) {
    throw db.explain(error) === 'duplicate' ? failure.emailTaken() : error
  }
}
