import { failure } from '../errors.ts'
import { type Actor, type AuditEvent, auditStatement, commandLine } from '../people/audit.ts'
import type { TransactionPart } from '../people/members.ts'
import type { Row, Statements, Store } from '../store/database.ts'
import { integer, keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { digest, makeToken } from './token.ts'

export type Access = 'read' | 'read-write'

export interface Credential {
  readonly id: string
  readonly companyId: string
  readonly name: string
  readonly apiKey: string
  readonly access: Access
  readonly createdAt: string
  /** An e-mail address, or `command line`; nobody knows it of the oldest ones. */
  readonly createdBy: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** When its secret was seen in a browser. */
  readonly exposedAt: string | null
  /** `100/s`; null where it has no limit of its own. */
  readonly rateLimit: string | null
}

/** Which credential is meant. The company keeps one company's people away from another's. */
export interface CredentialRef {
  readonly companyId: string
  readonly id: string
}

interface NewCredential {
  readonly companyId: string
  readonly name: string
  readonly access: Access
  readonly expiresAt: Date | null
  readonly rateLimit?: string | null
  /** How many that are not revoked the company may have then; null for any number. */
  readonly credentialsMax?: number | null
}

/** Makes a credential. Its secret is in the answer and nowhere else. */
export async function createCredential(
  db: Store,
  { companyId, name, access, rateLimit = null, credentialsMax = null, ...made }: NewCredential,
  by: Actor = commandLine,
): Promise<Credential & { readonly apiSecret: string }> {
  const id = Bun.randomUUIDv7()
  const apiKey = makeToken('key')
  const apiSecret = makeToken('secret')
  const createdAt = timestampText(new Date())
  const expiresAt = made.expiresAt && timestampText(made.expiresAt)
  const room = credentialsMax === null ? null : roomFor(db, companyId, credentialsMax)
  const statements = [
    ...(room?.statements ?? []),
    sql`insert into credential (id, company_id, name, api_key, access, created_at, created_by, expires_at,
          rate_limit)
        values (${id}, ${companyId}, ${name}, ${apiKey}, ${access}, ${createdAt}, ${by.actor}, ${expiresAt},
          ${rateLimit})`,
    sql`insert into credential_secret (credential_id, id, digest, created_at)
        values (${id}, ${Bun.randomUUIDv7()}, ${digest(apiSecret)}, ${createdAt})`,
    audited(by, 'created', { companyId, id, name }, { access, expires_at: expiresAt, rate_limit: rateLimit }),
  ]
  await db.transact(statements, room?.check)
  const ends = { expiresAt, revokedAt: null, exposedAt: null, rateLimit }
  return { id, companyId, name, apiKey, access, createdAt, createdBy: by.actor, ...ends, apiSecret }
}

/** Refuses one more than the company may have. Of two that are made at once, the second waits and then counts the first. */
const roomFor = ({ dialect }: Store, companyId: string, most: number): TransactionPart => ({
  statements: [
    sql`select id from company where id = ${companyId}${dialect.forUpdate}`,
    sql`select count(*) from credential where company_id = ${companyId} and revoked_at is null`,
  ],
  check: ([, counted]) => {
    if (Number(counted?.[0]?.[0]) >= most) throw failure.tooManyCredentials(most)
  },
})

type Reader = Pick<Statements, 'read'>

/** The credentials of one company, or of all, oldest first. */
export async function listCredentials(db: Reader, companyId: string | null): Promise<Credential[]> {
  const rows = await db.read(
    companyId === null
      ? sql`select ${columns} from credential order by id`
      : sql`select ${columns} from credential where company_id = ${companyId} order by id`,
  )
  return rows.map(credentialOf)
}

/** Some of the newest credentials of a company: those that are revoked, or those that are not. */
export interface Newest {
  readonly companyId: string
  readonly isRevoked: boolean
  readonly most: number
}

/** Newest first. */
export async function listNewest(db: Reader, newest: Newest): Promise<Credential[]> {
  return (await db.read(selectNewest(columns, newest))).map(credentialOf)
}

/** A select of their ids, for use within another statement. */
export const newestIds = (newest: Newest): Sql => selectNewest(keyword('id'), newest)

const selectNewest = (selected: Sql, { companyId, isRevoked, most }: Newest): Sql =>
  sql`select ${selected} from credential
      where company_id = ${companyId} and revoked_at is ${isRevoked ? keyword('not null') : keyword('null')}
      order by id desc limit ${integer(most)}`

export async function countCredentials(db: Reader, companyId: string): Promise<number> {
  const [[count] = []] = await db.read(sql`select count(*) from credential where company_id = ${companyId}`)
  return Number(count)
}

/** Those that an application can use at this moment. */
export async function countActive(db: Reader, companyId: string): Promise<number> {
  const [[count] = []] = await db.read(sql`
    select count(*) from credential where company_id = ${companyId} and revoked_at is null
      and (expires_at is null or expires_at > ${timestampText(new Date())})`)
  return Number(count)
}

/** For the command line, which knows every company. */
export async function findByIdOrKey(db: Reader, text: string): Promise<Credential | null> {
  const column = isUuid(text) ? keyword('id') : keyword('api_key')
  const [row] = await db.read(sql`select ${columns} from credential where ${column} = ${text}`)
  return row ? credentialOf(row) : null
}

export async function findCredential(db: Reader, { companyId, id }: CredentialRef): Promise<Credential> {
  // Another text is no id, and PostgreSQL would not compare it with one.
  const [row] = isUuid(id)
    ? await db.read(sql`select ${columns} from credential where company_id = ${companyId} and id = ${id}`)
    : []
  if (!row) throw failure.credentialUnknown()
  return credentialOf(row)
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

const columns = sql`id, company_id, name, api_key, access, created_at, created_by, expires_at, revoked_at, exposed_at,
  rate_limit`

function credentialOf(row: Row): Credential {
  const [id, companyId, name, apiKey, access, createdAt, createdBy, ...more] = row
  const [expiresAt, revokedAt, exposedAt, rateLimit] = more
  const ends = { expiresAt, revokedAt, exposedAt, rateLimit }
  return { id, companyId, name, apiKey, access, createdAt, createdBy, ...ends } as Credential
}

export type State = 'active' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt }: Pick<Credential, 'revokedAt' | 'expiresAt'>, now: Date): State {
  if (revokedAt) return 'revoked'
  return expiresAt && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active'
}

type CredentialAction = 'created' | 'renamed' | 'limited' | 'rotated' | 'secret_ended' | 'revoked' | 'exposed'

/** The record of a change of a credential. */
export function audited(
  by: Actor,
  action: CredentialAction,
  { companyId, id, name }: CredentialRef & { readonly name: string },
  details: AuditEvent['details'],
): Sql {
  const target = name
  return auditStatement({
    ...by,
    companyId,
    action: `credential.${action}`,
    target,
    details: { credential_id: id, ...details },
  })
}
