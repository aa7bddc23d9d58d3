import { failure } from '../errors/index.ts'
import { type Actor, type AuditEvent, auditStatement, commandLine } from '../people/audit.ts'
import type { TransactionPart } from '../people/members.ts'
import { companyRows, insertCompanyRow, type OfCompany, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Companies, CompanyStore, Database, Row } from '../store/database.ts'
import { integer, keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { isUuid } from '../types/uuid.ts'
import type { Access, Credential } from './credential.ts'
import { type Narrowing, notNarrowed } from './narrowing.ts'
import type { Reports } from './report.ts'
import { listOf, operationsOf, storedList } from './rights.ts'
import { digest, makeToken } from './token.ts'

/** Names one credential. The company is part of it, so that nobody reaches a credential of another company. */
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
  readonly narrowing?: Narrowing
  /** The most credentials that a company may have, not counting revoked ones; null for no limit. */
  readonly credentialsMax?: number | null
}

/** Creates a credential and returns its secret, the only time it is shown. */
export async function createCredential(
  db: Companies,
  { companyId, name, access, rateLimit = null, credentialsMax = null, narrowing = notNarrowed, ...made }: NewCredential,
  by: Actor = commandLine,
): Promise<Credential & { readonly apiSecret: string }> {
  const id = Bun.randomUUIDv7()
  const apiKey = makeToken('key')
  const apiSecret = makeToken('secret')
  const createdAt = timestampText(new Date())
  const expiresAt = made.expiresAt && timestampText(made.expiresAt)
  const own = db.forCompany(companyId)
  const room = credentialsMax === null ? null : roomFor(own, credentialsMax)
  const statements = [
    ...(room?.statements ?? []),
    insertCompanyRow('credential', own, {
      ...{ id, name, api_key: apiKey, access },
      ...{ created_at: createdAt, created_by: by.actor, expires_at: expiresAt, rate_limit: rateLimit },
      ...storedNarrowing(narrowing),
    }),
    sql`insert into credential_secret (credential_id, id, digest, created_at)
        values (${id}, ${Bun.randomUUIDv7()}, ${digest(apiSecret)}, ${createdAt})`,
    audited(
      by,
      'created',
      { companyId, id, name },
      { access, ...storedNarrowing(narrowing), expires_at: expiresAt, rate_limit: rateLimit },
    ),
  ]
  await own.transact(statements, room?.check)
  const ends = { expiresAt, revokedAt: null, exposedAt: null, rateLimit }
  return { id, companyId, name, apiKey, access, ...narrowing, createdAt, createdBy: by.actor, ...ends, apiSecret }
}

export const storedNarrowing = ({ resources, may, addresses }: Narrowing) => ({
  resources: storedList(resources),
  may: storedList(may),
  addresses: storedList(addresses),
})

/** Refuses a credential past the limit. Of two created at the same time, the second waits and then counts the first. */
const roomFor = (own: CompanyStore, most: number): TransactionPart => ({
  statements: [
    sql`select id from company where id = ${own.companyId}${own.dialect.forUpdate}`,
    sql`select count(*) from ${companyRows('credential', own)} and revoked_at is null`,
  ],
  check: ([, counted]) => {
    if (Number(counted?.[0]?.[0]) >= most) throw failure.tooManyCredentials(most)
  },
})

/** The credentials of one company, or of all, oldest first. */
export async function listCredentials(db: Database, companyId: string | null): Promise<Credential[]> {
  const own = companyId === null ? null : db.forCompany(companyId)
  const source = own ? companyRows('credential', own) : tableOfAllCompanies('credential')
  return (await (own ?? db).read(sql`select ${columns} from ${source} order by id`)).map(credentialOf)
}

/** A page of a company's credentials, newest first: the revoked ones, or the others. */
export interface Newest {
  readonly isRevoked: boolean
  readonly most: number
}

/** Newest first. */
export async function listNewest(db: Reports, newest: Newest): Promise<Credential[]> {
  return (await db.read(selectNewest(columns, db, newest))).map(credentialOf)
}

/** A select of their ids, to be part of another statement. */
export const newestIds = (company: OfCompany, newest: Newest): Sql => selectNewest(keyword('id'), company, newest)

const selectNewest = (selected: Sql, company: OfCompany, { isRevoked, most }: Newest): Sql =>
  sql`select ${selected} from ${companyRows('credential', company)}
      and revoked_at is ${isRevoked ? keyword('not null') : keyword('null')}
      order by id desc limit ${integer(most)}`

export async function countCredentials(db: Reports): Promise<number> {
  const [[count] = []] = await db.read(sql`select count(*) from ${companyRows('credential', db)}`)
  return Number(count)
}

/** Those that an application can use now. */
export async function countActive(db: Reports): Promise<number> {
  const [[count] = []] = await db.read(sql`
    select count(*) from ${companyRows('credential', db)} and revoked_at is null
      and (expires_at is null or expires_at > ${timestampText(new Date())})`)
  return Number(count)
}

/** For the command line, which may read every company. */
export async function findByIdOrKey(db: Database, text: string): Promise<Credential | null> {
  const column = isUuid(text) ? keyword('id') : keyword('api_key')
  const [row] = await db.read(
    sql`select ${columns} from ${tableOfAllCompanies('credential')} where ${column} = ${text}`,
  )
  return row ? credentialOf(row) : null
}

export async function findCredential(db: Companies, ref: CredentialRef): Promise<Credential> {
  // PostgreSQL refuses to compare a uuid with any other text.
  const [row] = isUuid(ref.id) ? await db.forCompany(ref.companyId).read(selectCredential(ref)) : []
  if (!row) throw failure.credentialUnknown()
  return credentialOf(row)
}

export const selectCredential = (ref: CredentialRef): Sql =>
  sql`select ${columns} from ${companyRows('credential', ref)} and id = ${ref.id}`

const columns = sql`id, company_id, name, api_key, access, created_at, created_by, expires_at, revoked_at, exposed_at,
  rate_limit, resources, may, addresses`

export function credentialOf(row: Row): Credential {
  const [id, companyId, name, apiKey, access, createdAt, createdBy, ...more] = row
  const [expiresAt, revokedAt, exposedAt, rateLimit, resources, may, addresses] = more
  const ends = { expiresAt, revokedAt, exposedAt, rateLimit }
  const narrowing = { resources: listOf(resources), may: operationsOf(may), addresses: listOf(addresses) }
  return { id, companyId, name, apiKey, access, ...narrowing, createdAt, createdBy, ...ends } as Credential
}

type CredentialAction =
  | 'created'
  | 'renamed'
  | 'limited'
  | 'access_changed'
  | 'expiry_changed'
  | 'rotated'
  | 'secret_ended'
  | 'revoked'
  | 'exposed'

/** The audit record of a change to a credential. */
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
