import { timestampText } from '../resources/timestamp.ts'
import type { Database, Row } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { digest, makeToken } from './token.ts'

export type Access = 'read' | 'read-write'

export interface Credential {
  readonly id: string
  readonly companyId: string
  readonly name: string
  readonly apiKey: string
  readonly access: Access
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** When its secret was seen in a browser. */
  readonly exposedAt: string | null
}

interface NewCredential {
  readonly companyId: string
  readonly name: string
  readonly access: Access
  readonly expiresAt: Date | null
}

/** Makes a credential. Its secret is in the answer and nowhere else. */
export async function createCredential(
  db: Database,
  made: NewCredential,
): Promise<Credential & { readonly apiSecret: string }> {
  const { companyId, name, access } = made
  const credential: Credential = {
    id: Bun.randomUUIDv7(),
    companyId,
    name,
    apiKey: makeToken('key'),
    access,
    createdAt: timestampText(new Date()),
    expiresAt: made.expiresAt && timestampText(made.expiresAt),
    revokedAt: null,
    exposedAt: null,
  }
  const apiSecret = makeToken('secret')
  const { id, apiKey, createdAt, expiresAt } = credential
  await db.transact([
    sql`insert into credential (id, company_id, name, api_key, access, created_at, expires_at)
        values (${id}, ${companyId}, ${name}, ${apiKey}, ${access}, ${createdAt}, ${expiresAt})`,
    sql`insert into credential_secret (credential_id, digest, created_at) values (${id}, ${digest(apiSecret)}, ${createdAt})`,
  ])
  return { ...credential, apiSecret }
}

/** The credentials of one company, or of all, oldest first. */
export async function listCredentials(db: Database, companyId: string | null): Promise<Credential[]> {
  const rows = await db.read(
    companyId === null
      ? sql`select ${columns} from credential order by id`
      : sql`select ${columns} from credential where company_id = ${companyId} order by id`,
  )
  return rows.map(credentialOf)
}

const columns = sql`id, company_id, name, api_key, access, created_at, expires_at, revoked_at, exposed_at`

function credentialOf(row: Row): Credential {
  const [id, companyId, name, apiKey, access, createdAt, expiresAt, revokedAt, exposedAt] = row.map(
    (value) => value as string,
  )
  return { id, companyId, name, apiKey, access, createdAt, expiresAt, revokedAt, exposedAt } as Credential
}

/** Ends a credential for good. Tells whether there was one that could be ended. */
export async function revokeCredential(db: Database, id: string): Promise<boolean> {
  const now = timestampText(new Date())
  const [rows] = await db.transact([
    sql`update credential set revoked_at = ${now} where id = ${id} and revoked_at is null returning id`,
  ])
  return rows?.length === 1
}

export async function markExposed(db: Database, id: string): Promise<void> {
  const now = timestampText(new Date())
  await db.transact([sql`update credential set exposed_at = ${now} where id = ${id} and exposed_at is null`])
}
