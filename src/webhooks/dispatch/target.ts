import type { Companies } from '../../store/database.ts'
import { sql } from '../../store/sql.ts'
import { type EndpointRef, secretsOf } from '../endpoint.ts'
import { readEndpoint } from '../endpoints.ts'
import type { Seal } from '../seal.ts'

/** Where a message goes, and what it is signed with. */
export interface Target {
  readonly url: string
  readonly secrets: readonly string[]
}

/** null: nothing more is sent. */
export type FindTarget = () => Promise<Target | null>

/** For how long an endpoint is taken to be as it was read. */
const freshMs = 1000

/** Where to send to now: an endpoint may be changed, disabled or deleted while it is sent to, or its company. */
export function followTarget(db: Companies, seal: Seal, ref: EndpointRef): FindTarget {
  const read = async (): Promise<Target | null> => {
    if (await isEnding(db, ref)) return null
    const endpoint = await readEndpoint(db.forRows(ref.companyId), ref.id)
    if (endpoint === null || endpoint.disabledAt !== null) return null
    return { url: endpoint.url, secrets: secretsOf(seal, endpoint, new Date()) }
  }
  let target: Promise<Target | null> = Promise.resolve(null)
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt > freshMs) {
      readAt = performance.now()
      target = read()
    }
    return target
  }
}

/** Whether the company of an endpoint is being deleted. */
async function isEnding(db: Companies, { companyId }: EndpointRef): Promise<boolean> {
  const rows = await db
    .forCompany(companyId)
    .read(sql`select 1 from company where id = ${companyId} and delete_after is not null`)
  return rows.length > 0
}
