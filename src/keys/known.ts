import { timingSafeEqual } from 'node:crypto'
import type { EventActor } from '../plan/plan.ts'
import { tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database, Row } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { parsePolicy, type RatePolicy } from '../traffic/rate-policy.ts'
import type { Access } from './credential.ts'
import { listOf, operationsOf, type Rights, rightsOf } from './rights.ts'

/** A credential as it was read from the database. */
export interface Known {
  readonly id: string
  readonly companyId: string
  readonly access: Access
  readonly rights: Rights | null
  /** When it expires. The earliest possible time if it was revoked, so that no clock matters. */
  readonly endedAt: number
  readonly wasExposed: boolean
  readonly ratePolicy: RatePolicy | null
  /** Of the company's own fields; 0 where it has none. */
  readonly fieldsVersion: number
  /** As events name it; null where the company wants no events. */
  readonly actor: EventActor | null
  /** Its company is about to be deleted. */
  readonly isCompanyEnding: boolean
  readonly secrets: readonly Secret[]
}

export interface Secret {
  readonly id: string
  readonly digest: Uint8Array
  readonly endedAt: number
}

export async function readKnown(db: Database, key: string): Promise<Known | null> {
  const rows = await db.read(sql`
    select c.id, c.company_id, c.access, c.expires_at, c.revoked_at, c.exposed_at, s.id, s.digest, s.expires_at,
      c.rate_limit, o.fields_version, o.events, o.delete_after, c.resources, c.may, c.addresses
    from ${tableOfAllCompanies('credential')} c left join credential_secret s on s.credential_id = c.id
    join company o on o.id = c.company_id
    where c.api_key = ${key}`)
  const [first] = rows
  return first ? { ...credentialOf(first), secrets: rows.map(secretOf) } : null
}

function credentialOf(row: Row): Omit<Known, 'secrets'> {
  const [id, companyId, access, expiresAt, revokedAt, exposedAt, , , , ...rest] = row
  const [rateLimit, fieldsVersion, events, deleteAfter, resources, may, addresses] = rest
  return {
    id: String(id),
    companyId: String(companyId),
    access: access === 'read' ? 'read' : 'read-write',
    endedAt: revokedAt ? 0 : timeOf(expiresAt),
    wasExposed: exposedAt !== null,
    ratePolicy: rateLimit == null ? null : parsePolicy(String(rateLimit)),
    fieldsVersion: Number(fieldsVersion),
    actor: events === 'on' ? { kind: 'credential', id: String(id) } : null,
    isCompanyEnding: deleteAfter != null,
    rights: rightsOf({ resources: listOf(resources), may: operationsOf(may), addresses: listOf(addresses) }),
  }
}

function secretOf([, , , , , , id, digest, expiresAt]: Row): Secret {
  return { id: String(id), digest: Buffer.from(String(digest ?? ''), 'hex'), endedAt: timeOf(expiresAt) }
}

const timeOf = (text: unknown): number => (text ? Date.parse(String(text)) : Number.POSITIVE_INFINITY)

/** The secret with this digest, unless it has expired. */
export function findSecret({ secrets }: Known, sent: Uint8Array, now: number): Secret | null {
  for (const secret of secrets) if (secret.endedAt > now && equal(secret.digest, sent)) return secret
  return null
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
