import { timingSafeEqual } from 'node:crypto'
import type { EventActor } from '../plan/plan.ts'
import { tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database } from '../store/database.ts'
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
  if (!first) return null
  const [id, companyId, access, expiresAt, revokedAt, exposedAt] = first as string[]
  return {
    id: id ?? '',
    companyId: companyId ?? '',
    access: access === 'read' ? 'read' : 'read-write',
    endedAt: revokedAt ? 0 : timeOf(expiresAt),
    wasExposed: exposedAt !== null,
    ratePolicy: first[9] == null ? null : parsePolicy(String(first[9])),
    fieldsVersion: Number(first[10]),
    actor: first[11] === 'on' ? { kind: 'credential', id: id ?? '' } : null,
    isCompanyEnding: first[12] != null,
    rights: rightsOf({ resources: listOf(first[13]), may: operationsOf(first[14]), addresses: listOf(first[15]) }),
    secrets: rows.map((row) => ({
      id: String(row[6]),
      digest: Buffer.from(String(row[7] ?? ''), 'hex'),
      endedAt: timeOf(row[8] as string | null),
    })),
  }
}

const timeOf = (text: string | null | undefined): number => (text ? Date.parse(text) : Number.POSITIVE_INFINITY)

/** The secret with this digest, unless it has expired. */
export function findSecret({ secrets }: Known, sent: Uint8Array, now: number): Secret | null {
  for (const secret of secrets) if (secret.endedAt > now && equal(secret.digest, sent)) return secret
  return null
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
